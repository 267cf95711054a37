/**
 * What StableSwap pools do with their balances: a swap and a withdrawal in one coin, with the fee
 * and the part of it that is set aside for the DAO. `exchange` and `_calc_withdraw_one_coin` of
 * curvefi/curve-contract (SwapTemplateBase.vy) and curvefi/stableswap-ng (CurveStableSwapNG.vy);
 * with an off-peg multiplier of at most one the second's arithmetic is the first's.
 */
import { type Amplification, type StableRule, stableBalance, stableInvariant } from "./invariant.ts"

/** Fees are parts of it. */
export const FEE_DENOMINATOR = 10n ** 10n
const PRECISION = 10n ** 18n

export interface StablePool {
  readonly rule: StableRule
  /** raw units, without what is set aside */
  readonly balances: ReadonlyArray<bigint>
  /** `10^(36 - decimals)`: a raw unit in 1e18ths of a whole, times 1e18 */
  readonly rates: ReadonlyArray<bigint>
  readonly amplification: Amplification
  /** in 1e-10 */
  readonly fee: bigint
  /** part of the fee that is set aside, in 1e-10 */
  readonly adminFee: bigint
  /** by how much the fee may grow off the peg, in 1e-10; at most one (1e10) where it does not */
  readonly offpegMultiplier: bigint
}

/** An amount of one coin that leaves the pool, and what is set aside of its fee. */
export interface StableOut {
  readonly amountOut: bigint
  readonly setAside: bigint
}

const scaledBalances = ({ balances, rates }: StablePool): ReadonlyArray<bigint> =>
  balances.map((balance, i) => (balance * (rates[i] as bigint)) / PRECISION)

/** D of the pool's balances; null where the contract reverts. */
export const poolInvariant = (pool: StablePool): bigint | null =>
  stableInvariant(pool.rule, scaledBalances(pool), pool.amplification)

/** The fee between two scaled balances; null where both are zero. */
const dynamicFee = (a: bigint, b: bigint, fee: bigint, multiplier: bigint): bigint | null => {
  if (multiplier <= FEE_DENOMINATOR) return fee
  const sum = a + b
  if (sum === 0n) return null
  const peg = ((multiplier - FEE_DENOMINATOR) * 4n * a * b) / (sum * sum)
  return (multiplier * fee) / (peg + FEE_DENOMINATOR)
}

/**
 * The outcome of selling `amountIn` raw units of coin `i` for coin `j`; null where the contract
 * reverts.
 */
export const stableExchange = (
  pool: StablePool,
  i: number,
  j: number,
  amountIn: bigint
): StableOut | null => {
  const { rates, amplification, fee, adminFee, offpegMultiplier } = pool
  const xp = scaledBalances(pool)
  const d = stableInvariant(pool.rule, xp, amplification)
  if (d === null) return null
  const [xi, xj] = [xp[i] as bigint, xp[j] as bigint]
  const x = xi + (amountIn * (rates[i] as bigint)) / PRECISION
  const y = stableBalance(
    xp.map((one, place) => (place === i ? x : one)),
    j,
    d,
    amplification
  )
  if (y === null || xj < y + 1n) return null
  const bought = xj - y - 1n
  const rate = dynamicFee((xi + x) / 2n, (xj + y) / 2n, fee, offpegMultiplier)
  if (rate === null) return null
  const paid = (bought * rate) / FEE_DENOMINATOR
  const rateOut = rates[j] as bigint
  return {
    amountOut: ((bought - paid) * PRECISION) / rateOut,
    setAside: (((paid * adminFee) / FEE_DENOMINATOR) * PRECISION) / rateOut
  }
}

/**
 * The outcome of burning `burned` of `supply` pool tokens for coin `i`; null where the contract
 * reverts.
 */
export const stableWithdrawOne = (
  pool: StablePool,
  i: number,
  burned: bigint,
  supply: bigint
): StableOut | null => {
  const { rates, amplification, adminFee, offpegMultiplier } = pool
  const xp = scaledBalances(pool)
  const n = BigInt(xp.length)
  const d0 = stableInvariant(pool.rule, xp, amplification)
  if (d0 === null || d0 === 0n || supply === 0n || burned > supply) return null
  const d1 = d0 - (burned * d0) / supply
  const y = stableBalance(xp, i, d1, amplification)
  if (y === null) return null
  const baseFee = (pool.fee * n) / (4n * (n - 1n))
  const middle = (d0 + d1) / (2n * n)
  const reduced = xp.map((x, j) => {
    const expected = j === i ? (x * d1) / d0 - y : x - (x * d1) / d0
    const average = j === i ? (x + y) / 2n : x
    const fee = dynamicFee(average, middle, baseFee, offpegMultiplier) ?? baseFee
    return x - (fee * expected) / FEE_DENOMINATOR
  })
  const rest = stableBalance(reduced, i, d1, amplification)
  if (rest === null) return null
  const rate = rates[i] as bigint
  const scaledOut = (reduced[i] as bigint) - rest - 1n
  if (scaledOut < 0n) return null
  const amountOut = (scaledOut * PRECISION) / rate
  const withoutFee = (((xp[i] as bigint) - y) * PRECISION) / rate
  return { amountOut, setAside: ((withoutFee - amountOut) * adminFee) / FEE_DENOMINATOR }
}
