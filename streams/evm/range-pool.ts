/**
 * State and quotes of V3-shaped pools: price, active liquidity and the initialised ticks. Ticks
 * are known only of a pool whose history is known from its first price on, or that was read; a pool
 * first seen later has a price but no quotes.
 */
import { rangeCurve } from "../../src/math/concentrated/range-curve.ts"
import { amount0Between, amount1Between } from "../../src/math/concentrated/sqrt-price.ts"
import {
  type SwapOrder,
  type SwapOutcome,
  type SwapRules,
  swap,
  uniswapV3Rules
} from "../../src/math/concentrated/swap.ts"
import { type TickInfo, TickMap, type TickWindow } from "../../src/math/concentrated/tick-map.ts"
import {
  approximateTick,
  MAX_SQRT_RATIO,
  MAX_TICK,
  MIN_SQRT_RATIO,
  MIN_TICK
} from "../../src/math/concentrated/tick-math.ts"
import { MAX_INT128, PIPS } from "../../src/math/fixed-point.ts"
import type { PriceCurve } from "../../src/math/price-curve/curve.ts"
import type { Event, EventOf } from "../event.ts"
import { type PoolFacts, type PoolModel, type Quote, refused, type SwapSides } from "../venue.ts"

export interface RangePoolPrice {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  /** of the positions that hold the price */
  readonly liquidity: bigint
}

export interface RangePoolState {
  readonly pool: string
  /** null where unknown */
  readonly tickSpacing: number | null
  /** null until the pool is initialised or swapped in sight */
  readonly price: RangePoolPrice | null
  /** null where they are not known; of a pool read in part those of a window */
  readonly ticks: TickMap | null
  /** 1e-6 of the input, as the pool said when its state was read; null: the facts' */
  readonly fee: number | null
}

/**
 * A state read from a chain, whole or within a window of ticks, to fold on from. `tickSpacing` is a
 * whole number above zero.
 */
export const rangePoolState = (
  pool: string,
  tickSpacing: number,
  price: RangePoolPrice,
  ticks: Iterable<TickInfo>,
  window: TickWindow | null = null
): RangePoolState => {
  const map = TickMap.of(tickSpacing, ticks, window)
  return { pool, tickSpacing, price, ticks: map, fee: null }
}

const noTicks = (tickSpacing: number | null): TickMap | null =>
  tickSpacing !== null && tickSpacing > 0 ? TickMap.empty(tickSpacing) : null

/** Anybody can log that he made the pool: what is known stays. */
const created = (
  state: RangePoolState,
  { tickSpacing, source }: EventOf<"PoolCreated">
): RangePoolState =>
  tickSpacing === null || (source === "log" && state.tickSpacing !== null)
    ? state
    : { ...state, tickSpacing }

/** Nobody can add liquidity before a pool has a price, so here every tick is known: none. */
const initialized = (state: RangePoolState, event: EventOf<"PoolInitialized">): RangePoolState =>
  event.tick === null
    ? state
    : {
        ...state,
        price: { sqrtPriceX96: event.sqrtPriceX96, tick: event.tick, liquidity: 0n },
        ticks: noTicks(state.tickSpacing)
      }

/** Whether the ticks lead from the liquidity before a swap to what it left; true where unknown. */
const ticksLead = ({ price, ticks }: RangePoolState, tick: number, liquidity: bigint): boolean => {
  if (price === null || ticks === null) return true
  const isUp = tick > price.tick
  const [low, high] = isUp ? [price.tick, tick] : [tick, price.tick]
  const net = ticks.netBetween(low, high)
  return net === null || price.liquidity + (isUp ? net : -net) === liquidity
}

/** Of ticks that do not lead to what a swap left some are wrong, and nobody knows which. */
const swapped = (state: RangePoolState, event: EventOf<"SwapExecuted">): RangePoolState => {
  const { sqrtPriceX96, liquidity, tick } = event
  if (sqrtPriceX96 === null || liquidity === null || tick === null) return state
  const ticks = ticksLead(state, tick, liquidity) ? state.ticks : null
  // each field by its name: copying all and then setting two takes twice as long
  const { pool, tickSpacing, fee } = state
  return { pool, tickSpacing, price: { sqrtPriceX96, liquidity, tick }, ticks, fee }
}

