/**
 * State and quotes of Uniswap V4 pools: a V3-shaped range pool, the hooks that may interfere and
 * the protocol's fee, which is taken first and together with the pool's own makes the swap's.
 */
import { uniswapV4Rules } from "../../../src/math/concentrated/swap.ts"
import { MAX_INT128, PIPS } from "../../../src/math/fixed-point.ts"
import type { Event, EventOf } from "../../event.ts"
import { type PoolFacts, type PoolModel, type Quote, refused } from "../../venue.ts"
import {
  crossedBySale,
  quoteOrder,
  type RangePoolState,
  rangeLacks,
  rangePoolCurve,
  rangePoolModel
} from "../range-pool.ts"
import { leavesSwapsAlone } from "./hooks.ts"

export interface HookedPoolState {
  readonly range: RangePoolState
  /** address of the hooks contract as a number, 0 for none; null where unknown */
  readonly hooks: bigint | null
  /** 12 bits for each direction, 1 for 0 the higher ones, in 1e-6; null where unknown */
  readonly protocolFee: number | null
}

const DIRECTION_BITS = 12
const DIRECTION_MASK = (1 << DIRECTION_BITS) - 1

/**
 * Fee of a swap in 1e-6 of the input: the pool's is taken of what the protocol's leaves, rounded
 * up (`ProtocolFeeLibrary.calculateSwapFee`).
 */
export const swapFee = (poolFee: number, protocolFee: number, zeroForOne: boolean): number => {
  const own = zeroForOne ? protocolFee & DIRECTION_MASK : protocolFee >> DIRECTION_BITS
  return own + poolFee - Math.floor((own * poolFee) / Number(PIPS))
}

const parameterSet = (
  state: HookedPoolState,
  { name, value }: EventOf<"PoolParameterSet">
): HookedPoolState => {
  switch (name) {
    case "hooks":
      return { ...state, hooks: value }
    case "protocolFee":
      return { ...state, protocolFee: Number(value) }
    default:
      return state
  }
}

/** A pool begins without a protocol fee. */
const fold = (state: HookedPoolState, event: Event): HookedPoolState => {
  if (event.kind === "PoolParameterSet")
    return event.pool === state.range.pool ? parameterSet(state, event) : state
  const range = rangePoolModel.fold(state.range, event)
  if (range === state.range) return state
  return event.kind === "PoolInitialized"
    ? { ...state, range, protocolFee: 0 }
    : { ...state, range }
}

/** The whole fee of a swap in 1e-6; null where it, or what the pool's hooks do, is not known. */
const feeOf = (
  { hooks, protocolFee }: HookedPoolState,
  { fee }: PoolFacts,
  zeroForOne: boolean
): number | null => {
  const isKnown = hooks !== null && leavesSwapsAlone(hooks) && protocolFee !== null
  return !isKnown || fee === null || fee < 0 || fee > Number(PIPS)
    ? null
    : swapFee(fee, protocolFee, zeroForOne)
}

const orderQuote = (
  state: HookedPoolState,
  facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  order: { readonly exactIn: boolean; readonly amount: bigint }
): Quote => {
  const { range } = state
  const full = feeOf(state, facts, tokenIn === 0)
  if (full === null) return refused("unknown-state")
  if (full === Number(PIPS) && !order.exactIn) return refused("no-liquidity")
  const quote = quoteOrder(range, full, tokenIn, tokenOut, order, uniswapV4Rules)
  return quote.ok && (quote.amountIn > MAX_INT128 || quote.amountOut > MAX_INT128)
    ? refused("too-large")
    : quote
}

/**
 * The input that buys `amountOut`, exactly as the pool computes it. The answer's `amountOut` is
 * less than asked for where liquidity ends.
 */
export const quoteExactOutput = (
  state: HookedPoolState,
  facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountOut: bigint
): Quote => orderQuote(state, facts, tokenIn, tokenOut, { exactIn: false, amount: amountOut })

export const hookedPoolModel: PoolModel<HookedPoolState> = {
  initial: facts => ({ range: rangePoolModel.initial(facts), hooks: null, protocolFee: null }),
  fold,
  quote: (state, facts, tokenIn, tokenOut, amountIn) =>
    orderQuote(state, facts, tokenIn, tokenOut, { exactIn: true, amount: amountIn }),
  quoteOutput: quoteExactOutput,
  crossed: (state, facts, tokenIn, _tokenOut, amountIn) =>
    crossedBySale(
      state.range,
      feeOf(state, facts, tokenIn === 0),
      tokenIn,
      amountIn,
      uniswapV4Rules
    ),
  curve: (state, facts, tokenIn, tokenOut, most) =>
    rangePoolCurve(state.range, feeOf(state, facts, tokenIn === 0), tokenIn, tokenOut, most),
  check: { lacks: ({ range }) => rangeLacks(range) }
}
