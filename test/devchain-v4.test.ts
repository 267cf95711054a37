/**
 * Quotes of Uniswap V4 held to the PoolManager itself: pools of chance, from their creation on,
 * whose every swap was quoted from the logs before it, to the unit.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import type { ChainConfig } from "../src/domain/chain.ts"
import {
  MAX_SQRT_RATIO,
  MIN_SQRT_RATIO,
  sqrtRatioAtTick
} from "../src/math/concentrated/tick-math.ts"
import type { RpcLog } from "../src/platform/anvil-rpc.ts"
import type { Event, EventOf } from "../streams/event.ts"
import { batchOf } from "../streams/event-objects.ts"
import { chainDecoder } from "../streams/evm/chain-decoder.ts"
import {
  type HookedPoolState,
  hookedPoolModel,
  quoteExactOutput
} from "../streams/evm/uniswap-v4/pool.ts"
import { hookedStateRead } from "../streams/evm/uniswap-v4/read.ts"
import { VenueReport } from "../streams/quote-check/venue-report.ts"
import type { PoolFacts, Quote } from "../streams/venue.ts"
import { testChain } from "./support/chain-config.ts"
import { decodeAll } from "./support/decode-one.ts"
import { rawLogOf } from "./support/raw-logs.ts"
import { answerBy, readState } from "./support/read-state.ts"
import { type Random, random } from "./support/seed.ts"
import {
  openV4Market,
  type PoolKey,
  poolIdOf,
  type SwapParams,
  type V4Market
} from "./support/v4-market.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const POOLS = isLong ? 30 : 6
const SWAPS = isLong ? 150 : 30
const FEES = [0, 1, 100, 500, 3000, 10_000, 990_000]
/** Of the direction 0 for 1 in the low 12 bits, at most 1,000 each. */
const PROTOCOL_FEES = [0, 1000, (1000 << 12) | 7, 333 << 12]

let market: V4Market
let chain: ChainConfig

beforeAll(async () => {
  market = await openV4Market()
  const factory = market.poolManager as ChainConfig["venues"][number]["factory"]
  chain = { ...testChain, venues: [{ id: "uniswap_v4", kind: "uniswap-v4", factory }] }
})
afterAll(() => market?.close())

interface Pool {
  readonly key: PoolKey
  facts: PoolFacts
  state: HookedPoolState
}

const eventsIn = (logs: ReadonlyArray<RpcLog>): ReadonlyArray<Event> => {
  const decoder = chainDecoder(chain)
  return logs.flatMap(log => {
    const raw = rawLogOf(log, Number(log.logIndex))
    if (!decoder.watches(raw)) return []
    const events = decodeAll(decoder.decode, raw)
    if (typeof events === "string") throw new Error(events)
    const block = { number: Number(log.blockNumber), time: 1, hash: null, parentHash: null }
    const index = Number(log.transactionIndex)
    const tx = { hash: log.transactionHash, index, from: null, to: null }
    return events.map(event => ({ ...event, block, tx }))
  })
}

/** A pool with a price, some positions, and now and then a protocol fee. */
const openPool = async (chance: Random): Promise<Pool> => {
  const tickSpacing = chance.pick([10, 60, 200, 2000])
  const key = market.keyOf(chance.pick(FEES), tickSpacing)
  const tick = chance.integer(-200_000, 200_000)
  await market.initialize(key, sqrtRatioAtTick(tick) + chance.bits(40))
  const near = Math.floor(tick / tickSpacing)
  for (let i = chance.integer(1, 5); i > 0; i--) {
    const lower = near - chance.integer(-3, 40)
    const upper = lower + chance.integer(1, 80)
    const liquidity = chance.bits(chance.integer(20, 90)) + 1n
    await market.addLiquidity(key, lower * tickSpacing, upper * tickSpacing, liquidity)
  }
  const protocolFee = chance.pick(PROTOCOL_FEES)
  if (protocolFee !== 0) await market.setProtocolFee(key, protocolFee)
  const facts: PoolFacts = {
    ...{ pool: poolIdOf(key), tokens: [key.currency0, key.currency1] },
    ...{ fee: key.fee, tickSpacing, decimals: [18, 18] }
  }
  return { key, facts, state: hookedPoolModel.initial(facts) }
}

