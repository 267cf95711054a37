/** Laws of prices over random logs full of lies. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import { foldSegments } from "../../test/support/fold-segments.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import {
  address,
  DAI,
  dollarChain,
  ETHER,
  eventsOf,
  type Fact,
  facts,
  initialized,
  liquidity,
  MEME,
  OTHER,
  pool,
  reserves,
  rootOf,
  seen,
  swap,
  USDC,
  USDT,
  WBTC,
  WETH,
  withPrices
} from "../../test/support/price-events.ts"
import { random } from "../../test/support/random.ts"
import { seed } from "../../test/support/seed.ts"
import { presentPrices } from "../../test/support/tape-oracle.ts"

const folder = mkdtempSync(join(tmpdir(), "price-laws-"))
afterAll(() => rmSync(folder, { recursive: true }))

type Random = ReturnType<typeof random>

const dollars = (whole: number) => BigInt(Math.round(whole * 1e6))
/** A token without decimals until a `TokenSeen` has them. */
const SILENT = address("66")
/** Listed and deep, so that prices stand all along. */
const market: ReadonlyArray<Fact> = [
  pool(0, "d1", [WETH, USDC]),
  reserves(0, "d1", 1000n * ETHER, dollars(2_000_000)),
  pool(0, "a1", [MEME, USDC]),
  reserves(0, "a1", dollars(10_000), dollars(10_000))
]
/** Dollars and an asset that follow each other. */
const anchors: ReadonlyArray<Fact> = [
  ...[seen(0, DAI), seen(0, USDT), seen(0, WBTC)],
  ...[pool(0, "b1", [DAI, USDC]), pool(0, "b2", [USDT, USDC]), pool(0, "b3", [USDT, DAI])],
  ...[pool(0, "b4", [WBTC, WETH]), pool(0, "b5", [WBTC, DAI])],
  reserves(0, "b2", dollars(500_000), dollars(500_000))
]
const thin = [
  pool(0, "a2", [MEME, WETH]),
  pool(0, "a3", [MEME, USDC]),
  pool(0, "a4", [SILENT, USDC]),
  pool(0, "a5", [SILENT, WETH]),
  pool(0, "a6", [OTHER, USDC], { venue: "v3", source: "log" }),
  initialized(0, "a6", rootOf(1))
]
const forks = [
  pool(0, "f1", [WETH, USDC], { listed: false }),
  pool(0, "f2", [MEME, USDC], { listed: false }),
  pool(0, "f3", [MEME, WETH], { listed: false }),
  pool(0, "f4", [DAI, USDC], { listed: false }),
  pool(0, "f5", [WBTC, WETH], { listed: false })
]

/** An amount over many decades. */
const some = (r: Random) => BigInt(1 + r.int(1_000_000)) * 10n ** BigInt(r.int(20))

/** Events of an honest pool at a listed venue. */
const honest = (r: Random, time: number): ReadonlyArray<Fact> => {
  const price = r.int(10) === 0 ? 10 ** (r.int(5) - 2) : 1 + r.int(100) / 100
  switch (r.int(9)) {
    case 6: {
      const [byte, side] = [r.pick(["b1", "b2", "b3"]), dollars(20_000 + r.int(500_000))]
      return [reserves(time, byte, side, side - side / BigInt(10 + r.int(1000)))]
    }
    case 7:
      return [
        reserves(time, "b4", dollars(10 + r.int(10)), BigInt(200 + r.int(100)) * ETHER),
        swap(time, "b4", dollars(0.01), -ETHER / 5n)
      ]
    case 8:
      return [reserves(time, "b5", dollars(10), dollars(300_000 + r.int(500_000)))]
    case 0:
      return [reserves(time, "d1", 1000n * ETHER, dollars(1_500_000 + r.int(1_000_000)))]
    case 1:
      return [
        reserves(time, "a1", dollars(10_000 / price), dollars(10_000)),
        swap(time, "a1", dollars(1), -dollars(price))
      ]
    case 2:
      return [swap(time, r.pick(["a2", "a3"]), dollars(1), -dollars(price))]
    case 3:
      return [swap(time, "a4", 10n ** 9n, -dollars(price))]
    case 4: {
      const amount = dollars(r.int(5000))
      return [liquidity(time, "a6", [-600, 600], amount * 30n, [amount, amount])]
    }
    default:
      return [
        swap(time, "a6", dollars(price), -dollars(1), {
          root: rootOf(1 / price),
          liquidity: dollars(1 + r.int(100_000))
        })
      ]
  }
}

