/**
 * The board of smart traders over a real lane of Solana, with a planted wallet for each rule: what it
 * shows is recomputed here from what was planted, with the numbers of the published rules.
 */
import { afterEach, expect, it } from "vitest"
import type { Lane } from "../../../engine/lane/lanes.ts"
import { solana } from "../../../src/domain/chains/solana.ts"
import type { Event } from "../../../streams/event.ts"
import { type Body, startApi, type TestApi } from "../../../test/support/api-server.ts"
import { get } from "../../../test/support/get.ts"
import { MemoryLane } from "../../../test/support/memory-lane.ts"
import { type MemoryLog, takingBack } from "../../../test/support/memory-log.ts"
import {
  eventsOf,
  logOf,
  mintOf,
  type Planted,
  pooled,
  poolOf,
  walletOf
} from "../../../test/support/planted-swaps.ts"
import { reserves, sealed, seen, swap, USDC } from "../../../test/support/small-solana.ts"

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]
/** Noon of a UTC day, and where the log begins: long before the window of a week. */
const NOW = 20_000 * DAY + 12 * HOUR
const START = NOW - 10 * DAY
/** Tokens that are there from the start, each in a pool against the dollar, at ten dollars. */
const TOKENS = 151
/** Tokens whose pools the launch wallet trades first. */
const LAUNCHED = [200, 201, 202]
/** Tokens of pools that are older than the log: nobody knows when their first swap was. */
const OLDER = [220, 221, 222, 223, 224]
/** A token against another one, and one whose pool is emptied in the end. */
const [UNTOLD, RUGGED, OTHER] = [210, 211, 212]

const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, i) => i)

const market = (): ReadonlyArray<Event> => {
  const known = [...numbers(TOKENS), RUGGED]
  return [
    seen(START, USDC),
    ...known.flatMap(token => pooled(START, token)),
    ...pooled(START, OTHER),
    ...pooled(START, UNTOLD, mintOf(OTHER)),
    ...OLDER.flatMap(token => pooled(START, token)),
    ...[...known, UNTOLD].map((token, i) =>
      swap({ time: START + 1, by: null, tokens: 1, dollars: 10, pool: poolOf(token), logIndex: i })
    )
  ]
}

/** A hundred tokens for a thousand dollars, and what they are sold for after some seconds. */
const round = (wallet: string, token: number, time: number, held: number, soldUsd: number) => [
  { time, wallet, token, amount: 100, dollars: 1_000 },
  { time: time + held, wallet, token, amount: -100, dollars: soldUsd }
]

const dayBefore = (days: number): number => NOW - days * DAY

/** Rounds of some tokens an hour apart, each held for half an hour, which make 300 dollars. */
const rounds = (wallet: string, from: number, tokens: ReadonlyArray<number>) =>
  tokens.flatMap((token, i) => round(wallet, token, from + i * HOUR, HOUR / 2, 1_300))

const [CLEAN, CADENCE, SNIPER, BURST] = [walletOf(1), walletOf(2), walletOf(3), walletOf(4)]
const [SAME_SLOT, ARB, SCALP, LAUNCH] = [walletOf(5), walletOf(6), walletOf(7), walletOf(8)]
const [POOR, TWIN, OTHER_TWIN, VETERAN] = [9, 10, 11, 12].map(walletOf) as [
  string,
  string,
  string,
  string
]

/** Kept: six positions of which four won, one of them sold by half; and two that are left out. */
const clean: ReadonlyArray<Planted> = [
  ...round(CLEAN, 0, dayBefore(6), 3 * HOUR, 1_500),
  ...round(CLEAN, 1, dayBefore(5), 2 * HOUR, 1_900),
  ...round(CLEAN, 2, dayBefore(4), HOUR, 800),
  ...round(CLEAN, 3, dayBefore(3), 5 * HOUR, 1_400),
  ...round(CLEAN, 4, dayBefore(2), 90 * MINUTE, 900),
  { time: dayBefore(1) - HOUR, wallet: CLEAN, token: 5, amount: 30, dollars: 270 },
  { time: dayBefore(1), wallet: CLEAN, token: 5, amount: 50, dollars: 530 },
  { time: dayBefore(1) + HOUR, wallet: CLEAN, token: 5, amount: -40, dollars: 700 }
]
const leftOut: ReadonlyArray<Planted> = [
  ...round(CLEAN, UNTOLD, dayBefore(4) + 6 * HOUR, HOUR, 9_000),
  ...round(CLEAN, RUGGED, dayBefore(4) + 8 * HOUR, HOUR, 4_900)
]

