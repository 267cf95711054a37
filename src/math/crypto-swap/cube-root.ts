/**
 * The cube root of Curve's crypto maths, in 18 decimals: seven Newton steps from a power of two
 * near the root (`_cbrt` of CurveCryptoMathOptimized2.vy, curvefi/twocrypto-ng).
 */
const LIMIT = 115792089237316195423570985008687907853269n
const UNIT = 10n ** 18n

/** The root of `x / 1e18`, times 1e18, as the contract computes it. `x` is not negative. */
export const cubeRoot = (x: bigint): bigint => {
  const isHuge = x >= LIMIT * UNIT
  const isLarge = !isHuge && x >= LIMIT
  const scaled = isHuge ? x : isLarge ? x * UNIT : x * 10n ** 36n
  const log = BigInt(Math.max(0, scaled.toString(2).length - 1))
  const rest = log % 3n
  let root = (2n ** (log / 3n) * 1260n ** rest) / 1000n ** rest
  for (let step = 0; step < 7; step++) {
    const square = root * root
    root = (2n * root + (square === 0n ? 0n : scaled / square)) / 3n
  }
  return isHuge ? root * 10n ** 12n : isLarge ? root * 10n ** 6n : root
}
