/**
 * State and quotes of Algebra's pools: V3-shaped ranges, a fee that the pool sets anew and tells,
 * and three generations of contracts that look for the next tick in their own ways:
 * - V1 in rows of 256 multiples of 60 (`TickTable`, Uniswap V3's bitmap);
 * - V1.9 in rows of 256 single ticks, whatever the spacing;
 * - Integral along a list of the initialised ticks, without stops between them.
 * Rounding happens at every stop, so the generation must be known, or not matter.
 */
import {
  integralRules,
  type SwapRules,
  uniswapV3Rules
} from "../../../src/math/concentrated/swap.ts"
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

export interface AlgebraPoolState {
  /** ticks in rows of single ones, and in rows of multiples of 60 */
  readonly fine: RangePoolState
  readonly coarse: RangePoolState
  /** in 1e-6, of selling token 0 and of selling token 1; null until told */
  readonly fees: readonly [number | null, number | null]
  /** `v1` where nothing has been told that a pool of V1 cannot tell: it may be V1.9 */
  readonly generation: "v1" | "v1.9" | "integral"
  /** Integral: which of its calls the plugin takes; null where unknown */
  readonly pluginConfig: number | null
  /** true after a `Swap` of Integral 1.2, false after one of those before; null before any */
  readonly longSwap: boolean | null
}

/** Bit of the plugin's configuration by which it is asked before a swap (`Plugins`). */
const BEFORE_SWAP = 1
/** Tick spacing of every pool of V1 (`Constants.TICK_SPACING`). */
export const V1_SPACING = 60

const feesAfter = (
  fees: AlgebraPoolState["fees"],
  { index, value }: EventOf<"PoolParameterSet">
): AlgebraPoolState["fees"] => {
  const fee = Number(value)
  if (index === null) return [fee, fee]
  return index === 0 ? [fee, fees[1]] : [fees[0], fee]
}

/** Only V1.9 tells two fees or changes a spacing alone; only Integral has plugins and its fee of
 *  the community in one number. */
const parameterSet = (
  state: AlgebraPoolState,
  event: EventOf<"PoolParameterSet">
): AlgebraPoolState => {
  const atLeast19 = state.generation === "v1" ? "v1.9" : state.generation
  switch (event.name) {
    case "fee":
      return {
        ...state,
        fees: feesAfter(state.fees, event),
        generation: event.index === null ? state.generation : atLeast19
      }
    case "tickSpacing":
      return { ...state, generation: atLeast19 }
    case "communityFee":
    case "plugin":
      return { ...state, generation: "integral" }
    case "pluginConfig":
      return { ...state, generation: "integral", pluginConfig: Number(event.value) }
    default:
      return state
  }
}

/** Spacings are not taken from facts: what rows are made of depends on the generation. */
const fold = (state: AlgebraPoolState, event: Event): AlgebraPoolState => {
  if (event.kind === "PoolCreated") return state
  if (event.kind === "PoolParameterSet")
    return event.pool === state.fine.pool ? parameterSet(state, event) : state
  const fine = rangePoolModel.fold(state.fine, event)
  if (fine === state.fine) return state
  const next = { ...state, fine, coarse: rangePoolModel.fold(state.coarse, event) }
  if (event.kind === "PoolInitialized") return { ...next, pluginConfig: state.pluginConfig ?? 0 }
  return event.kind === "SwapExecuted" ? { ...next, longSwap: event.venueKind === "algebra" } : next
}

const unknown: Quote = refused("unknown-state")

const isSame = (a: Quote, b: Quote): boolean =>
  a.ok && b.ok
    ? a.amountIn === b.amountIn && a.amountOut === b.amountOut
    : !a.ok && !b.ok && a.reason === b.reason

interface Order {
  readonly exactIn: boolean
  readonly amount: bigint
}

/**
 * From Integral 1.2 on a plugin that is asked may set another fee for the swap it is asked about.
 */
const feeMayChange = ({ generation, pluginConfig, longSwap }: AlgebraPoolState): boolean =>
  generation === "integral" &&
  (pluginConfig === null || (pluginConfig & BEFORE_SWAP) !== 0) &&
  longSwap !== false

const orderQuote = (
  state: AlgebraPoolState,
  tokenIn: number,
  tokenOut: number,
  order: Order
): Quote => {
  const { fine, coarse, fees, generation } = state
  const fee = fees[tokenIn] ?? null
  const by = (range: RangePoolState, rules: SwapRules) =>
    quoteOrder(range, fee, tokenIn, tokenOut, order, rules)
  if (feeMayChange(state)) return unknown
  if (generation === "integral") return by(fine, integralRules)
  const inSingles = by(fine, uniswapV3Rules)
  if (generation === "v1.9" || coarse.ticks === null) return inSingles
  return isSame(inSingles, by(coarse, uniswapV3Rules)) ? inSingles : unknown
}

/**
 * The input that buys `amountOut`, exactly as the pool computes it. The answer's `amountOut` is
 * less than asked for where liquidity ends.
 */
export const quoteExactOutput = (
  state: AlgebraPoolState,
  tokenIn: number,
  tokenOut: number,
  amountOut: bigint
): Quote => orderQuote(state, tokenIn, tokenOut, { exactIn: false, amount: amountOut })

const spaced = (facts: PoolFacts, tickSpacing: number): RangePoolState =>
  rangePoolModel.initial({ ...facts, tickSpacing })

export const algebraPoolModel: PoolModel<AlgebraPoolState> = {
  initial: facts => ({
    fine: spaced(facts, 1),
    coarse: spaced(facts, V1_SPACING),
    fees: [null, null],
    generation: "v1",
    pluginConfig: null,
    longSwap: null
  }),
  fold,
  quote: (state, _facts, tokenIn, tokenOut, amountIn) =>
    orderQuote(state, tokenIn, tokenOut, { exactIn: true, amount: amountIn }),
  quoteOutput: (state, _facts, tokenIn, tokenOut, amountOut) =>
    quoteExactOutput(state, tokenIn, tokenOut, amountOut),
  crossed: ({ fine, fees, generation }, _facts, tokenIn, _tokenOut, amountIn) => {
    const rules = generation === "integral" ? integralRules : uniswapV3Rules
    return crossedBySale(fine, fees[tokenIn] ?? null, tokenIn, amountIn, rules)
  },
  curve: (state, _facts, tokenIn, tokenOut, most) =>
    feeMayChange(state)
      ? null
      : rangePoolCurve(state.fine, state.fees[tokenIn] ?? null, tokenIn, tokenOut, most),
  check: { lacks: ({ fine }) => rangeLacks(fine) }
}
