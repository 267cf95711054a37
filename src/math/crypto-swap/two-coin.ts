/**
 * The invariant of Curve's crypto pools for two coins, in the contracts' integer arithmetic
 * (M. Egorov, "Automatic market-making with dynamic peg", 2021): CurveCryptoMathOptimized2.vy of
 * curvefi/twocrypto-ng, v2.0.0 and v2.1.0. Balances `x` are scaled to 18 decimals and to the price;
 * `ann` is A with four decimals times four, `gamma` has 18. Null where the contract reverts.
 */
import { sqrt } from "../fixed-point.ts"
import { cubeRoot } from "./cube-root.ts"

export interface CryptoCurve {
  readonly ann: bigint
  readonly gamma: bigint
}

type Pair = readonly [bigint, bigint]

const UNIT = 10n ** 18n
const A_MULTIPLIER = 10_000n
const ROUNDS = 255
/** Above it the balances may be less uneven. */
const GAMMA_SMALL = 2n * 10n ** 16n

const limits = ({ ann, gamma }: CryptoCurve): boolean =>
  ann >= 4_000n && ann <= 40_000_000_000n && gamma >= 10n ** 10n && gamma <= 199n * 10n ** 15n

/** How uneven balances may be, in 1e18; 100 for a small gamma. */
const unevenness = (gamma: bigint): bigint =>
  gamma > GAMMA_SMALL ? (100n * UNIT * GAMMA_SMALL) / gamma : 100n * UNIT

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const magnitude = (a: bigint): bigint => (a < 0n ? -a : a)

/** `gamma + 1 - K0`, or its negative, plus one. */
const distance = (gamma: bigint, k0: bigint): bigint => magnitude(gamma + UNIT - k0) + 1n

