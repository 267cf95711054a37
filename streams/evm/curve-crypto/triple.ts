/**
 * What is known of a three-coin pool, and its quotes. No event tells D, and of the first pools none
 * the price scale: a state that was read counts until the pool's next event that moves anything.
 */

import type { CryptoFees } from "../../../src/math/crypto-swap/exchange.ts"
import {
  type ThreeCoinRule,
  type Triple,
  tripleInvariant
} from "../../../src/math/crypto-swap/three-coin.ts"
import {
  type TriplePool,
  tripleAfter,
  tripleBalances,
  tripleExchange,
  tripleTokenValue
} from "../../../src/math/crypto-swap/three-coin-exchange.ts"
import { type Quote, refused } from "../../venue.ts"
import { type Ramp, rampedAt } from "./state.ts"

export interface TripleState {
  readonly rule: ThreeCoinRule
  readonly balances: Triple
  readonly precisions: Triple
  readonly priceScale: readonly [bigint, bigint]
  readonly d: bigint
  /** value of a pool token, 18 decimals: no swap of the newer pools may lower it */
  readonly virtualPrice: bigint
  /** of the pool token; null of the first pools, whose token is another contract */
  readonly supply: bigint | null
  readonly a: Ramp
  readonly gamma: Ramp
  /** Unix seconds of the ramp; the first pools keep the end at one after a ramp is over */
  readonly from: bigint
  readonly to: bigint
  readonly fees: CryptoFees
}

/** The pool of the maths at a time; null where its D has no solution. */
const poolAt = (state: TripleState, time: bigint): TriplePool | null => {
  const { rule, balances, precisions, priceScale, a, gamma, from, to, fees } = state
  const curve = { ann: rampedAt(a, from, to, time), gamma: rampedAt(gamma, from, to, time) }
  const isAnew = rule === "newton" ? to > 0n : to > time
  const d = isAnew ? tripleInvariant(rule, curve, tripleBalances(state), 0n) : state.d
  return d === null ? null : { rule, curve, fees, balances, precisions, priceScale, d }
}

const isPlace = (place: number): boolean => place === 0 || place === 1 || place === 2

/** The quote at a time, Unix seconds. */
export const tripleQuote = (
  state: TripleState,
  time: number,
  tokenIn: number,
  tokenOut: number,
  amountIn: bigint
): Quote => {
  if (!isPlace(tokenIn) || !isPlace(tokenOut) || tokenIn === tokenOut) {
    return refused("unknown-state")
  }
  if (state.balances.some(balance => balance === 0n)) return refused("no-liquidity")
  if (amountIn >= 2n ** 112n) return refused("too-large")
  if (amountIn === 0n) return { ok: true, amountIn, amountOut: 0n }
  const now = BigInt(time)
  const pool = poolAt(state, now)
  const outcome = pool && tripleExchange(pool, tokenIn, tokenOut, amountIn)
  if (pool === null || outcome === null) return refused("no-liquidity")
  if (state.supply !== null) {
    const d = tripleAfter(pool, outcome)
    if (d === null) return refused("no-liquidity")
    const value = tripleTokenValue(d, state.priceScale, state.supply)
    if (value <= state.virtualPrice && state.to < now) return refused("no-liquidity")
  }
  return { ok: true, amountIn, amountOut: outcome.amountOut }
}
