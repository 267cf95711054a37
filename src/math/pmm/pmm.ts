/**
 * Swaps of DODO's proactive market maker (DODOEX/contractV2, `contracts/lib/PMMPricing.sol`): which
 * part of the curve a sale runs on depends on which token is below its target. Null where the
 * contract refuses.
 */
import { generalIntegrate, reciprocal, targetFor, tradeFor } from "./integral.ts"

/** As the contract numbers them: both at their target, base short of it, quote short of it. */
export type Regime = 0 | 1 | 2
const BALANCED = 0
const BASE_SHORT = 1
const QUOTE_SHORT = 2

/** Raw units; i (quote a base) and k in 18 decimals. */
export interface PmmState {
  readonly i: bigint
  readonly k: bigint
  readonly base: bigint
  readonly quote: bigint
  readonly baseTarget: bigint
  readonly quoteTarget: bigint
  readonly regime: Regime
}

export interface PmmSwap {
  /** what the curve pays, fees not yet taken off */
  readonly amountOut: bigint
  readonly regime: Regime
}

/** The state with the target that is out of reach brought in line with the balances. */
export const adjusted = (state: PmmState): PmmState | null => {
  const { i, k, base, quote, baseTarget, quoteTarget, regime } = state
  if (i <= 0n) return null
  if (regime === QUOTE_SHORT) {
    if (base < baseTarget) return null
    const target = targetFor(quote, base - baseTarget, i, k)
    return target === null ? null : { ...state, quoteTarget: target }
  }
  if (regime === BASE_SHORT) {
    if (quote < quoteTarget) return null
    const target = targetFor(base, quote - quoteTarget, reciprocal(i), k)
    return target === null ? null : { ...state, baseTarget: target }
  }
  return state
}

/** One side of the market, seen from the token that is sold. */
interface Side {
  /** balances and targets of the token sold and the one bought */
  readonly sold: bigint
  readonly soldTarget: bigint
  readonly bought: bigint
  readonly boughtTarget: bigint
  /** bought a sold */
  readonly price: bigint
  readonly k: bigint
  /** the regime in which the token sold, or the one bought, is short */
  readonly soldShort: Regime
  readonly boughtShort: Regime
}

const sale = (side: Side, regime: Regime, amount: bigint): PmmSwap | null => {
  const { sold, soldTarget, bought, boughtTarget, price, k, soldShort, boughtShort } = side
  const swap = (amountOut: bigint | null, next: Regime): PmmSwap | null =>
    amountOut === null ? null : { amountOut, regime: next }
  if (regime === BALANCED) {
    return swap(tradeFor(boughtTarget, boughtTarget, amount, price, k), boughtShort)
  }
  if (regime === boughtShort) {
    return swap(tradeFor(boughtTarget, bought, amount, price, k), boughtShort)
  }
  const missing = soldTarget - sold
  const spare = bought - boughtTarget
  if (missing < 0n || spare < 0n) return null
  if (amount === missing) return swap(spare, BALANCED)
  if (amount < missing) {
    const out = generalIntegrate(soldTarget, sold + amount, sold, price, k)
    return swap(out !== null && out > spare ? spare : out, soldShort)
  }
  const beyond = tradeFor(boughtTarget, boughtTarget, amount - missing, price, k)
  return swap(beyond === null ? null : spare + beyond, boughtShort)
}

/** Sells base for quote. The state is adjusted. */
export const sellBase = (state: PmmState, amount: bigint): PmmSwap | null =>
  sale(
    {
      sold: state.base,
      soldTarget: state.baseTarget,
      bought: state.quote,
      boughtTarget: state.quoteTarget,
      price: state.i,
      k: state.k,
      soldShort: BASE_SHORT,
      boughtShort: QUOTE_SHORT
    },
    state.regime,
    amount
  )

/** Sells quote for base. The state is adjusted. */
export const sellQuote = (state: PmmState, amount: bigint): PmmSwap | null =>
  sale(
    {
      sold: state.quote,
      soldTarget: state.quoteTarget,
      bought: state.base,
      boughtTarget: state.baseTarget,
      price: reciprocal(state.i),
      k: state.k,
      soldShort: QUOTE_SHORT,
      boughtShort: BASE_SHORT
    },
    state.regime,
    amount
  )