const newtonBalance = ({ ann, gamma }: CryptoCurve, other: bigint, d: bigint): bigint | null => {
  let y = d ** 2n / (other * 4n)
  const k0i = (2n * UNIT * other) / d
  const near = max(max(other / 10n ** 14n, d / 10n ** 14n), 100n)
  for (let round = 0; round < ROUNDS; round++) {
    const before = y
    if (y === 0n) return null
    const k0 = (k0i * y * 2n) / d
    const sum = other + y
    const g = distance(gamma, k0)
    const first = (((((UNIT * d) / gamma) * g) / gamma) * g * A_MULTIPLIER) / ann
    const second = UNIT + (2n * UNIT * k0) / g
    const rise = UNIT * y + sum * second + first
    if (rise < d * second) {
      y = before / 2n
      continue
    }
    const slopeY = rise - d * second
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
  [46n, 28n],
  [44n, 26n],
  [42n, 24n],
  [40n, 22n],
  [38n, 20n],
  [36n, 18n],
  [34n, 16n],
  [32n, 14n],
  [30n, 12n],
  [28n, 10n],
  [26n, 8n],
  [24n, 6n],
  [20n, 2n]
]

const dividerOf = (threshold: bigint): bigint => {
  const found = dividers.find(([power]) => threshold > 10n ** power)
  return found === undefined ? 1n : 10n ** found[1]
}

const signedCubeRoot = (value: bigint): bigint => (value > 0n ? cubeRoot(value) : -cubeRoot(-value))

interface Cubic {
  readonly a: bigint
  readonly b: bigint
  readonly c: bigint
  readonly d: bigint
}

const deltas = ({ a, b, c, d }: Cubic): Pair => {
  const delta0 = (3n * a * c) / b - b
  return [delta0, 3n * delta0 + b - (((27n * a ** 2n) / b) * d) / b]
}

/** The cubic's root, K0 in 18 decimals; zero where it has not just one, null where it reverts. */
const cubicRoot = (cubic: Cubic): bigint | null => {
  if (cubic.b === 0n) return null
  const [first0, first1] = deltas(cubic)
  const divider = dividerOf(min(min(magnitude(first0), magnitude(first1)), cubic.a))
  const cut = {
    a: cubic.a / divider,
    b: cubic.b / divider,
    c: cubic.c / divider,
    d: cubic.d / divider
  }
  if (cut.a === 0n || cut.b === 0n) return null
  const [delta0, delta1] = deltas(cut)
  const inner = delta1 ** 2n + ((4n * delta0 ** 2n) / cut.b) * delta0
  if (inner <= 0n) return 0n
  const root = sqrt(inner)
  const rootB = signedCubeRoot(cut.b)
  const rootSecond = delta1 > 0n ? cubeRoot((delta1 + root) / 2n) : -cubeRoot((root - delta1) / 2n)
  const c1 = ((rootB ** 2n / UNIT) * rootSecond) / UNIT
  if (c1 === 0n) return null
  return (UNIT * c1 - UNIT * cut.b - ((UNIT * cut.b) / c1) * delta0) / (3n * cut.a)
}

export interface CryptoBalance {
  readonly y: bigint
  /** K0 of the solution, the first guess for the next D; zero where there is none */
  readonly k0: bigint
}

/** The balance that gives `d` beside the `other` one: `get_y`. */
export const cryptoBalance = (
  curve: CryptoCurve,
  other: bigint,
  d: bigint
): CryptoBalance | null => {
  const { ann, gamma } = curve
  if (!limits(curve) || other <= 0n || d < 10n ** 17n || d > 10n ** 33n) return null
  const limit = unevenness(gamma)
  const k0i = (2n * UNIT * other) / d
  if (k0i < 10n ** 36n / limit || k0i > limit) return null
  const gamma2 = gamma * gamma
  const annGamma2 = ann * gamma2
  const part = (4n * annGamma2) / 400_000_000n
  const k0 = cubicRoot({
    a: 10n ** 32n,
    b: (d * annGamma2) / 400_000_000n / other - 3n * 10n ** 32n - 2n * gamma * 10n ** 14n,
    c: 3n * 10n ** 32n + 4n * gamma * 10n ** 14n + gamma2 / 10n ** 4n + (part * other) / d - part,
    d: -((UNIT + gamma) ** 2n / 10n ** 4n)
  })
  if (k0 === null || k0 < 0n) return null
  const y = k0 === 0n ? newtonBalance(curve, other, d) : ((d ** 2n / other) * k0) / 4n / UNIT
  if (y === null) return null
  const share = (y * UNIT) / d
  return share < 10n ** 36n / 2n / limit || share > limit / 2n ? null : { y, k0 }
}

/** One Newton step of `newton_D`; null where it divides by zero. */
const nextInvariant = (
  { ann, gamma }: CryptoCurve,
  [high, low]: Pair,
  d: bigint
): bigint | null => {
  const sum = high + low
  const k0 = (((4n * UNIT * high) / d) * low) / d
  if (k0 === 0n) return null
  const g = distance(gamma, k0)
  const first = (((((UNIT * d) / gamma) * g) / gamma) * g * A_MULTIPLIER) / ann
  const second = (4n * UNIT * k0) / g
  const slope = sum + (sum * second) / UNIT + (first * 2n) / k0 - (second * d) / UNIT
  if (slope <= 0n) return null
  const plus = (d * (slope + sum)) / slope
  const step = (d * (first / slope)) / UNIT
  const minus =
    UNIT > k0
      ? (d * d) / slope + (step * (UNIT - k0)) / k0
      : (d * d) / slope - (step * (k0 - UNIT)) / k0
  return plus > minus ? plus - minus : (minus - plus) / 2n
}

/** D of two balances, from a first guess by `k0` of an earlier solution, or zero: `newton_D`. */
export const cryptoInvariant = (curve: CryptoCurve, x: Pair, k0: bigint): bigint | null => {
  if (!limits(curve)) return null
  const sorted: Pair = x[0] < x[1] ? [x[1], x[0]] : x
  const [high, low] = sorted
  if (high < 10n ** 9n || high > 10n ** 33n || (low * UNIT) / high < 10n ** 14n) return null
  const sum = high + low
  const guess = k0 === 0n ? 2n * sqrt(high * low) : sqrt(((4n * high * low) / k0) * UNIT)
  let d = k0 !== 0n && sum < guess ? sum : guess
  for (let round = 0; round < ROUNDS; round++) {
    const before = d
    if (d <= 0n) return null
    const next = nextInvariant(curve, sorted, d)
    if (next === null) return null
    d = next
    if (magnitude(d - before) * 10n ** 14n < max(10n ** 16n, d)) return d > 0n ? d : null
  }
  return null
}
