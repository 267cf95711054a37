/**
 * An exact-input swap of the Balancer V3 Vault (`Vault.sol` as deployed in December 2024, in the
 * steps of the published swaps): the amount is scaled to 18 decimals, the fee, rounded up, comes
 * off it, and the output is scaled down, rounded down. Tokens have no rate here.
 */
import { outGivenIn as stableOut } from "../../../src/math/balancer-stable/stable.ts"
import { MAX_UINT128 } from "../../../src/math/fixed-point.ts"
import { mulUp } from "../../../src/math/weighted/fixed18.ts"
import { outGivenIn as weightedOut } from "../../../src/math/weighted/weighted.ts"
import type { Curve } from "./factories.ts"

/** The Vault refuses to trade less, scaled to 18 decimals, on either side. */
const MIN_TRADE = 1_000_000n

export interface ScaledPool {
  readonly curve: Curve
  /** 18 decimals */
  readonly swapFee: bigint
  /** raw units */
  readonly balances: ReadonlyArray<bigint>
  /** factors to 18 decimals */
  readonly scales: ReadonlyArray<bigint>
  /** times 1000; of stable pools */
  readonly amp: bigint
  /** 18 decimals; of weighted pools */
  readonly weights: ReadonlyArray<bigint>
}

const curveOut = (
  { curve, amp, weights }: ScaledPool,
  live: ReadonlyArray<bigint>,
  from: number,
  to: number,
  given: bigint
): bigint | "max-in" | null => {
  if (curve === "stable") return stableOut(amp, live, from, to, given, "v3")
  const side = (i: number) => ({ balance: live[i] as bigint, weight: weights[i] as bigint })
  return weightedOut(side(from), side(to), given, "multiply")
}

/** Raw output; `from` and `to` are places in the pool's list. */
export const amountOutOf = (
  pool: ScaledPool,
  from: number,
  to: number,
  amountIn: bigint
): bigint | "no-liquidity" | "too-large" => {
  const live = pool.balances.map((balance, i) => balance * (pool.scales[i] as bigint))
  if (live.some(balance => balance === 0n)) return "no-liquidity"
  const scaled = amountIn * (pool.scales[from] as bigint)
  if ((live[from] as bigint) + scaled > MAX_UINT128) return "too-large"
  if (scaled < MIN_TRADE) return "no-liquidity"
  const given = scaled - mulUp(scaled, pool.swapFee)
  const out = curveOut(pool, live, from, to, given)
  if (out === "max-in") return "too-large"
  if (out === null || out < MIN_TRADE) return "no-liquidity"
  const amountOut = out / (pool.scales[to] as bigint)
  return amountOut > (pool.balances[to] as bigint) ? "no-liquidity" : amountOut
}
