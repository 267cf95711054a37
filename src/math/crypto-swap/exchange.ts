/**
 * What a two-coin crypto pool of Curve does with its state: CurveTwocryptoOptimized.vy of
 * curvefi/twocrypto-ng, `_exchange`, `tweak_price` and `get_xcp`.
 */
import { sqrt } from "../fixed-point.ts"
import { type CryptoCurve, cryptoBalance, cryptoInvariant } from "./two-coin.ts"

type Pair = readonly [bigint, bigint]

const UNIT = 10n ** 18n
/** Fees are parts of it. */
const FEE_DENOMINATOR = 10n ** 10n

export interface CryptoFees {
  /** in 1e-10: in balance, and far from it */
  readonly mid: bigint
  readonly out: bigint
  /** how soon it goes from one to the other, 18 decimals */
  readonly gamma: bigint
}

export interface CryptoPool {
  readonly curve: CryptoCurve
  readonly fees: CryptoFees
  /** raw units */
  readonly balances: Pair
  /** `10^(18 - decimals)` */
  readonly precisions: Pair
  /** of coin 1 in coin 0, 18 decimals */
  readonly priceScale: bigint
  readonly d: bigint
}

export interface CryptoOut {
  /** raw units */
  readonly amountOut: bigint
  readonly balances: Pair
  /** D after the swap, before a change of the price scale */
  readonly d: bigint
}

/** Balances scaled to 18 decimals and to the price. */
export const cryptoBalances = (balances: Pair, precisions: Pair, priceScale: bigint): Pair => [
  balances[0] * precisions[0],
  (balances[1] * priceScale * precisions[1]) / UNIT
]

/** The constant-product value of a pool in balance, of which the pool tokens are shares. */
export const productValue = (d: bigint, priceScale: bigint): bigint =>
  sqrt((d / 2n) * ((d * UNIT) / (2n * priceScale)))

/** The fee at these scaled balances; null for parameters that no pool has. */
const feeOf = ({ mid, out, gamma }: CryptoFees, [x, y]: Pair): bigint | null => {
  const sum = x + y
  const k = (((4n * UNIT * x) / sum) * y) / sum
  const divisor = gamma + UNIT - k
  if (divisor <= 0n) return null
  const near = (gamma * UNIT) / divisor
  return (mid * near + out * (UNIT - near)) / UNIT
}

const withPlace = (pair: Pair, place: 0 | 1, value: bigint): Pair =>
  place === 0 ? [value, pair[1]] : [pair[0], value]

/** The outcome of selling `amountIn` of coin `i`; null where the contract reverts. */
export const cryptoExchange = (pool: CryptoPool, i: 0 | 1, amountIn: bigint): CryptoOut | null => {
  const { curve, precisions, priceScale } = pool
  const j = i === 0 ? 1 : 0
  const paid = withPlace(pool.balances, i, pool.balances[i] + amountIn)
  const xp = cryptoBalances(paid, precisions, priceScale)
  const solution = cryptoBalance(curve, xp[i], pool.d)
  if (solution === null || xp[j] < solution.y + 1n) return null
  const taken = xp[j] - solution.y - 1n
  const whole = (j === 1 ? (taken * UNIT) / priceScale : taken) / precisions[j]
  const rate = feeOf(pool.fees, withPlace(xp, j, solution.y))
  if (rate === null) return null
  const amountOut = whole - (rate * whole) / FEE_DENOMINATOR
  if (amountOut < 0n || amountOut > paid[j]) return null
  const balances = withPlace(paid, j, paid[j] - amountOut)
  const after = cryptoBalances(balances, precisions, priceScale)
  const d = cryptoInvariant(curve, after, solution.k0)
  return d === null ? null : { amountOut, balances, d }
}