/** The ticks after a position changed; null where no pool with these ticks can have said so. */
const ticksAfter = (
  ticks: TickMap,
  lower: number,
  upper: number,
  liquidity: bigint
): TickMap | null =>
  lower < upper && ticks.accepts(lower) && ticks.accepts(upper)
    ? (ticks.adjusted(lower, liquidity, liquidity)?.adjusted(upper, liquidity, -liquidity) ?? null)
    : null

const liquidityChanged = (
  state: RangePoolState,
  event: EventOf<"LiquidityChanged">
): RangePoolState => {
  const { tickLower, tickUpper, liquidity } = event
  if (tickLower === null || tickUpper === null || liquidity === null || liquidity === 0n)
    return state
  const { price, ticks } = state
  const active = price !== null && tickLower <= price.tick && price.tick < tickUpper
  return {
    ...state,
    price: active ? { ...price, liquidity: price.liquidity + liquidity } : price,
    ticks: ticks === null ? null : ticksAfter(ticks, tickLower, tickUpper, liquidity)
  }
}

const fold = (state: RangePoolState, event: Event): RangePoolState => {
  switch (event.kind) {
    case "SwapExecuted":
      return event.pool === state.pool ? swapped(state, event) : state
    case "LiquidityChanged":
      return event.pool === state.pool ? liquidityChanged(state, event) : state
    case "PoolInitialized":
      return event.pool === state.pool ? initialized(state, event) : state
    case "PoolCreated":
      return event.pool === state.pool ? created(state, event) : state
    default:
      return state
  }
}

/** True where price and tick are in range and belong to each other, as in every real pool. */
export const isSound = ({ sqrtPriceX96, tick, liquidity }: RangePoolPrice): boolean => {
  if (sqrtPriceX96 < MIN_SQRT_RATIO || sqrtPriceX96 >= MAX_SQRT_RATIO) return false
  if (liquidity < 0n || tick < MIN_TICK - 1 || tick > MAX_TICK) return false
  // A price that has just crossed a tick downwards stands on the upper end of the tick below.
  const above = approximateTick(sqrtPriceX96) - tick
  return above > -0.01 && above < 1.01
}

/**
 * A swap as the pool would run it now; null where the ticks or the fee (1e-6) are not known, or
 * the price is one no pool can have.
 */
export const simulate = (
  { price, ticks }: RangePoolState,
  fee: number | null,
  order: SwapOrder,
  rules: SwapRules = uniswapV3Rules
): SwapOutcome | null => {
  if (price === null || ticks === null || !isSound(price)) return null
  const most = Number(PIPS) - (rules.fullFee && order.exactIn ? 0 : 1)
  return fee === null || fee < 0 || fee > most
    ? null
    : swap({ ...price, ticks, feePips: BigInt(fee), rules }, order)
}

/**
 * A quote of an order by the pool's own loop; `fee` in 1e-6 of the input. Of tokens there are two:
 * one sells 0 for 1 or 1 for 0.
 */
export const quoteOrder = (
  state: RangePoolState,
  fee: number | null,
  tokenIn: number,
  tokenOut: number,
  order: { readonly exactIn: boolean; readonly amount: bigint },
  rules: SwapRules = uniswapV3Rules
): Quote => {
  if (tokenIn + tokenOut !== 1 || tokenIn * tokenOut !== 0) {
    return refused("unknown-state")
  }
  const outcome = simulate(state, fee, { zeroForOne: tokenIn === 0, ...order }, rules)
  if (outcome === null) return refused("unknown-state")
  if (!outcome.ok) {
    switch (outcome.reason) {
      case "too-large":
        return refused("too-large")
      case "price-limit": // the price is at the end of its range already
        return refused("no-liquidity")
      case "inconsistent":
      case "unknown-ticks":
        return refused("unknown-state")
    }
  }
  const { amountIn, amountOut } = outcome
  if (order.amount > 0n && amountIn === 0n) return refused("no-liquidity")
  return { ok: true, amountIn, amountOut }
}

/** How many initialised ticks a sale goes over; 0 where it has no quote. `fee` in 1e-6. */
export const crossedBySale = (
  state: RangePoolState,
  fee: number | null,
  tokenIn: number,
  amount: bigint,
  rules: SwapRules = uniswapV3Rules
): number => {
  const outcome = simulate(state, fee, { zeroForOne: tokenIn === 0, exactIn: true, amount }, rules)
  return outcome?.ok === true ? outcome.crossed : 0
}

