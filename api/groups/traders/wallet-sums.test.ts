/** What SQL sums of every wallet, against a recomputation from the swaps of a random market. */
import { afterEach, expect, it } from "vitest"
import { NOTHING_LEFT } from "../../../engine/store/retention.ts"
import { solana } from "../../../src/domain/chains/solana.ts"
import { MemoryLane } from "../../../test/support/memory-lane.ts"
import {
  eventsOf,
  logOf,
  mintOf,
  type Planted,
  pooled,
  poolOf,
  walletOf
} from "../../../test/support/planted-swaps.ts"
import { random } from "../../../test/support/seed.ts"
import { created, reserves, sealed, seen, USDC } from "../../../test/support/small-solana.ts"
import { candidatesSql, dayTradersSql } from "./wallet-sums.ts"

const DAY = 86_400
const ALL_KEPT = { keptFrom: NOTHING_LEFT }
const NOW = 20_000 * DAY + DAY / 2
const [START, FROM] = [NOW - 10 * DAY, NOW - 7 * DAY]
const [WALLETS, TOKENS, SWAPS] = [40, 12, 1_500]
/** The first tokens have a second pool, against one that is no money. */
const [TWO_POOLS, OTHER, SECOND] = [5, 50, 100]
/** Dollars that the pools of the last tokens hold in the end. */
const LEFT = new Map([
  [10, 900],
  [11, 2_000]
])

let lane: MemoryLane | null = null
afterEach(async () => {
  await lane?.close()
  lane = null
})

/** Amounts are whole cents of a token, and dollars whole cents. */
const drawn = (): ReadonlyArray<Planted> => {
  const r = random("wallet sums")
  const held = new Map<string, number>()
  return Array.from({ length: SWAPS }, (_, i) => {
    // some before the window
    const time = START + 60 + Math.floor((i * 9.9 * DAY) / SWAPS)
    const [wallet, token] = [walletOf(r.integer(1, WALLETS)), r.integer(0, TOKENS - 1)]
    const key = `${wallet} ${token}`
    const has = held.get(key) ?? 0
    const cents = r.integer(100, 10_000)
    const sold = r.boolean(0.4) ? has : Math.min(cents, r.boolean(0.9) ? has : cents)
    const isSale = sold > 0 && r.boolean()
    const net = isSale ? -sold : cents
    held.set(key, Math.max(0, has + net))
    const dollars = Math.max(1, Math.round(Math.abs(net) * (8 + 5 * r.next()))) / 100
    const isElsewhere = token < TWO_POOLS && r.boolean(0.15)
    const pool = isElsewhere ? SECOND + token : token
    return { time, wallet, token, amount: net / 100, dollars, pool }
  })
}

/** Micro-dollars, whole ones of each position, that a wallet realized of its swaps, and how many positions are in none of its sums. */
const recomputed = (swaps: ReadonlyArray<Planted>) => {
  const prints = swaps.flatMap(one => {
    const { pool = 0, token, amount, dollars } = one
    const cents = Math.round(amount * 100)
    if (pool < SECOND) return [{ token, cents, dollars, isTold: true }]
    // the other token of the pool went the other way, as many as there were dollars
    const other = { token: OTHER, cents: -Math.sign(cents) * Math.round(dollars * 100) }
    return [{ token, cents }, other].map(print => ({ ...print, dollars: 0, isTold: false }))
  })
  let [realized, leftOut, positions] = [0, 0, 0]
  for (const token of new Set(prints.map(one => one.token))) {
    const own = prints.filter(one => one.token === token)
    let [bought, sold, paid, got, untold] = [0, 0, 0, 0, 0]
    for (const { cents, dollars, isTold } of own) {
      if (!isTold) untold += Math.abs(cents)
      else if (cents > 0) {
        bought += cents
        paid += dollars
      } else {
        sold -= cents
        got += dollars
      }
    }
    const isUntold = Math.max(untold, sold - bought) * 10 > bought + sold + untold
    const isTooMuch = got > (LEFT.get(token) ?? 10_000_000)
    positions++
    if (isUntold || isTooMuch) leftOut++
    else realized += Math.round((got - (sold === 0 ? 0 : (sold / bought) * paid)) * 1e6)
  }
  return { realized: positions > leftOut ? realized : null, leftOut, positions }
}

it("makes of each wallet what its swaps tell, in however many parts", async () => {
  const swaps = drawn()
  const log = logOf([
    seen(START, USDC),
    ...Array.from({ length: TOKENS }, (_, token) => pooled(START, token)).flat(),
    ...pooled(START, OTHER),
    ...Array.from({ length: TWO_POOLS }, (_, token) =>
      created(START, poolOf(SECOND + token), [mintOf(token), mintOf(OTHER)])
    ),
    ...eventsOf(swaps),
    ...[...LEFT].map(([token, usd]) => reserves(NOW, usd / 10, usd, poolOf(token))),
    sealed(NOW)
  ])
  const opened = new MemoryLane(solana, log)
  lane = opened
  await opened.start()
  await opened.fold(log.segments.length)
  await opened.commit()
  const [usdc] = await opened.rows(
    `SELECT token0 AS other, token1 AS token FROM tape WHERE usd IS NOT NULL LIMIT 1`
  )
  const sums = {
    ...{ from: FROM, upTo: opened.seq(), scales: new Map<number, number>() },
    ...{ money: new Map([[usdc?.["token"] ?? -1, 1]]), isQuotedOnly: true }
  }
  let [told, leftOut] = [0, 0]
  for (const parts of [1, 3]) {
    const rowsOf = async (sql: (part: { part: number; parts: number }) => string) => {
      const all = Array.from({ length: parts }, (_, part) => opened.rows(sql({ part, parts })))
      return (await Promise.all(all)).flat().filter(row => row["wallet_lo"] !== null)
    }
    const rows = await rowsOf(part => candidatesSql(ALL_KEPT, sums, part))
    const ofDays = await rowsOf(part => dayTradersSql(ALL_KEPT, sums, part, WALLETS))
    for (const list of [rows, ofDays]) {
      const wallets = list.map(row => Number(row["wallet_lo"]))
      expect(wallets.length).toBeGreaterThan(1)
      expect(wallets).toEqual(wallets.toSorted((a, b) => a - b))
    }
    for (let number = 1; number <= WALLETS; number++) {
      const own = swaps.filter(one => one.wallet === walletOf(number) && one.time >= FROM)
      const expected = recomputed(own)
      const row = rows.find(one => one["wallet_lo"] === number)
      leftOut += expected.leftOut
      if (expected.realized === null) expect(row).toBeUndefined()
      else {
        expect(row).toMatchObject({ swaps: own.length, tokens: expected.positions })
        expect(row?.["realized"]).toBe(expected.realized)
        told++
      }
    }
  }
  // both sorts of positions were met often
  expect([told > WALLETS, leftOut > WALLETS]).toEqual([true, true])
})
