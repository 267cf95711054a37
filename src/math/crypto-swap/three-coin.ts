/**
 * The invariant of Curve's crypto pools for three coins, in the contracts' integer arithmetic
 * (M. Egorov, "Automatic market-making with dynamic peg", 2021). Balances `x` are scaled to 18
 * decimals and to the prices; `ann` is A with four decimals times 27, `gamma` has 18. Null where
 * the contract reverts. Which maths a pool has is a `ThreeCoinRule`:
 * - `analytic`: CurveCryptoMathOptimized3.vy of curvefi/tricrypto-ng, v2.0.0;
 * - `newton`: the maths contract of the first pools (CurveCryptoMath3.vy, TricryptoLegacy.vy).
 */
import { sqrt } from "../fixed-point.ts"
import { cubeRoot } from "./cube-root.ts"
import type { CryptoBalance, CryptoCurve } from "./two-coin.ts"

export type ThreeCoinRule = "analytic" | "newton"
export type Triple = readonly [bigint, bigint, bigint]

const UNIT = 10n ** 18n
const A_MULTIPLIER = 10_000n
const ROUNDS = 255
const LEAST_SHARE = 10n ** 16n
const MOST_SHARE = 10n ** 20n

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const magnitude = (a: bigint): bigint => (a < 0n ? -a : a)

const limits = ({ ann, gamma }: CryptoCurve, rule: ThreeCoinRule): boolean =>
  ann >= 2_700n &&
  ann <= 270_000_000n &&
  gamma >= 10n ** 10n &&
  gamma <= (rule === "analytic" ? 5n : 1n) * 10n ** 16n

const isShare = (x: bigint, d: bigint): boolean => {
  const share = (x * UNIT) / d
  return share >= LEAST_SHARE && share <= MOST_SHARE
}

/** From high to low. */
const sorted = (x: Triple): Triple => {
  const [a, b, c] = [...x].sort((p, q) => (p < q ? 1 : p > q ? -1 : 0))
  return [a as bigint, b as bigint, c as bigint]
}

/** `gamma + 1 - K0`, or its negative, plus one. */
const distance = (gamma: bigint, k0: bigint): bigint => magnitude(gamma + UNIT - k0) + 1n

const firstTerm = ({ ann, gamma }: CryptoCurve, d: bigint, g: bigint): bigint =>
  (((((UNIT * d) / gamma) * g) / gamma) * g * A_MULTIPLIER) / ann

/** The balance beside `high` and `low`, by Newton's method: `_newton_y`. */
const newtonBalance = (curve: CryptoCurve, high: bigint, low: bigint, d: bigint): bigint | null => {
  const near = max(max(high / 10n ** 14n, d / 10n ** 14n), 100n)
  let y = ((((d / 3n) * d) / (low * 3n)) * d) / (high * 3n)
  const k0i = (((UNIT * high * 3n) / d) * low * 3n) / d
  for (let round = 0; round < ROUNDS; round++) {
    const before = y
    if (y === 0n) return null
    const k0 = (k0i * y * 3n) / d
    const sum = high + low + y
    const g = distance(curve.gamma, k0)
    const first = firstTerm(curve, d, g)
    const second = UNIT + (2n * UNIT * k0) / g
    const slopeY = UNIT * y + sum * second + first - d * second
    if (slopeY < 0n) {
      y = before / 2n
      continue
    }
    const slope = slopeY / y
    if (slope === 0n || k0 === 0n) return null
    const less = first / slope
    const plus = (slopeY + UNIT * d) / slope + (less * UNIT) / k0
    const minus = less + (UNIT * sum) / slope
    y = plus < minus ? before / 2n : plus - minus
    if (magnitude(y - before) < max(near, y / 10n ** 14n)) return y
  }
  return null
}

/** Powers of ten by which the cubic's terms are cut, by how large they are. */
const dividers: ReadonlyArray<readonly [bigint, bigint]> = [
  [48n, 30n],
  [44n, 26n],
  [40n, 22n],
  [36n, 18n],
  [32n, 14n],
  [28n, 10n],
  [24n, 6n],
  [20n, 2n]
]

interface Cubic {
  readonly a: bigint
  readonly b: bigint
  readonly c: bigint
  readonly d: bigint
}

/** The cubic that K0 solves, its terms brought to like sizes; null where one vanishes. */
const cutCubic = ({ a, b, c, d }: Cubic): Cubic | null => {
  if (b === 0n) return null
  const size = magnitude((3n * a * c) / b - b)
  const found = dividers.find(([power]) => size > 10n ** power)
  const divider = found === undefined ? 1n : 10n ** found[1]
  const isWide = magnitude(a) > magnitude(b)
  const factor = magnitude(isWide ? a / b : b / a)
  const cut = (term: bigint) => (isWide ? (term * factor) / divider : term / factor / divider)
  const next = { a: cut(a), b: cut(b), c: cut(c), d: cut(d) }
  return next.a === 0n || next.b === 0n ? null : next
}

const signedCubeRoot = (value: bigint): bigint =>
  value >= 0n ? cubeRoot(value) : -cubeRoot(-value)

/** K0's root times `a`; "many" where there is not just one, null where the contract reverts. */
const cubicRoot = ({ a, b, c, d }: Cubic): bigint | "many" | null => {
  const delta0 = (3n * a * c) / b - b
  const delta1 = (9n * a * c) / b - 2n * b - (((27n * a * a) / b) * d) / b
  const inner = delta1 * delta1 + ((4n * delta0 * delta0) / b) * delta0
  if (inner <= 0n) return "many"
  const root = sqrt(inner)
  const second = delta1 > 0n ? cubeRoot((delta1 + root) / 2n) : -cubeRoot((root - delta1) / 2n)
  const rootB = signedCubeRoot(b)
  const c1 = (((rootB * rootB) / UNIT) * second) / UNIT
  return c1 === 0n ? null : (b + (b * delta0) / c1 - c1) / 3n
}

