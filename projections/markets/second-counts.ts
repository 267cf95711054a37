/**
 * How many wallets traded a token last at each second, and did last buy and sell: of tokens with so
 * many wallets that to look at each of them takes long.
 */

/** Seconds that are told apart, a power of two: more than the 25 hours that are kept. */
const SECONDS = 1 << 17
const LAST = SECONDS - 1

/** Distinct wallets of a time. */
export interface MakerCounts {
  makers: number
  buyers: number
  sellers: number
}

export class SecondCounts {
  private readonly bought = new Uint32Array(SECONDS)
  private readonly sold = new Uint32Array(SECONDS)
  private readonly either = new Uint32Array(SECONDS)
  /** what lies before is not counted */
  private since: number
  private newest = 0

  constructor(since: number) {
    this.since = since
  }

  /** A wallet's newest purchase and sale were so far, 0 for never, and are now. */
  move(bought: number, sold: number, nextBought: number, nextSold: number): void {
    this.shift(this.bought, bought, nextBought)
    this.shift(this.sold, sold, nextSold)
    const last = Math.max(nextBought, nextSold)
    this.shift(this.either, Math.max(bought, sold), last)
    if (last > this.newest) this.newest = last
  }

  private shift(counts: Uint32Array, from: number, to: number): void {
    if (from === to) return
    if (from > 0 && from >= this.since) counts[from & LAST] = (counts[from & LAST] as number) - 1
    if (to >= this.since) counts[to & LAST] = (counts[to & LAST] as number) + 1
  }

  /** What lies before `since` is not asked for any more. */
  advance(since: number): void {
    const end = Math.min(since, this.since + SECONDS)
    for (let second = this.since; second < end; second++) {
      this.bought[second & LAST] = 0
      this.sold[second & LAST] = 0
      this.either[second & LAST] = 0
    }
    if (since > this.since) this.since = since
  }

  /** Whether it can tell of a time. */
  reaches(second: number): boolean {
    return second >= this.since && this.newest - this.since < SECONDS
  }

  /** How many did since each of some seconds, all of which it reaches. */
  countSince(seconds: ReadonlyArray<number>): ReadonlyArray<MakerCounts> {
    const { bought, sold, either, newest } = this
    const order = seconds.map((_, i) => i).sort((a, b) => (seconds[b] ?? 0) - (seconds[a] ?? 0))
    const sum = { makers: 0, buyers: 0, sellers: 0 }
    const found: Array<MakerCounts> = []
    let end = newest
    for (const i of order) {
      const start = seconds[i] as number
      for (; end >= start; end--) {
        sum.buyers += bought[end & LAST] as number
        sum.sellers += sold[end & LAST] as number
        sum.makers += either[end & LAST] as number
      }
      found[i] = { ...sum }
    }
    return found
  }
}