/** More than five hundred swaps of a day, a minute apart. */
const cadence = numbers(501).map(i => ({
  ...{ time: dayBefore(2) - 11 * HOUR + i * MINUTE, wallet: CADENCE, token: 10 },
  ...{ amount: i % 2 === 0 ? 10 : -10, dollars: i % 2 === 0 ? 100 : 130 }
}))

/** All tokens on one day, ten of them sold. */
const sniper = [
  ...numbers(TOKENS).map(token => ({
    ...{ time: dayBefore(3) - 11 * HOUR + token * MINUTE, wallet: SNIPER, token },
    ...{ amount: 10, dollars: 100 }
  })),
  ...numbers(10).map(token => ({
    ...{ time: dayBefore(3) + token * MINUTE, wallet: SNIPER, token, amount: -10, dollars: 400 }
  }))
]

/** Eight transactions in each of two minutes of its only day. */
const burst = numbers(8).flatMap(i =>
  round(BURST, 20 + i, dayBefore(2) + 5 * i, 10 * MINUTE, 1_300)
)

/** Five sells two seconds after buying, and six of what was held longer. */
const sameSlot = [
  ...rounds(SAME_SLOT, dayBefore(1), [30, 31, 32, 33, 34, 35]),
  ...numbers(5).flatMap(i => round(SAME_SLOT, 40 + i, dayBefore(2) + i * HOUR, 2, 1_300))
]

/** One transaction that buys and sells, beside what was held. */
const arb = [
  ...rounds(ARB, dayBefore(2), [30, 31, 32, 33, 34]),
  ...round(ARB, 50, dayBefore(3), 0, 1_300).map(one => ({ ...one, tx: 1 }))
]

const scalp = numbers(6).flatMap(i => round(SCALP, 60 + i, dayBefore(3) + i * HOUR, 59, 1_300))

/** Three of its five positions were bought as soon as two seconds after their pools' first swap. */
const launchAt = (i: number): number => dayBefore(3) + i * HOUR + 7 * MINUTE
const launch = [
  ...LAUNCHED.flatMap((token, i) => round(LAUNCH, token, launchAt(i), HOUR, 1_300)),
  ...rounds(LAUNCH, dayBefore(2) + 7 * MINUTE, [70, 71])
]
const launches: ReadonlyArray<Event> = LAUNCHED.flatMap((token, i) => [
  ...pooled(launchAt(i) - HOUR, token, USDC, "log"),
  swap({ time: launchAt(i) - 2, by: null, tokens: 1, dollars: 10, pool: poolOf(token) })
])

/** Its swaps are the first that the log has of these pools. */
const veteran = rounds(VETERAN, dayBefore(2) + 17 * MINUTE, OLDER)

/** Made all that is asked for, but on four positions. */
const poor = rounds(POOR, dayBefore(1) + 11 * MINUTE, [80, 81, 82, 83])

/** The second buys two seconds after the first, three tokens of five, and makes more. */
const twins = [
  ...rounds(TWIN, dayBefore(2) + 13 * MINUTE, [90, 91, 92, 93, 94]),
  ...rounds(OTHER_TWIN, dayBefore(2) + 13 * MINUTE + 2, [90, 91, 92, 103, 104, 105])
]

const planted: ReadonlyArray<Planted> = [
  ...[...clean, ...leftOut, ...cadence, ...sniper, ...burst, ...sameSlot],
  ...[...arb, ...scalp, ...launch, ...veteran, ...poor, ...twins]
]

/** What a token's pool holds in the end pays for less than was got for it. */
const rug = reserves(dayBefore(4) + 10 * HOUR, 400, 4_000, poolOf(RUGGED))

let [api, lane]: [TestApi | null, MemoryLane | null] = [null, null]
afterEach(async () => {
  await api?.close()
  await lane?.close()
  ;[api, lane] = [null, null]
})

/** Serves a log, and reads its board once it has been built. */
const served = async (log: MemoryLog) => {
  const opened = new MemoryLane(solana, log)
  lane = opened
  await opened.start()
  await opened.fold(log.segments.length)
  await opened.commit()
  const asked: Array<string> = []
  const query: Lane["query"] = request => {
    asked.push(request.name)
    return opened.query(request)
  }
  api = await startApi([{ ...opened, query }])
  const path = `${api.url}/v1/chains/solana/smart-traders`
  const board = async (query = ""): Promise<Body> => JSON.parse((await get(path + query)).text)
  await expect.poll(async () => (await get(path)).status).toBe(200)
  const count = (name: string) => asked.filter(one => one === name).length
  return { lane: opened, board, count }
}

