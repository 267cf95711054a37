/** How long things took, in buckets; `/metrics` shows it. */
import { GrowingSum } from "../src/platform/growing-sum.ts"

/** Upper bounds of the buckets, in seconds; what took longer is in one more. */
export const BOUNDS_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10] as const

export class Histogram {
  /** how many by the first bound that they kept */
  readonly buckets: Array<number> = Array.from({ length: BOUNDS_SECONDS.length + 1 }, () => 0)
  private readonly sum = new GrowingSum()

  get seconds(): number {
    return this.sum.value
  }

  get count(): number {
    return this.buckets.reduce((sum, each) => sum + each, 0)
  }

  /** So many took so long, each. */
  took(seconds: number, count = 1): void {
    const place = BOUNDS_SECONDS.findIndex(bound => seconds <= bound)
    const bucket = place < 0 ? BOUNDS_SECONDS.length : place
    this.buckets[bucket] = (this.buckets[bucket] as number) + count
    this.sum.add(seconds * count)
  }
}
