/** State and quotes of V3-shaped pools: price, active liquidity and the initialised ticks. */
import { type SwapOrder, type SwapOutcome, swap } from "../../../src/math/concentrated/swap.ts"
import { type TickInfo, TickMap } from "../../../src/math/concentrated/tick-map.ts"
import type { Event, EventOf } from "../../event.ts"
import type { PoolFacts, PoolModel, Quote } from "../../venue.ts"

export interface RangePoolState {
  /** null until the pool was initialised or swapped in sight */
  readonly price: {
    readonly sqrtPriceX96: bigint
    readonly tick: number
    /** of the ranges that hold the price */
    readonly liquidity: bigint
  } | null
  /** null where the tick spacing is unknown */
  readonly ticks: TickMap | null
  /** false once an event took more from a tick than was seen to come: the history is not whole */
  readonly whole: boolean
}

/** A state read from a chain, to fold on from. */
export const rangePoolState = (
  tickSpacing: number,
  price: NonNullable<RangePoolState["price"]>,
  ticks: Iterable<TickInfo>
): RangePoolState => ({ price, ticks: TickMap.of(tickSpacing, ticks), whole: true })

const swapped = (state: RangePoolState, event: EventOf<"SwapExecuted">): RangePoolState =>
  event.sqrtPriceX96 === null || event.liquidity === null || event.tick === null
    ? state
    : {
        ...state,
        price: {
          sqrtPriceX96: event.sqrtPriceX96,
          tick: event.tick,
          liquidity: event.liquidity
        }
      }

const liquidityChanged = (
  state: RangePoolState,
  event: EventOf<"LiquidityChanged">
): RangePoolState => {
  const { tickLower, tickUpper, liquidity } = event
  if (tickLower === null || tickUpper === null || liquidity === null || liquidity === 0n)
    return state
  const { price } = state
  const lower = state.ticks?.adjusted(tickLower, liquidity, liquidity)
  const ticks = lower?.adjusted(tickUpper, liquidity, -liquidity)
  const active = price !== null && tickLower <= price.tick && price.tick < tickUpper
  return {
    price: active ? { ...price, liquidity: price.liquidity + liquidity } : price,
    ticks: ticks ?? state.ticks,
    whole: state.whole && ticks !== null && ticks !== undefined
  }
}

const fold = (state: RangePoolState, event: Event): RangePoolState => {
  switch (event.kind) {
    case "PoolInitialized":
      return event.tick === null
        ? state
        : {
            ...state,
            price: { sqrtPriceX96: event.sqrtPriceX96, tick: event.tick, liquidity: 0n }
          }
    case "SwapExecuted":
      return swapped(state, event)
    case "LiquidityChanged":
      return liquidityChanged(state, event)
    default:
      return state
  }
}

/** A swap as the pool would run it now; null where the state or the fee is not known. */
export const simulate = (
  state: RangePoolState,
  feePips: number | null,
  order: SwapOrder
): SwapOutcome | null =>
  state.price === null || state.ticks === null || !state.whole || feePips === null
    ? null
    : swap({ ...state.price, ticks: state.ticks, feePips: BigInt(feePips) }, order)

const quote = (
  state: RangePoolState,
  facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountIn: bigint
): Quote => {
  if (tokenIn === tokenOut) return { ok: false, reason: "unknown-state" }
  const order = { zeroForOne: tokenIn === 0, exactIn: true, amount: amountIn }
  const outcome = simulate(state, facts.fee, order)
  if (outcome === null) return { ok: false, reason: "unknown-state" }
  if (!outcome.ok) {
    return {
      ok: false,
      reason: outcome.reason === "too-large" ? "too-large" : "no-liquidity"
    }
  }
  if (amountIn > 0n && outcome.amountIn === 0n) return { ok: false, reason: "no-liquidity" }
  return { ok: true, amountIn: outcome.amountIn, amountOut: outcome.amountOut }
}

export const rangePoolModel: PoolModel<RangePoolState> = {
  initial: facts => ({
    price: null,
    ticks: facts.tickSpacing === null ? null : TickMap.empty(facts.tickSpacing),
    whole: true
  }),
  fold,
  quote
}
