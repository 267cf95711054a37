import { expect, it } from "vitest"
import { sqrtRatioAtTick } from "../../src/math/concentrated/tick-math.ts"
import type { Event } from "../event.ts"
import type { PoolFacts } from "../venue.ts"
import { eventOf } from "../venue-laws.ts"
import { quoteExactOutput, rangePoolModel, rangePoolState } from "./range-pool.ts"

const POOL = `0x${"bb".repeat(20)}`
const facts: PoolFacts = {
  pool: POOL,
  tokens: ["0x1", "0x2"],
  fee: 3000,
  tickSpacing: 60,
  decimals: [18, 18]
}
const Q96 = 1n << 96n
const LIQUIDITY = 10n ** 18n
const unknown = { ok: false, reason: "unknown-state" }

const initialized = (pool = POOL): Event =>
  eventOf({ kind: "PoolInitialized", pool, sqrtPriceX96: Q96, tick: 0 })

const created = (tickSpacing: number): Event =>
  eventOf({
    kind: "PoolCreated",
    pool: POOL,
    venueKind: "uniswap-v3",
    factory: null,
    tokens: facts.tokens,
    fee: 3000,
    tickSpacing,
    source: "log"
  })

const moved = (tickLower: number, tickUpper: number, liquidity: bigint, pool = POOL): Event =>
  eventOf({
    kind: "LiquidityChanged",
    pool,
    venueKind: "uniswap-v3",
    owner: null,
    sender: null,
    tickLower,
    tickUpper,
    liquidity,
    amount0: 0n,
    amount1: 0n
  })

const swapped = (sqrtPriceX96: bigint, tick: number, liquidity: bigint): Event =>
  eventOf({
    kind: "SwapExecuted",
    pool: POOL,
    venueKind: "uniswap-v3",
    sender: null,
    recipient: null,
    amount0In: 1n,
    amount0Out: 0n,
    amount1In: 0n,
    amount1Out: 1n,
    sqrtPriceX96,
    liquidity,
    tick,
    fee: null,
    token0: null,
    token1: null,
    index0: null,
    index1: null
  })

const after = (...events: ReadonlyArray<Event>) =>
  events.reduce((state, event) => rangePoolModel.fold(state, event), rangePoolModel.initial(facts))
const sold = (amount: bigint, ...events: ReadonlyArray<Event>) =>
  rangePoolModel.quote(after(...events), facts, 0, 1, amount)

it("quotes a pool seen from its first price on", () => {
  const history = [initialized(), moved(-60, 60, LIQUIDITY)]
  expect(sold(1000n, ...history)).toEqual({ ok: true, amountIn: 1000n, amountOut: 996n })
  expect(quoteExactOutput(after(...history), facts, 0, 1, 996n)).toEqual({
    ok: true,
    amountIn: 1000n,
    amountOut: 996n
  })
})

it("takes less than offered, and delivers less than asked, where liquidity ends", () => {
  const history = [initialized(), moved(-60, 60, LIQUIDITY)]
  const all = { ok: true, amountIn: 3013394245478362n, amountOut: 2995354955910780n }
  expect(sold(LIQUIDITY, ...history)).toEqual(all)
  expect(quoteExactOutput(after(...history), facts, 0, 1, LIQUIDITY)).toEqual(all)
  expect(sold(1n, ...history, moved(-60, 60, -LIQUIDITY))).toEqual({
    ok: false,
    reason: "no-liquidity"
  })
})

it("has a price but no quote of a pool first seen in the middle of its life", () => {
  const state = after(swapped(Q96, 0, LIQUIDITY), moved(-60, 60, LIQUIDITY))
  expect(state.price).toEqual({ sqrtPriceX96: Q96, tick: 0, liquidity: 2n * LIQUIDITY })
  expect(rangePoolModel.quote(state, facts, 0, 1, 1000n)).toEqual(unknown)
})

it("counts liquidity as active from the lower tick to below the upper one", () => {
  const active = (lower: number, upper: number) =>
    after(initialized(), moved(lower, upper, 5n)).price?.liquidity
  expect([active(0, 60), active(-60, 0), active(-60, 60), active(60, 120)]).toEqual([
    5n,
    0n,
    5n,
    0n
  ])
})