/** Events that anybody's own contract may log. */
const lie = (r: Random, time: number): ReadonlyArray<Fact> => {
  const byte = r.pick(["f1", "f2", "f3", "f4", "f5"])
  return r.int(2) === 0
    ? [reserves(time, byte, some(r), some(r))]
    : [swap(time, byte, some(r), -some(r))]
}

const story = (r: Random, steps: number, longest: number) => {
  let time = 0
  return Array.from({ length: steps }, () => {
    time += r.int(longest)
    return { time, honest: honest(r, time), lies: r.int(2) === 0 ? lie(r, time) : [] }
  })
}

/** What listed pools made of prices and prints. */
const meaning = (list: ReadonlyArray<Fact>) =>
  withPrices(
    list,
    async ({ rows }) => {
      const prices = await rows(`SELECT * FROM ${presentPrices} WHERE token < 7 ORDER BY token`)
      const prints = await rows(
        `SELECT t.ts, t.price0, t.usd, t.flags FROM tape t JOIN pools_tail p USING (pool)
       WHERE p.venue IN ('uniswap_v2', 'uniswap_v3') ORDER BY t.seq`
      )
      const candles = await rows(
        `SELECT max(h) AS h, sum(n)::INT AS n FROM candles_1h_tail WHERE token = 0`
      )
      return { prices, prints, candles: candles.length }
    },
    dollarChain
  )

const ROUNDS = process.env["SWAPTAPE_LONG"] === "1" ? 8 : 1

it("hears no lie of a contract of its own about what listed pools price", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const r = random(`${seed}/lies/${round}`)
    const steps = story(r, 150, 90)
    const truth = [...anchors, ...market, ...thin, ...steps.flatMap(step => step.honest)]
    const all = [
      ...[...anchors, ...market, ...thin, ...forks],
      ...steps.flatMap(step => [...step.lies, ...step.honest])
    ]
    expect(await meaning(all), `round ${round}`).toEqual(await meaning(truth))
  }
})

interface Told {
  readonly pool: string
  readonly weight: number
  readonly priceUsd: number | null
  readonly quotePriceUsd: number | null
  readonly quote: string
  readonly depthUsd: number
  readonly ts: number
}

/** What reserves say last, from the facts themselves. */
const newestReserves = (list: ReadonlyArray<Fact>) => {
  const newest = new Map<string, readonly [bigint, bigint]>()
  for (const fact of list) {
    if (fact.kind !== "ReservesSynced") continue
    const told = fact as unknown as { pool: string; reserve0: bigint; reserve1: bigint }
    newest.set(told.pool, [told.reserve0, told.reserve1])
  }
  return newest
}

/** All parts times their prices are the price; of an anchor depth makes them, halved by the hour. */
const checkParts = (
  explained: { readonly [field: string]: unknown },
  parts: ReadonlyArray<Told>
) => {
  const whole = parts.reduce((sum, { weight }) => sum + weight, 0)
  expect(whole).toBeCloseTo(1, 12)
  const mean = parts.reduce((sum, { weight, priceUsd }) => sum + weight * (priceUsd ?? 0), 0)
  const { priceUsd, pendingUsd } = explained
  expect(Number(pendingUsd ?? priceUsd) / mean).toBeCloseTo(1, 9)
  if (explained["anchor"] !== true) return
  const last = Math.max(...parts.map(({ ts }) => ts))
  const counts = parts.map(one => one.depthUsd / 2 ** Math.floor((last - one.ts) / 3600))
  const all = counts.reduce((sum, count) => sum + count, 0)
  for (const [i, { weight }] of parts.entries()) {
    expect(weight).toBeCloseTo((counts[i] as number) / all, 12)
  }
}

