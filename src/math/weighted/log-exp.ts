/**
 * Natural logarithm and exponential of numbers with 18 decimals as Balancer computes them: parts
 * of powers of two are taken off by table, a Taylor series takes the rest (balancer-v2-monorepo,
 * `pkg/solidity-utils/contracts/math/LogExpMath.sol`, e251f6f5; version 3 computes the same).
 * Division truncates towards zero, as Solidity's does.
 */
import { ONE } from "./fixed18.ts"

const ONE_20 = 10n ** 20n
const ONE_36 = 10n ** 36n

const MAX_EXPONENT = 130n * ONE
const MIN_EXPONENT = -41n * ONE
/** exponents from here on might overflow the product with a logarithm */
const EXPONENT_BOUND = (1n << 254n) / ONE_20

/** Within these bounds, exclusive, the logarithm is taken with 36 decimals. */
const NEAR_ONE_LOW = 9n * 10n ** 17n
const NEAR_ONE_HIGH = 11n * 10n ** 17n

/** The exponents 2^7 and 2^6 in 18 decimals, with their powers of e as integers. */
const WHOLE = [
  [128n * ONE, 38877084059945950922200000000000000000000000000000000000n],
  [64n * ONE, 6235149080811616882910000000n]
] as const

/** The exponents 2^5 down to 2^-4 and their powers of e, all in 20 decimals. */
const FRACTIONS = [
  [3200000000000000000000n, 7896296018268069516100000000000000n],
  [1600000000000000000000n, 888611052050787263676000000n],
  [800000000000000000000n, 298095798704172827474000n],
  [400000000000000000000n, 5459815003314423907810n],
  [200000000000000000000n, 738905609893065022723n],
  [100000000000000000000n, 271828182845904523536n],
  [50000000000000000000n, 164872127070012814685n],
  [25000000000000000000n, 128402541668774148407n],
  [12500000000000000000n, 113314845306682631683n],
  [6250000000000000000n, 106449445891785942956n]
] as const

/** Of the fractions the exponential takes off the first eight. */
const EXP_FRACTIONS = FRACTIONS.slice(0, 8)
const EXP_TERMS = 12n

/** 2 artanh(z) by its series up to the power `last`, in the decimals of `one`. */
const logSeries = (z: bigint, one: bigint, last: bigint): bigint => {
  const square = (z * z) / one
  let power = z
  let sum = z
  for (let n = 3n; n <= last; n += 2n) {
    power = (power * square) / one
    sum += power / n
  }
  return sum * 2n
}

/** ln(x) in 36 decimals of an x of 18 decimals near one. */
export const lnNearOne = (x: bigint): bigint => {
  const wide = x * ONE
  return logSeries(((wide - ONE_36) * ONE_36) / (wide + ONE_36), ONE_36, 15n)
}

/** ln(x) of an x above zero, 18 decimals both. */
const lnAnywhere = (x: bigint): bigint => {
  if (x < ONE) return -lnAnywhere((ONE * ONE) / x)
  let rest = x
  let sum = 0n
  for (const [exponent, power] of WHOLE) {
    if (rest < power * ONE) continue
    rest /= power
    sum += exponent
  }
  rest *= 100n
  sum *= 100n
  for (const [exponent, power] of FRACTIONS) {
    if (rest < power) continue
    rest = (rest * ONE_20) / power
    sum += exponent
  }
  const z = ((rest - ONE_20) * ONE_20) / (rest + ONE_20)
  return (sum + logSeries(z, ONE_20, 11n)) / 100n
}

/** e^x in 18 decimals; x from -41 to 130 in 18 decimals. */
export const exp = (x: bigint): bigint => {
  if (x < 0n) return (ONE * ONE) / exp(-x)
  let rest = x
  let whole = 1n
  for (const [exponent, power] of WHOLE) {
    if (whole !== 1n || rest < exponent) continue
    rest -= exponent
    whole = power
  }
  rest *= 100n
  let product = ONE_20
  for (const [exponent, power] of EXP_FRACTIONS) {
    if (rest < exponent) continue
    rest -= exponent
    product = (product * power) / ONE_20
  }
  let term = rest
  let sum = ONE_20 + term
  for (let n = 2n; n <= EXP_TERMS; n++) {
    term = (term * rest) / ONE_20 / n
    sum += term
  }
  return (((product * sum) / ONE_20) * whole) / 100n
}

/** x^y of unsigned numbers of 18 decimals; null where the contract refuses. */
export const pow = (x: bigint, y: bigint): bigint | null => {
  if (y === 0n) return ONE
  if (x === 0n) return 0n
  if (x >> 255n !== 0n || y >= EXPONENT_BOUND) return null
  let exponent: bigint
  if (NEAR_ONE_LOW < x && x < NEAR_ONE_HIGH) {
    const ln = lnNearOne(x)
    exponent = (ln / ONE) * y + ((ln % ONE) * y) / ONE
  } else {
    exponent = lnAnywhere(x) * y
  }
  exponent /= ONE
  return exponent < MIN_EXPONENT || exponent > MAX_EXPONENT ? null : exp(exponent)
}