/** The balance by the cubic's root: `get_y`. */
const analyticBalance = (
  curve: CryptoCurve,
  [xj, xk]: readonly [bigint, bigint],
  d: bigint
): CryptoBalance | null => {
  const { ann, gamma } = curve
  const gamma2 = gamma * gamma
  const cubic = cutCubic({
    a: 10n ** 36n / 27n,
    b:
      10n ** 36n / 9n +
      (2n * UNIT * gamma) / 27n -
      (((d * d) / xj) * gamma2 * ann) / 729n / A_MULTIPLIER / xk,
    c:
      10n ** 36n / 9n +
      (gamma * (gamma + 4n * UNIT)) / 27n +
      (((gamma2 * (xj + xk - d)) / d) * ann) / 27n / A_MULTIPLIER,
    d: (UNIT + gamma) ** 2n / 27n
  })
  if (cubic === null) return null
  const root = cubicRoot(cubic)
  if (root === null) return null
  if (root === "many") {
    const [high, low] = xj < xk ? [xk, xj] : [xj, xk]
    const y = newtonBalance(curve, high, low, d)
    return y === null ? null : { y, k0: 0n }
  }
  const y = (((((d * d) / 27n / xk) * d) / xj) * root) / cubic.a
  const k0 = (UNIT * root) / cubic.a
  return y < 0n || k0 < 0n ? null : { y, k0 }
}

/** The balance at `place` that gives `d` beside the two others. */
export const tripleBalance = (
  rule: ThreeCoinRule,
  curve: CryptoCurve,
  x: Triple,
  d: bigint,
  place: number
): CryptoBalance | null => {
  if (!limits(curve, rule) || d < 10n ** 17n || d > 10n ** 33n) return null
  const [xj, xk] = x.filter((_, i) => i !== place) as [bigint, bigint]
  if (!isShare(xj, d) || !isShare(xk, d)) return null
  const [high, low] = xj < xk ? [xk, xj] : [xj, xk]
  const newton = () => {
    const y = newtonBalance(curve, high, low, d)
    return y === null ? null : { y, k0: 0n }
  }
  const found = rule === "analytic" ? analyticBalance(curve, [xj, xk], d) : newton()
  return found === null || !isShare(found.y, d) ? null : found
}

/** The cube root of the product, as the newer maths take it. */
export const tripleMean = (x: Triple): bigint => {
  const product = (((x[0] * x[1]) / UNIT) * x[2]) / UNIT
  return product === 0n ? 0n : cubeRoot(product)
}

/** The cube root of the product of `x`, high to low, as the first pools' Newton takes it. */
const newtonMean = (x: Triple): bigint | null => {
  let d = x[0]
  for (let round = 0; round < ROUNDS; round++) {
    const before = d
    let part = UNIT
    for (const one of x) part = (part * one) / d
    d = (d * (2n * UNIT + part)) / (3n * UNIT)
    const change = magnitude(d - before)
    if (change <= 1n || change * UNIT < d) return d
  }
  return null
}

const firstGuess = (rule: ThreeCoinRule, x: Triple, k0: bigint): bigint | null => {
  if (rule === "newton") {
    const mean = newtonMean(x)
    return mean === null ? null : 3n * mean
  }
  if (k0 === 0n) return 3n * tripleMean(x)
  const sum = x[0] + x[1] + x[2]
  const [cut, back] =
    sum > 10n ** 36n
      ? [10n ** 36n, 10n ** 12n]
      : sum > 10n ** 24n
        ? [10n ** 24n, 10n ** 6n]
        : [UNIT, 1n]
  return cubeRoot(((((x[0] * x[1]) / cut) * x[2]) / k0) * 27n * back)
}

/** One Newton step of `newton_D`; null where it divides by zero. */
const nextInvariant = (curve: CryptoCurve, x: Triple, d: bigint): bigint | null => {
  const sum = x[0] + x[1] + x[2]
  let k0 = UNIT
  for (const one of x) k0 = (k0 * one * 3n) / d
  if (k0 === 0n) return null
  const g = distance(curve.gamma, k0)
  const first = firstTerm(curve, d, g)
  const second = (6n * UNIT * k0) / g
  const slope = sum + (sum * second) / UNIT + (first * 3n) / k0 - (second * d) / UNIT
  if (slope <= 0n) return null
  const plus = (d * (slope + sum)) / slope
  const step = (d * (first / slope)) / UNIT
  const square = (d * d) / slope
  const minus = UNIT > k0 ? square + (step * (UNIT - k0)) / k0 : square - (step * (k0 - UNIT)) / k0
  return plus > minus ? plus - minus : (minus - plus) / 2n
}

/** D of three balances, from a first guess by `k0` of an earlier solution, or zero: `newton_D`. */
export const tripleInvariant = (
  rule: ThreeCoinRule,
  curve: CryptoCurve,
  balances: Triple,
  k0: bigint
): bigint | null => {
  const x = sorted(balances)
  if (x[2] <= 0n || !limits(curve, rule)) return null
  let d = firstGuess(rule, x, k0)
  for (let round = 0; round < ROUNDS && d !== null && d > 0n; round++) {
    const before: bigint = d
    d = nextInvariant(curve, x, d)
    if (d === null || d <= 0n) return null
    if (magnitude(d - before) * 10n ** 14n < max(10n ** 16n, d)) {
      const whole = d
      return x.every(one => isShare(one, whole)) ? d : null
    }
  }
  return null
}
