/**
 * The curve of Balancer's stable pools: the StableSwap invariant of Curve in integer arithmetic of
 * their own, which changed in rounding. Balances are scaled to 18 decimals, amplification carries
 * three decimals (`AMP_PRECISION`). Null where the contract refuses: it does not converge, or a
 * product leaves 256 bits.
 */
import { divRoundingUp, MAX_UINT256 } from "../fixed-point.ts"

const AMP_PRECISION = 1000n
const MAX_ROUNDS = 255

/**
 * `up`: the invariant of the first pools, every step rounded up (balancer-v2-monorepo,
 * `StableMath.sol` of 2021-06 to 2022-04). `truncated`: later ones, in Curve's order of steps.
 * `v3`: the same of version 3, which also multiplies by the precision before it divides (the
 * Balancer maths library and its published swaps).
 */
export type StableRule = "up" | "truncated" | "v3"

const sumOf = (balances: ReadonlyArray<bigint>): bigint =>
  balances.reduce((sum, balance) => sum + balance, 0n)

const isNear = (a: bigint, b: bigint): boolean => (a > b ? a - b : b - a) <= 1n

/** One Newton step of the rounded-up form: the next invariant and the largest product. */
const stepUp = (
  ampTimesTotal: bigint,
  balances: ReadonlyArray<bigint>,
  sum: bigint,
  invariant: bigint
): readonly [bigint, bigint] => {
  const n = BigInt(balances.length)
  let product = (balances[0] as bigint) * n
  let most = product
  for (const balance of balances.slice(1)) {
    const wide = product * balance * n
    if (wide > most) most = wide
    product = divRoundingUp(wide, invariant)
  }
  const upper = ampTimesTotal * sum * product
  const numerator = n * invariant * invariant + divRoundingUp(upper, AMP_PRECISION)
  const lower = ((ampTimesTotal - AMP_PRECISION) * product) / AMP_PRECISION
  if (upper > most) most = upper
  if (numerator > most) most = numerator
  return [divRoundingUp(numerator, (n + 1n) * invariant + lower), most]
}

/** One step of the invariant in the truncated form. */
const stepTruncated = (
  ampTimesTotal: bigint,
  balances: ReadonlyArray<bigint>,
  sum: bigint,
  invariant: bigint
): readonly [bigint, bigint] => {
  const n = BigInt(balances.length)
  let product = invariant
  let most = 0n
  for (const balance of balances) {
    const wide = product * invariant
    if (wide > most) most = wide
    product = wide / (balance * n)
  }
  const numerator = ((ampTimesTotal * sum) / AMP_PRECISION + product * n) * invariant
  const denominator =
    ((ampTimesTotal - AMP_PRECISION) * invariant) / AMP_PRECISION + (n + 1n) * product
  if (numerator > most) most = numerator
  return [numerator / denominator, most]
}

/** The invariant D; zero of an empty pool. Every balance above zero else. */
export const invariantOf = (
  amp: bigint,
  balances: ReadonlyArray<bigint>,
  rule: StableRule
): bigint | null => {
  const sum = sumOf(balances)
  if (sum === 0n) return 0n
  if (amp < AMP_PRECISION || balances.some(balance => balance <= 0n)) return null
  const step = rule === "up" ? stepUp : stepTruncated
  const ampTimesTotal = amp * BigInt(balances.length)
  let invariant = sum
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [next, most] = step(ampTimesTotal, balances, sum, invariant)
    if (most > MAX_UINT256) return null
    if (isNear(next, invariant)) return next
    invariant = next
  }
  return null
}

/** The balance at `index` that fits the others and the invariant, rounded up. */
export const balanceGivenInvariant = (
  amp: bigint,
  balances: ReadonlyArray<bigint>,
  invariant: bigint,
  index: number,
  rule: StableRule
): bigint | null => {
  const n = BigInt(balances.length)
  const ampTimesTotal = amp * n
  const own = balances[index]
  if (own === undefined || invariant <= 0n || ampTimesTotal <= 0n) return null
  let product = (balances[0] as bigint) * n
  for (const balance of balances.slice(1)) {
    const wide = product * balance * n
    if (wide > MAX_UINT256) return null
    product = wide / invariant
  }
  const square = invariant * invariant
  const below = ampTimesTotal * product
  if (below === 0n) return null
  const isFine = rule === "v3"
  const c =
    (isFine
      ? divRoundingUp(square * AMP_PRECISION, below)
      : divRoundingUp(square, below) * AMP_PRECISION) * own
  const part = isFine
    ? (invariant * AMP_PRECISION) / ampTimesTotal
    : (invariant / ampTimesTotal) * AMP_PRECISION
  const b = sumOf(balances) - own + part
  if (square + c > MAX_UINT256 || square * AMP_PRECISION > MAX_UINT256) return null
  let balance = divRoundingUp(square + c, invariant + b)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const denominator = balance * 2n + b - invariant
    const numerator = balance * balance + c
    if (denominator <= 0n || numerator > MAX_UINT256) return null
    const next = divRoundingUp(numerator, denominator)
    if (isNear(next, balance)) return next
    balance = next
  }
  return null
}

/**
 * What `amountIn`, its fee already taken off, buys; all scaled to 18 decimals. Null also where
 * nothing is left to pay.
 */
export const outGivenIn = (
  amp: bigint,
  balances: ReadonlyArray<bigint>,
  indexIn: number,
  indexOut: number,
  amountIn: bigint,
  rule: StableRule
): bigint | null => {
  const invariant = invariantOf(amp, balances, rule)
  if (invariant === null) return null
  const after = balances.map((balance, i) => (i === indexIn ? balance + amountIn : balance))
  const left = balanceGivenInvariant(amp, after, invariant, indexOut, rule)
  if (left === null) return null
  const amountOut = (balances[indexOut] as bigint) - left - 1n
  return amountOut < 0n ? null : amountOut
}
