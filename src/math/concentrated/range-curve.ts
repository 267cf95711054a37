/** Concentrated liquidity as a price curve: a piece for each range of constant liquidity. */
import { PIPS, Q96 } from "../fixed-point.ts"
import type { Piece, PriceCurve } from "../price-curve/curve.ts"
import type { ConcentratedPool } from "./swap.ts"
import { MAX_TICK, MIN_TICK, sqrtRatioAtTick } from "./tick-math.ts"

/** Ranges that one sale crosses at most: more of them would cost more gas than a block has. */
const MAX_RANGES = 1024

const Q96_NUMBER = Number(Q96)

/**
 * What selling token 0 (`zeroForOne`) or 1 comes to, from the pool's price on to where `most` raw
 * units are sold, or somewhat further. The fee is below all of the input.
 */
export const rangeCurve = (
  pool: ConcentratedPool,
  zeroForOne: boolean,
  most: number
): PriceCurve => {
  const { ticks, feePips } = pool
  // With the fee every unit costs more: the root of the cost is that much higher.
  const keptRoot = Math.sqrt(Number(PIPS - feePips) / Number(PIPS))
  const costAt = (sqrtPriceX96: bigint): number => {
    const root = Number(sqrtPriceX96) / Q96_NUMBER
    return zeroForOne ? 1 / (root * keptRoot) : root / keptRoot
  }
  const pieces: Array<Piece> = []
  let { tick, liquidity } = pool
  let from = costAt(pool.sqrtPriceX96)
  let sold = 0
  for (let range = 0; range < MAX_RANGES && sold < most && liquidity >= 0n; range++) {
    const next = ticks.nextInitialized(tick, zeroForOne)
    const end = next ?? (zeroForOne ? MIN_TICK : MAX_TICK)
    const to = Math.max(from, costAt(sqrtRatioAtTick(end)))
    const depth = Number(liquidity) / keptRoot
    const whole = depth * (to - from)
    if (whole > 0) pieces.push({ from, to, depth, sold: whole })
    if (next === undefined) break
    liquidity += zeroForOne ? -ticks.net(next) : ticks.net(next)
    sold += whole
    from = to
    tick = zeroForOne ? next - 1 : next
  }
  return pieces
}