it("learns the spacing from the pool's creation", () => {
  const ignorant = { ...facts, tickSpacing: null }
  const fold = (events: ReadonlyArray<Event>) =>
    events.reduce((s, e) => rangePoolModel.fold(s, e), rangePoolModel.initial(ignorant))
  const rest = [initialized(), moved(-60, 60, LIQUIDITY)]
  expect(rangePoolModel.quote(fold(rest), ignorant, 0, 1, 1000n)).toEqual(unknown)
  const told = rangePoolModel.quote(fold([created(60), ...rest]), ignorant, 0, 1, 1000n)
  expect(told).toEqual({ ok: true, amountIn: 1000n, amountOut: 996n })
})

it("follows its own pool only", () => {
  const other = `0x${"cc".repeat(20)}`
  const state = after(initialized())
  expect(rangePoolModel.fold(state, initialized(other))).toBe(state)
  expect(rangePoolModel.fold(state, moved(-60, 60, 1n, other))).toBe(state)
})

it("gives up its ticks when told what no pool can do", () => {
  const start = [initialized(), moved(-120, 120, LIQUIDITY)]
  for (const nonsense of [
    moved(-50, 60, 1n),
    moved(60, -60, 1n),
    moved(-887_280, 60, 1n),
    moved(-60, 60, -1n),
    moved(-120, 120, -LIQUIDITY - 1n)
  ]) {
    expect(sold(1000n, ...start, nonsense)).toEqual(unknown)
    expect(after(...start, nonsense).ticks).toBeNull()
  }
})

it("gives up its ticks once they do not lead to what a swap left", () => {
  const narrow = moved(60, 120, 5n)
  const start = [initialized(), moved(-120, 180, LIQUIDITY)]
  const within = swapped(Q96, 0, LIQUIDITY)
  const [into, over] = [90, 130].map(tick => {
    const price = sqrtRatioAtTick(tick)
    return (liquidity: bigint) => swapped(price, tick, liquidity)
  }) as [(liquidity: bigint) => Event, (liquidity: bigint) => Event]
  const whole = [...start, narrow, within]
  expect(after(...whole, into(LIQUIDITY + 5n), over(LIQUIDITY)).ticks?.size).toBe(4)
  expect(after(...whole, into(LIQUIDITY + 5n), within).ticks?.size).toBe(4)
  // a log or a read without the narrow position knows nothing wrong until a swap comes there
  expect(after(...start, within).ticks?.size).toBe(2)
  const lost = after(...start, within, into(LIQUIDITY + 5n))
  expect([lost.ticks, lost.price?.liquidity]).toEqual([null, LIQUIDITY + 5n])
  expect(rangePoolModel.quote(lost, facts, 0, 1, 1000n)).toEqual(unknown)
  // of a position that is no more, and of liquidity at the price itself
  expect(after(...whole, into(LIQUIDITY)).ticks).toBeNull()
  expect(after(...start, swapped(Q96, 0, LIQUIDITY + 1n)).ticks).toBeNull()
})

it("takes no tick beyond its window for one that is missing", () => {
  const price = { sqrtPriceX96: Q96, tick: 0, liquidity: LIQUIDITY }
  const window = { low: -15_360, high: 15_300 }
  const state = rangePoolState(POOL, 60, price, [], window)
  const to = (tick: number, liquidity: bigint) =>
    rangePoolModel.fold(state, swapped(sqrtRatioAtTick(tick), tick, liquidity)).ticks
  expect([to(15_360, 7n), to(-15_420, 7n)]).toEqual([state.ticks, state.ticks])
  expect([to(15_299, LIQUIDITY), to(15_299, 7n)]).toEqual([state.ticks, null])
})

it("quotes nothing at a price that is none, or that the tick contradicts", () => {
  const start = [initialized(), moved(-120, 120, LIQUIDITY)]
  for (const nonsense of [
    swapped(0n, 0, LIQUIDITY),
    swapped(2n ** 160n - 1n, 887_271, LIQUIDITY),
    swapped(Q96, 2, LIQUIDITY),
    swapped(Q96, -8_388_608, LIQUIDITY)
  ]) {
    expect(sold(1000n, ...start, nonsense)).toEqual(unknown)
  }
  // just crossed downwards: the price stands on the tick above
  expect(sold(1000n, ...start, swapped(Q96, -1, LIQUIDITY))).toMatchObject({ ok: true })
})