const quote = (
  state: RangePoolState,
  facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountIn: bigint
): Quote => {
  const order = { exactIn: true, amount: amountIn }
  return quoteOrder(state, state.fee ?? facts.fee, tokenIn, tokenOut, order)
}

/**
 * The input that buys `amountOut`, exactly as the pool computes it. The answer's `amountOut` is
 * less than asked for where liquidity ends.
 */
export const quoteExactOutput = (
  state: RangePoolState,
  facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountOut: bigint
): Quote => {
  const order = { exactIn: false, amount: amountOut }
  return quoteOrder(state, state.fee ?? facts.fee, tokenIn, tokenOut, order)
}

/** Quotes of selling token 0 or 1 as a curve; null where there are none. `fee` in 1e-6. */
export const rangePoolCurve = (
  { price, ticks }: RangePoolState,
  fee: number | null,
  tokenIn: number,
  tokenOut: number,
  most: number
): PriceCurve | null => {
  if (price === null || ticks === null || !isSound(price)) return null
  if (fee === null || fee < 0 || fee >= Number(PIPS)) return null
  return tokenIn + tokenOut !== 1 || tokenIn * tokenOut !== 0
    ? null
    : rangeCurve({ ...price, ticks, feePips: BigInt(fee) }, tokenIn === 0, most)
}

/** What a quote on the range lacks. */
export const rangeLacks = ({ price, ticks }: RangePoolState): "state" | "ticks" | null =>
  price === null ? "state" : ticks === null ? "ticks" : null

/** What the pool takes and pays on the way to a price, of a seller who has more. */
const quoteUntil = (
  state: RangePoolState,
  { fee }: PoolFacts,
  tokenIn: number,
  sqrtPriceLimitX96: bigint
): Quote => {
  const order = { zeroForOne: tokenIn === 0, exactIn: true, amount: MAX_INT128, sqrtPriceLimitX96 }
  const outcome = simulate(state, state.fee ?? fee, order)
  return outcome?.ok === true ? outcome : refused("unknown-state")
}

/** Whether the price before leads to the price after by what the swap paid, whatever the fee is. */
const pathFits = (
  { sqrtPriceX96, liquidity }: RangePoolPrice,
  after: bigint,
  { tokenIn, amountOut }: SwapSides
): boolean => {
  if (tokenIn === 0 ? after > sqrtPriceX96 : after < sqrtPriceX96) return false
  const paid =
    tokenIn === 0
      ? amount1Between(after, sqrtPriceX96, liquidity, false)
      : amount0Between(sqrtPriceX96, after, liquidity, false)
  // words of the tick bitmap are steps of their own, each rounded down
  return amountOut <= paid && paid - amountOut < 64n
}

/** The swap left the liquidity that it found: it crossed no tick. */
const withoutTicks = (
  state: RangePoolState,
  facts: PoolFacts,
  { liquidity, sqrtPriceX96 }: EventOf<"SwapExecuted">
) => {
  const { pool, price, ticks } = state
  if (ticks !== null || price === null || sqrtPriceX96 === null) return null
  const tickSpacing = state.tickSpacing ?? facts.tickSpacing
  if (tickSpacing === null || tickSpacing <= 0 || price.liquidity !== liquidity) return null
  return {
    state: rangePoolState(pool, tickSpacing, price, []),
    fits: (sides: SwapSides) => pathFits(price, sqrtPriceX96, sides)
  }
}

export const rangePoolModel: PoolModel<RangePoolState> = {
  initial: ({ pool, tickSpacing }) => ({ pool, tickSpacing, price: null, ticks: null, fee: null }),
  fold,
  quote,
  quoteOutput: quoteExactOutput,
  crossed: (state, { fee }, tokenIn, _tokenOut, amountIn) =>
    crossedBySale(state, state.fee ?? fee, tokenIn, amountIn),
  curve: (state, { fee }, tokenIn, tokenOut, most) =>
    rangePoolCurve(state, fee, tokenIn, tokenOut, most),
  check: { lacks: rangeLacks, quoteUntil, withoutTicks }
}