/** What was realized of each token, in the order of buying, at the average cost of all buys. */
const realizedOf = (swaps: ReadonlyArray<Planted>): ReadonlyMap<number, number> => {
  const tokens = [...new Set(swaps.map(({ token }) => token))]
  return new Map(
    tokens.map(token => {
      const own = swaps.filter(one => one.token === token)
      const sum = (isBuy: boolean, of: (one: Planted) => number) =>
        own.filter(({ amount }) => amount > 0 === isBuy).reduce((all, one) => all + of(one), 0)
      const cost = sum(true, one => one.dollars) / sum(true, one => one.amount)
      const sold = sum(false, one => -one.amount)
      return [token, sum(false, one => one.dollars) - sold * cost]
    })
  )
}

it("keeps who trades well, and removes a wallet for each rule", async () => {
  const { board } = await served(
    logOf([...market(), ...launches, ...eventsOf(planted), rug, sealed(NOW)])
  )
  const { traders, checked, population, from, coverageSince } = await board()
  expect([from, coverageSince]).toEqual([NOW - 7 * DAY, START])
  expect(checked).toEqual({
    ...{
      candidates: 12,
      kept: 3,
      suspect: 1,
      ineligible: 1,
      readErrors: 0,
      readProblem: null,
      clustered: 1
    },
    flags: { cadence: 1, sniper: 1, burst: 1, sameslot: 1, arb: 1, scalp: 1, launch: 1 }
  })
  expect(population).toEqual({ profitable: 12, cadence: 1, sniper: 1 })
  expect(traders.map(({ wallet, siblings }: Body) => [wallet, siblings])).toEqual(
    expect.arrayContaining([
      [CLEAN, 0],
      [OTHER_TWIN, 1],
      [VETERAN, 0]
    ])
  )

  const made = [...realizedOf(clean).values()]
  const realized = made.reduce((all, one) => all + one, 0)
  const won = made.filter(one => one > 0).length
  const best = Math.max(...made)
  // two days saw nothing but a loss, and what is left out made nothing
  const [profitableDays, activeDays] = [
    4,
    new Set(clean.map(({ time }) => time - (time % DAY))).size
  ]
  const hours = (NOW - Math.max(...clean.map(({ time }) => time))) / HOUR
  const wins = 0.35 + (0.65 * (won + 10)) / (made.length + 20)
  const spread = best / realized > 0.8 ? 0.5 : best / realized > 0.6 ? 0.75 : 1
  const steady = 0.5 + (0.5 * profitableDays) / activeDays
  const row = traders.find(({ wallet }: Body) => wallet === CLEAN)
  expect(row).toMatchObject({
    ...{ closedTokens: 6, winningTokens: won, winRate: won / 6, tokens: 9, trades: 15 },
    // both tokens of the pool that has no dollars
    ...{ unpricedTokens: 2, suspectTokens: 1, launchTokens: 0, activeDays, profitableDays },
    ...{ bestToken: { token: mintOf(1) }, lastTrade: dayBefore(1) + HOUR, heldValueUsd: 400 }
  })
  expect(row.realizedPnlUsd).toBeCloseTo(realized, 6)
  expect(row.bestShare).toBeCloseTo(best / realized, 9)
  expect(row.score).toBeCloseTo(realized * wins * steady * spread * Math.exp(-hours / 48), 6)
  expect(row.unrealizedPnlUsd).toBeCloseTo(400 - 40 * (800 / 80), 6)
})

it("is built anew once a swap of it was taken back, and stands where none was", async () => {
  const from = NOW - 10 * HOUR
  const swaps = eventsOf(rounds(CLEAN, from, [0, 1, 2, 3, 4, 5]))
  const log = logOf([...market(), ...swaps, sealed(NOW)])
  const { lane: opened, board, count } = await served(log)
  await expect.poll(() => count("smartTraders")).toBe(3)
  const realized = async (days: number): Promise<number> => {
    const { traders } = await board(`?days=${days}`)
    return traders[0]?.realizedPnlUsd
  }
  await expect.poll(() => realized(7)).toBeCloseTo(1_800, 6)

  /** Takes back so many of the last segments, for an empty block. */
  const fork = async (segments: number, time: number) => {
    const [to, last] = [log.segments.at(-1 - segments)?.header, log.segments.at(-1)?.header]
    if (to === undefined || last === undefined) throw new Error("the log is too short")
    const block = sealed(time)
    log.append([takingBack(to, last, block.block), block])
    await opened.fold(1)
    await opened.commit()
  }
  await fork(1, NOW + 1)
  await expect.poll(() => count("boardStands")).toBe(3)
  expect([await realized(1), await realized(7)].map(Math.round)).toEqual([1_800, 1_800])
  expect(count("smartTraders")).toBe(3)

  // both empty blocks, and that of the last sell
  await fork(3, NOW + 2)
  for (const days of [1, 3, 7]) await expect.poll(() => realized(days)).toBeCloseTo(1_500, 6)
  expect(count("smartTraders")).toBe(6)
})
