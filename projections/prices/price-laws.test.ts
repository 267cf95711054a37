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
  ETHER,
  eventsOf,
  type Fact,
  facts,
  initialized,
  liquidity,
  MEME,
  OTHER,
  pool,
  priceChain,
  reserves,
  rootOf,
  seen,
  swap,
  USDC,
  WETH,
  withPrices
} from "../../test/support/price-events.ts"
import { random } from "../../test/support/random.ts"
import { seed } from "../../test/support/seed.ts"

const folder = mkdtempSync(join(tmpdir(), "price-laws-"))
afterAll(() => rmSync(folder, { recursive: true }))

type Random = ReturnType<typeof random>

const dollars = (whole: number) => BigInt(Math.round(whole * 1e6))
/** Without decimals until it tells them. */
const SILENT = address("66")
/** Listed and deep, so that prices stand all along. */
const market: ReadonlyArray<Fact> = [
  pool(0, "d1", [WETH, USDC]),
  reserves(0, "d1", 1000n * ETHER, dollars(2_000_000)),
  pool(0, "a1", [MEME, USDC]),
  reserves(0, "a1", dollars(10_000), dollars(10_000))
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
  pool(0, "f3", [MEME, WETH], { listed: false })
]

/** An amount over many decades. */
const some = (r: Random) => BigInt(1 + r.int(1_000_000)) * 10n ** BigInt(r.int(20))

/** What an honest pool of listed venues tells. */
const honest = (r: Random, time: number): ReadonlyArray<Fact> => {
  const price = r.int(10) === 0 ? 10 ** (r.int(5) - 2) : 1 + r.int(100) / 100
  switch (r.int(6)) {
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

/** What a contract of its own may tell. */
const lie = (r: Random, time: number): ReadonlyArray<Fact> => {
  const byte = r.pick(["f1", "f2", "f3"])
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
  withPrices(list, async ({ rows }) => {
    const prices = await rows(
      `SELECT token, price, depth_usd FROM token_prices_tail WHERE token < 4 ORDER BY token`
    )
    const prints = await rows(
      `SELECT t.ts, t.price0, t.usd, t.flags FROM tape t JOIN pools_tail p USING (pool)
       WHERE p.venue IN ('uniswap_v2', 'uniswap_v3') ORDER BY t.seq`
    )
    const candles = await rows(
      `SELECT max(h) AS h, sum(n)::INT AS n FROM candles_1h_tail WHERE token = 0`
    )
    return { prices, prints, candles: candles.length }
  })

const ROUNDS = process.env["SWAPTAPE_LONG"] === "1" ? 8 : 1

it("hears no lie of a contract of its own about what listed pools price", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const r = random(`${seed}/lies/${round}`)
    const steps = story(r, 150, 90)
    const truth = [...market, ...thin, ...steps.flatMap(step => step.honest)]
    const all = [
      ...[...market, ...thin, ...forks],
      ...steps.flatMap(step => [...step.lies, ...step.honest])
    ]
    expect(await meaning(all), `round ${round}`).toEqual(await meaning(truth))
  }
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
    const parts = segmentsOf([...facts, ...market, ...thin, ...forks, ...list], 8)
    const straight = new MemoryLog()
    for (const part of parts) straight.append(part)
    const fresh = await foldSegments(priceChain, straight.segments, ":memory:")
    const file = join(folder, `${round}.duckdb`)
    let stopped = await foldSegments(priceChain, straight.segments, file, 1)
    while (stopped.left > 0) stopped = await foldSegments(priceChain, straight.segments, file, 1)
    expect(stopped.tables, `restarts, round ${round}`).toEqual(fresh.tables)
    // each part but the first two is told, undone to where it began, and told again
    const forked = new MemoryLog()
    for (const [i, part] of parts.entries()) {
      const [toSeq, before] = [forked.end.seq, parts[i - 1]?.at(-1)]
      forked.append(part)
      if (i < 2 || before === undefined) continue
      forked.append([undo(toSeq, before, part[0] as Event), ...part])
    }
    const after = await foldSegments(priceChain, forked.segments, ":memory:")
    expect(after.tables, `forks, round ${round}`).toEqual(fresh.tables)
  }
})
