/**
 * The price curve of DODO's proactive market maker, its integral and the two quadratic equations
 * that follow from it (DODOEX/contractV2, `contracts/lib/DODOMath.sol`; 18 decimals, rounded down).
 * The price at a balance V below its target V0 is i * (1 - k + k (V0/V)^2). Null where the contract
 * refuses.
 */
import { divRoundingUp, MAX_UINT256, sqrt } from "../fixed-point.ts"

export const ONE = 10n ** 18n
const ONE2 = ONE * ONE

const mulFloor = (a: bigint, b: bigint): bigint => (a * b) / ONE

const fits = (...values: ReadonlyArray<bigint>): boolean =>
  values.every(value => value <= MAX_UINT256)

/** 1 / x in 18 decimals, x above zero. */
export const reciprocal = (x: bigint): bigint => ONE2 / x

/** What moving the balance from V2 up to V1 pays in the other token; V0 >= V1 >= V2 > 0. */
export const generalIntegrate = (
  v0: bigint,
  v1: bigint,
  v2: bigint,
  i: bigint,
  k: bigint
): bigint | null => {
  if (v0 <= 0n || v2 <= 0n || v1 < v2 || k > ONE) return null
  const fair = i * (v1 - v2)
  if (!fits(fair)) return null
  if (k === 0n) return fair / ONE
  const share = (v0 * v0) / v1
  const ratio = (share * ONE) / v2
  const slope = ONE - k + mulFloor(k, ratio)
  return fits(v0 * v0, share * ONE, k * ratio, fair * slope) ? (fair * slope) / ONE2 : null
}

/** The target V0 to which the balance V1 returns when `delta` of the other token is sold back. */
export const targetFor = (v1: bigint, delta: bigint, i: bigint, k: bigint): bigint | null => {
  if (k > ONE) return null
  if (k === 0n) return v1 + mulFloor(i, delta)
  if (v1 === 0n) return 0n
  const ki = 4n * k * i
  if (!fits(ki)) return null
  let root = ONE
  if (ki !== 0n) {
    // The contract divides first where the product would leave 256 bits.
    const part = fits(ki * delta) ? (ki * delta) / v1 : (ki / v1) * delta
    if (!fits(part + ONE2)) return null
    root = sqrt(part + ONE2)
  }
  const premium = ((root - ONE) * ONE) / (k * 2n) + ONE
  return fits(v1 * premium) ? mulFloor(v1, premium) : null
}

/** The trade where the curve is a constant product: k is 1. */
const tradeOfProduct = (v0: bigint, v1: bigint, delta: bigint, i: bigint): bigint | null => {
  const idelta = i * delta
  if (!fits(idelta, v0 * v0)) return null
  const temp = fits(idelta * v1) ? (idelta * v1) / (v0 * v0) : (((delta * v1) / v0) * i) / v0
  return fits(v1 * temp) ? (v1 * temp) / (temp + ONE) : null
}

/** What is paid out of the balance V1, with target V0, for `delta` of the other token. */
export const tradeFor = (
  v0: bigint,
  v1: bigint,
  delta: bigint,
  i: bigint,
  k: bigint
): bigint | null => {
  if (v0 <= 0n || v1 <= 0n || k > ONE) return null
  if (delta === 0n) return 0n
  if (k === 0n) {
    const fair = mulFloor(i, delta)
    return fair > v1 ? v1 : fair
  }
  if (k === ONE) return tradeOfProduct(v0, v1, delta, i)
  const part2 = ((k * v0) / v1) * v0 + i * delta
  const part1 = (ONE - k) * v1
  const isNegative = part1 >= part2
  const b = (isNegative ? part1 - part2 : part2 - part1) / ONE
  const inner = mulFloor((ONE - k) * 4n, mulFloor(k, v0) * v0)
  if (!fits(part2, b * b + inner, (ONE - k) * 4n * mulFloor(k, v0) * v0)) return null
  const root = sqrt(b * b + inner)
  const numerator = isNegative ? b + root : root - b
  if (numerator === 0n) return null
  const v2 = divRoundingUp(numerator * ONE, (ONE - k) * 2n)
  return v2 > v1 ? 0n : v1 - v2
}
