/**
 * The StableSwap invariant of Curve in the contracts' integer arithmetic (M. Egorov, "StableSwap -
 * efficient mechanism for Stablecoin liquidity", 2019). Balances `xp` are scaled to 18 decimals;
 * `amp` is the amplification times `precision` (100, or 1 in the first pools). Null where the
 * contract reverts: it does not converge, divides by zero, or a product leaves 256 bits.
 *
 * Contracts divide in different orders; which one a pool does is a `StableRule`:
 * - `plain`: curvefi/curve-contract, pool-templates/base/SwapTemplateBase.vy;
 * - `plus-one`: the factory's first pools, which add one to each divisor of D_P;
 * - `late`: curvefi/stableswap-ng, CurveStableSwapNG.vy, which divides by n^n at the end.
 */
import { MAX_UINT256 } from "../fixed-point.ts"

export type StableRule = "plain" | "plus-one" | "late"

export const stableRules: ReadonlyArray<StableRule> = ["plain", "plus-one", "late"]

/** Amplification times its precision. */
export interface Amplification {
  readonly amp: bigint
  readonly precision: bigint
}

const ROUNDS = 255

const isNear = (a: bigint, b: bigint): boolean => (a > b ? a - b : b - a) <= 1n

/** D^(n+1) / (n^n prod x) as the rule divides; null where a divisor is zero or it overflows. */
const productTerm = (rule: StableRule, xp: ReadonlyArray<bigint>, d: bigint): bigint | null => {
  const n = BigInt(xp.length)
  let term = d
  for (const x of xp) {
    const divisor = rule === "late" ? x : x * n + (rule === "plus-one" ? 1n : 0n)
    const product = term * d
    if (divisor === 0n || product > MAX_UINT256) return null
    term = product / divisor
  }
  return rule === "late" ? term / n ** n : term
}

/** D of these balances, `get_D`; zero for an empty pool. */
export const stableInvariant = (
  rule: StableRule,
  xp: ReadonlyArray<bigint>,
  { amp, precision }: Amplification
): bigint | null => {
  const n = BigInt(xp.length)
  const sum = xp.reduce((total, x) => total + x, 0n)
  if (sum === 0n) return 0n
  const ann = amp * n
  if (ann <= precision) return null
  let d = sum
  for (let round = 0; round < ROUNDS; round++) {
    const term = productTerm(rule, xp, d)
    if (term === null) return null
    const before = d
    const scaled = ((ann * sum) / precision + term * n) * d
    const divisor = ((ann - precision) * d) / precision + (n + 1n) * term
    if (scaled > MAX_UINT256 || divisor === 0n) return null
    d = scaled / divisor
    if (isNear(d, before)) return d
  }
  return null
}

/** The balance that solves the invariant beside the others, whose product is in `c`. */
const solve = (d: bigint, b: bigint, c: bigint): bigint | null => {
  let y = d
  for (let round = 0; round < ROUNDS; round++) {
    const before = y
    const divisor = 2n * y + b - d
    if (divisor <= 0n || y * y + c > MAX_UINT256) return null
    y = (y * y + c) / divisor
    if (isNear(y, before)) return y
  }
  return null
}

/** Balance of coin `place` that gives D beside the other balances: `get_y` and `get_y_D`. */
export const stableBalance = (
  xp: ReadonlyArray<bigint>,
  place: number,
  d: bigint,
  { amp, precision }: Amplification
): bigint | null => {
  const n = BigInt(xp.length)
  const ann = amp * n
  if (ann === 0n) return null
  let [sum, c] = [0n, d]
  for (const [i, x] of xp.entries()) {
    if (i === place) continue
    if (x === 0n || c * d > MAX_UINT256) return null
    sum += x
    c = (c * d) / (x * n)
  }
  if (c * d * precision > MAX_UINT256) return null
  return solve(d, sum + (d * precision) / ann, (c * d * precision) / (ann * n))
}
