/**
 * What a three-coin crypto pool of Curve does with its state: `_exchange` and `tweak_price` of
 * CurveTricryptoOptimizedWETH.vy (curvefi/tricrypto-ng), and `exchange` of the first pools
 * (TricryptoLegacy.vy), which differs in its maths alone.
 */
import type { CryptoFees } from "./exchange.ts"
import {
  type ThreeCoinRule,
  type Triple,
  tripleBalance,
  tripleInvariant,
  tripleMean
} from "./three-coin.ts"
import type { CryptoCurve } from "./two-coin.ts"

const UNIT = 10n ** 18n
const FEE_DENOMINATOR = 10n ** 10n

export interface TriplePool {
  readonly rule: ThreeCoinRule
  readonly curve: CryptoCurve
  readonly fees: CryptoFees
  /** raw units */
  readonly balances: Triple
  /** `10^(18 - decimals)` */
  readonly precisions: Triple
  /** of coins 1 and 2 in coin 0, 18 decimals */
  readonly priceScale: readonly [bigint, bigint]
  readonly d: bigint
}

export interface TripleOut {
  /** raw units */
  readonly amountOut: bigint
  /** scaled balances after the swap, and the first guess for their D */
  readonly xp: Triple
  readonly k0: bigint
}

/** Balances scaled to 18 decimals and to the prices. */
export const tripleBalances = ({
  balances,
  precisions,
  priceScale
}: Pick<TriplePool, "balances" | "precisions" | "priceScale">): Triple => [
  balances[0] * precisions[0],
  (balances[1] * priceScale[0] * precisions[1]) / UNIT,
  (balances[2] * priceScale[1] * precisions[2]) / UNIT
]

const withPlace = (x: Triple, place: number, value: bigint): Triple =>
  x.map((one, i) => (i === place ? value : one)) as unknown as Triple

/** The fee at these scaled balances in 1e-10; null for parameters that no pool has. */
const feeOf = ({ mid, out, gamma }: CryptoFees, x: Triple): bigint | null => {
  const sum = x[0] + x[1] + x[2]
  let k = UNIT
  for (const one of x) k = (k * 3n * one) / sum
  if (gamma > 0n) {
    const divisor = gamma + UNIT - k
    if (divisor <= 0n) return null
    k = (gamma * UNIT) / divisor
  }
  return (mid * k + out * (UNIT - k)) / UNIT
}

/** The value of a pool token at D, 18 decimals: no swap of the newer pools may lower it. */
export const tripleTokenValue = (
  d: bigint,
  [scale1, scale2]: readonly [bigint, bigint],
  supply: bigint
): bigint => {
  const mean = tripleMean([d / 3n, (d * UNIT) / (3n * scale1), (d * UNIT) / (3n * scale2)])
  return (UNIT * mean) / supply
}

/** The outcome of selling `amountIn` of coin `i` for coin `j`; null where the contract reverts. */
export const tripleExchange = (
  pool: TriplePool,
  i: number,
  j: number,
  amountIn: bigint
): TripleOut | null => {
  const { rule, curve, precisions, priceScale } = pool
  const paid = withPlace(pool.balances, i, (pool.balances[i] as bigint) + amountIn)
  const xp = tripleBalances({ balances: paid, precisions, priceScale })
  const solution = tripleBalance(rule, curve, xp, pool.d, j)
  const xj = xp[j] as bigint
  if (solution === null || xj < solution.y + 1n) return null
  const taken = xj - solution.y - 1n
  const scale = j === 0 ? UNIT : (priceScale[j - 1] as bigint)
  const whole = (j === 0 ? taken : (taken * UNIT) / scale) / (precisions[j] as bigint)
  const rate = feeOf(pool.fees, withPlace(xp, j, solution.y))
  if (rate === null) return null
  const amountOut = whole - (rate * whole) / FEE_DENOMINATOR
  const left = (paid[j] as bigint) - amountOut
  if (amountOut < 0n || left < 0n) return null
  const scaled = left * (precisions[j] as bigint)
  const after = withPlace(xp, j, j === 0 ? scaled : (scaled * scale) / UNIT)
  return { amountOut, xp: after, k0: solution.k0 }
}

/** D after a swap, before a change of the price scale. */
export const tripleAfter = ({ rule, curve }: TriplePool, { xp, k0 }: TripleOut): bigint | null =>
  tripleInvariant(rule, curve, xp, k0)
