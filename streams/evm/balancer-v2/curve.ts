/**
 * An exact-input swap of a Balancer V2 pool (balancer-v2-monorepo, `BasePool`: the fee, rounded up,
 * comes off the raw input; then amounts are scaled to 18 decimals; the output is scaled down,
 * rounded down).
 */
import { outGivenIn as stableOut } from "../../../src/math/balancer-stable/stable.ts"
import { MAX_UINT112 } from "../../../src/math/fixed-point.ts"
import { divDown, mulDown, mulUp } from "../../../src/math/weighted/fixed18.ts"
import { outGivenIn as weightedOut } from "../../../src/math/weighted/weighted.ts"
import type { Curve } from "./factories.ts"

export interface Reserve {
  /** place in the pool's list */
  readonly place: number
  /** raw units that a swap can pay */
  readonly cash: bigint
  /** raw units that count in prices */
  readonly total: bigint
  /** factor to 18 decimals, times the token's rate where it has one; itself of 18 decimals */
  readonly factor: bigint
}

export interface ScaledPool {
  readonly curve: Curve
  /** 18 decimals */
  readonly swapFee: bigint
  /** without the pool's own token */
  readonly reserves: ReadonlyArray<Reserve>
  /** times 1000; of stable pools */
  readonly amp: bigint
  /** 18 decimals, by place in `reserves`; of weighted pools */
  readonly weights: ReadonlyArray<bigint>
}

const curveOut = (
  { curve, reserves, amp, weights }: ScaledPool,
  from: number,
  to: number,
  amountIn: bigint
): bigint | "max-in" | null => {
  const balances = reserves.map(({ total, factor }) => mulDown(total, factor))
  if (curve.name === "stable") {
    return stableOut(amp, balances, from, to, amountIn, curve.invariant)
  }
  const side = (i: number) => ({ balance: balances[i] as bigint, weight: weights[i] as bigint })
  return weightedOut(side(from), side(to), amountIn, curve.power)
}

/** Raw output; `from` and `to` are places in `reserves`. */
export const amountOutOf = (
  pool: ScaledPool,
  from: number,
  to: number,
  amountIn: bigint
): bigint | "no-liquidity" | "too-large" => {
  const source = pool.reserves[from] as Reserve
  const target = pool.reserves[to] as Reserve
  if (pool.reserves.some(({ total }) => total === 0n)) return "no-liquidity"
  if (source.total + amountIn > MAX_UINT112) return "too-large"
  const afterFee = amountIn - mulUp(amountIn, pool.swapFee)
  const scaled = curveOut(pool, from, to, mulDown(afterFee, source.factor))
  if (scaled === "max-in") return "too-large"
  if (scaled === null) return "no-liquidity"
  const amountOut = divDown(scaled, target.factor)
  return amountOut > target.cash ? "no-liquidity" : amountOut
}