it("explains every price by what pools said last, and tells it everywhere alike", async () => {
  let [exact, priced] = [0, 0]
  for (let round = 0; round < 6 * ROUNDS; round++) {
    const r = random(`${seed}/explained/${round}`)
    const steps = story(r, 60, 5000)
    const list = [...anchors, ...market, ...thin, ...steps.flatMap(step => step.honest)]
    const newest = newestReserves(list)
    await withPrices(
      list,
      async ({ ask }) => {
        const { tokens } = await ask("tokenList", { limit: 100, includeUnlisted: true })
        const told = new Map(
          (tokens as ReadonlyArray<{ address: string; priceUsd: number | null }>).map(
            row => [row.address, row.priceUsd] as const
          )
        )
        for (const token of [USDC, DAI, USDT, WETH, WBTC, MEME, OTHER]) {
          const explained = await ask("explainPrice", { token })
          const { priceUsd } = explained
          if (told.has(token)) expect(told.get(token)).toBe(priceUsd)
          const pools = explained["pools"] as ReadonlyArray<Told>
          const parts = pools.filter(({ weight }) => weight > 0)
          for (const { pool, quote, priceUsd, quotePriceUsd } of pools) {
            const state = newest.get(pool)
            if (state === undefined || priceUsd === null) continue
            const scales = [quote === WETH ? 1e18 : 1e6, token === WETH ? 1e18 : 1e6] as const
            const ratio = Number(state[1]) / scales[0] / (Number(state[0]) / scales[1])
            expect(priceUsd / (ratio * (quotePriceUsd ?? 0))).toBeCloseTo(1, 12)
            exact++
          }
          if (parts.length === 0) continue
          priced++
          checkParts(explained, parts)
        }
        const { dollars: basket } = await ask("explainPrice", { token: USDC })
        const { applies, known } = basket as {
          applies: boolean
          known: ReadonlyArray<{ priceUsd: number }>
        }
        const prices = known.map(({ priceUsd }) => priceUsd).sort((a, b) => a - b)
        expect(applies).toBe(known.length >= 3)
        if (applies) expect(prices[1]).toBeCloseTo(1, 12)
      },
      dollarChain
    )
  }
  expect(exact).toBeGreaterThan(30)
  expect(priced).toBeGreaterThan(10)
})

/** The facts in segments of whole seconds, about so many. */
const segmentsOf = (list: ReadonlyArray<Fact>, count: number): Array<ReadonlyArray<Event>> => {
  const events = eventsOf(list)
  const parts: Array<Array<Event>> = [[]]
  for (const [i, event] of events.entries()) {
    const isNext = event.block.number !== events[i - 1]?.block.number
    const full = (parts.at(-1)?.length ?? 0) >= events.length / count
    if (isNext && full) parts.push([])
    parts.at(-1)?.push(event)
  }
  return parts
}

const undo = (toSeq: number, before: Event, after: Event): Event =>
  ({
    ...{ kind: "Rollback", tx: null, logIndex: 0, block: after.block },
    ...{ toSeq, toBlock: before.block.number, toHash: before.block.hash },
    ...{ fromBlock: before.block.number + 1, reason: "reorg" }
  }) as unknown as Event

it("ends the same after restarts and forks, whatever is told", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const r = random(`${seed}/forks/${round}`)
    const steps = story(r, 120, 200)
    const told = seen(steps[60]?.time ?? 0, SILENT, 18)
    const list = steps.flatMap((step, i) => [
      ...(i === 60 ? [told] : []),
      ...step.lies,
      ...step.honest
    ])
    const parts = segmentsOf([...facts, ...anchors, ...market, ...thin, ...forks, ...list], 8)
    const straight = new MemoryLog()
    for (const part of parts) straight.append(part)
    const fresh = await foldSegments(dollarChain, straight.segments, ":memory:")
    const file = join(folder, `${round}.duckdb`)
    let stopped = await foldSegments(dollarChain, straight.segments, file, 1)
    while (stopped.left > 0) stopped = await foldSegments(dollarChain, straight.segments, file, 1)
    expect(stopped.tables, `restarts, round ${round}`).toEqual(fresh.tables)
    // each part but the first two is appended, rolled back to where it began, and appended again
    const forked = new MemoryLog()
    for (const [i, part] of parts.entries()) {
      const [toSeq, before] = [forked.end.seq, parts[i - 1]?.at(-1)]
      forked.append(part)
      if (i < 2 || before === undefined) continue
      forked.append([undo(toSeq, before, part[0] as Event), ...part])
    }
    const after = await foldSegments(dollarChain, forked.segments, ":memory:")
    expect(after.tables, `forks, round ${round}`).toEqual(fresh.tables)
  }
})
