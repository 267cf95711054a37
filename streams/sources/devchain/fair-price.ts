/**
 * What a devchain asset is "worth" at a time: the price its traders lean towards. A sum of slow
 * and fast waves around a fixed level, so it moves on every scale of a chart, never leaves its
 * band, and needs no state: a chain resumed after a night goes on where it would have been.
 */
import { seededRandom } from "./random.ts"

/** Periods in seconds and each wave's share of the band. */
const WAVES: ReadonlyArray<readonly [seconds: number, share: number]> = [
  [41, 0.03],
  [173, 0.06],
  [661, 0.12],
  [2_903, 0.22],
  [11_351, 0.27],
  [86_399, 0.3]
]

/**
 * A price in dollars as a function of Unix seconds. The logarithm stays within `volatility` of
 * that of `levelUsd`: 0.05 means a band of about 5 % either way. Equal seeds and names give equal
 * curves.
 */
export const fairPrice = (
  seed: string,
  name: string,
  levelUsd: number,
  volatility: number
): ((timeSeconds: number) => number) => {
  const random = seededRandom(seed, "fair", name)
  const waves = WAVES.map(([seconds, share]) => ({
    speed: (2 * Math.PI) / (seconds * (0.7 + 0.6 * random.next())),
    phase: 2 * Math.PI * random.next(),
    height: share * volatility
  }))
  return timeSeconds => {
    let log = 0
    for (const { speed, phase, height } of waves)
      log += height * Math.sin(speed * timeSeconds + phase)
    return levelUsd * Math.exp(log)
  }
}
