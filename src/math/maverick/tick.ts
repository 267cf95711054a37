/**
 * Ticks of Maverick V2: square-root prices and liquidity from a tick's two reserves, 18 decimals
 * (maverickprotocol/v2-common, `contracts/libraries/TickMath.sol`, d91e8714).
 */
import { MAX_UINT256, sqrt } from "../fixed-point.ts"
import { divDown, mulDown, ONE } from "../weighted/fixed18.ts"

/** Largest tick times tick spacing. */
export const MAX_SUB_TICK = 322_378

/** 1.0001^(-2^i / 2) in 128.128 fixed point, one factor a bit of the tick. */
const FACTORS = [
  0xfffcb933bd6fad9d3af5f0b9f25db4d6n,
  0xfff97272373d41fd789c8cb37ffcaa1cn,
  0xfff2e50f5f656ac9229c67059486f389n,
  0xffe5caca7e10e81259b3cddc7a064941n,
  0xffcb9843d60f67b19e8887e0bd251eb7n,
  0xff973b41fa98cd2e57b660be99eb2c4an,
  0xff2ea16466c9838804e327cb417cafcbn,
  0xfe5dee046a99d51e2cc356c2f617dbe0n,
  0xfcbe86c7900aecf64236ab31f1f9dcb5n,
  0xf987a7253ac4d9194200696907cf2e37n,
  0xf3392b0822b88206f8abe8a3b44dd9ben,
  0xe7159475a2c578ef4f1d17b2b235d480n,
  0xd097f3bdfd254ee83bdd3f248e7e785en,
  0xa9f746462d8f7dd10e744d913d033333n,
  0x70d869a156ddd32a39e257bc3f50aa9bn,
  0x31be135f97da6e09a19dc367e3b6da40n,
  0x9aa508b5b7e5a9780b0cc4e25d61a56n,
  0x5d6af8dedbcb3a6ccb7ce618d14225n,
  0x2216e584f630389b2052b8db590en
] as const

/** The price's square root at the lower edge of a tick; null beyond the last tick. */
export const tickSqrtPrice = (tickSpacing: number, tick: number): bigint | null => {
  const subTick = Math.abs(tick) * tickSpacing
  if (!(subTick <= MAX_SUB_TICK)) return null
  let ratio = 1n << 128n
  for (const [bit, factor] of FACTORS.entries()) {
    if ((subTick & (1 << bit)) !== 0) ratio = bit === 0 ? factor : (ratio * factor) >> 128n
  }
  if (tick > 0) ratio = MAX_UINT256 / ratio
  return (ratio * ONE) >> 128n
}

/** Reserves of one tick, scaled to 18 decimals. */
export interface Tick {
  readonly reserveA: bigint
  readonly reserveB: bigint
}

/** What the tick's liquidity is at least, for `lower` < `upper` the price's roots at its edges. */
export const tickLiquidity = (tick: Tick, lower: bigint, upper: bigint): bigint => {
  const width = upper - lower
  // Small reserves are shifted up for the square root's sake.
  const isSmall = tick.reserveA >> 78n === 0n && tick.reserveB >> 78n === 0n
  const bump = isSmall ? 57n : 0n
  const [a, b] = [tick.reserveA << bump, tick.reserveB << bump]
  if (b === 0n) return divDown(a, width) >> bump
  if (a === 0n) return ((mulDown(b, lower) * upper) / width) >> bump
  const half = (divDown(a, upper) + mulDown(b, lower)) >> 1n
  const root = sqrt((half * half) / ONE + (mulDown(b, a) * width) / upper)
  return (((half + root * 10n ** 9n) * upper) / width) >> bump
}

/** The price's square root within a tick, as its reserves tell it. */
export const sqrtPriceOf = (
  { reserveA, reserveB }: Tick,
  lower: bigint,
  upper: bigint,
  liquidity: bigint
): bigint => {
  if (reserveA === 0n) return lower
  if (reserveB === 0n) return upper
  const above = reserveA + mulDown(liquidity, lower)
  const below = reserveB + divDown(liquidity, upper)
  const price = sqrt(ONE * divDown(above, below))
  return price < lower ? lower : price > upper ? upper : price
}