/** A state with its ticks as a list: maps of the same ticks may be arranged otherwise. */
const withList = ({ range, ...state }: HookedPoolState) => ({
  ...state,
  range: { ...range, ticks: [...(range.ticks?.entries() ?? [])] }
})

const orderOf = (chance: Random): SwapParams => {
  const zeroForOne = chance.boolean()
  const amount = chance.bits(chance.integer(1, 100)) + 1n
  return {
    zeroForOne,
    amountSpecified: chance.boolean(0.6) ? -amount : amount,
    sqrtPriceLimitX96: zeroForOne ? MIN_SQRT_RATIO + 1n : MAX_SQRT_RATIO - 1n
  }
}

const quoteOf = ({ state, facts }: Pool, { zeroForOne, amountSpecified }: SwapParams): Quote => {
  const [sold, bought] = zeroForOne ? [0, 1] : [1, 0]
  return amountSpecified < 0n
    ? hookedPoolModel.quote(state, facts, sold, bought, -amountSpecified)
    : quoteExactOutput(state, facts, sold, bought, amountSpecified)
}

/** What the PoolManager's storage tells is what the logs did. */
const readsItself = async ({ facts, state }: Pool): Promise<void> => {
  const known = { ...hookedPoolModel.initial(facts), hooks: state.hooks }
  const question = { facts, factory: market.poolManager, known, time: 0 }
  const told = await readState(hookedStateRead, question, answerBy(market.call))
  expect(told?.range.ticks?.window).toBeNull()
  expect(told && withList(told)).toEqual(withList(state))
}

it("quotes to the unit what the PoolManager trades", async () => {
  const chance = random("v4 pools")
  const counts = { input: 0, output: 0, cut: 0, failed: 0 }
  for (let p = 0; p < POOLS; p++) {
    const pool = await openPool(chance).catch(() => null)
    if (pool === null) continue
    const id = pool.facts.pool
    const fold = (events: ReadonlyArray<Event>) => {
      pool.state = events.reduce(hookedPoolModel.fold, pool.state)
    }
    fold(eventsIn(await market.logs()).filter(event => "pool" in event && event.pool === id))
    for (let s = 0; s < SWAPS; s++) {
      const order = orderOf(chance)
      const quote = quoteOf(pool, order)
      const { status, logs } = await market.swap(pool.key, order)
      if (status !== "0x1") {
        counts.failed++
        // nothing was there to trade
        expect(quote.ok && quote.amountOut > 0n, JSON.stringify(quote, String)).toBe(false)
        continue
      }
      const events = eventsIn(logs)
      const swap = events.find(({ kind }) => kind === "SwapExecuted") as EventOf<"SwapExecuted">
      const amountIn = swap.amount0In + swap.amount1In
      const amountOut = swap.amount0Out + swap.amount1Out
      const told = quote.ok ? quote : { ...quote, amountIn: 0n, amountOut: 0n }
      expect({ ...told, order }).toMatchObject({ amountIn, amountOut, order })
      if (!quote.ok) expect(quote.reason).toBe("no-liquidity")
      const asked = order.amountSpecified
      const isCut = asked < 0n ? amountIn < -asked : amountOut < asked
      counts[isCut ? "cut" : asked < 0n ? "input" : "output"]++
      fold(events)
    }
    await readsItself(pool)
  }
  expect(Math.min(counts.input, counts.output, counts.cut)).toBeGreaterThan(POOLS)
}, 600_000)

it("counts every such swap as exact in the report of a replay", async () => {
  const report = new VenueReport(chain)
  const batch = batchOf(eventsIn(await market.logs()))
  report.take(batch, 0, batch.count)
  const [row, ...others] = report.rows()
  if (row === undefined) throw new Error("no row")
  const { venue, swaps, quotes } = row
  expect({ venue, others, unknown: quotes.unknown, checked: quotes.checked }).toEqual({
    ...{ venue: "uniswap_v4", others: [], unknown: {}, checked: swaps }
  })
  // of dust nothing comes out
  expect({ ...quotes.other, exact: quotes.exact }).toEqual({
    ...(quotes.exact < swaps && { "one side is nothing": swaps - quotes.exact }),
    exact: quotes.exact
  })
  expect(quotes.exact).toBeGreaterThan(swaps / 2)
})
