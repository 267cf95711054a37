/** The newest rows of one series of candles, oldest first, in one array of doubles. */
import { bucketStart, type TimeFrame } from "./time-frame.ts"

/** Doubles a row: `t, o, h, l, c, v, n`. */
export const WIDTH = 7

/** Rows kept at least once there are as many; the array holds twice as many at most. */
const KEEP = 512

export class CandleRing {
  /** every bucket from here on is held */
  from: number
  private rows = new Float64Array(0)
  private count = 0

  constructor(from: number) {
    this.from = from
  }

  /** Rows that there is room for. */
  get capacity(): number {
    return this.rows.length / WIDTH
  }

  /** Start of the newest bucket; null where there is none. */
  get lastTime(): number | null {
    return this.count === 0 ? null : (this.rows[(this.count - 1) * WIDTH] as number)
  }

  /** Takes the newest bucket again, or a later one. */
  put(source: Float64Array, at: number): void {
    if (this.lastTime !== source[at]) this.grow()
    this.rows.set(source.subarray(at, at + WIDTH), (this.count - 1) * WIDTH)
  }

  private grow(): void {
    if (this.count === 2 * KEEP) {
      const dropped = this.count - KEEP
      this.from = (this.rows[(dropped - 1) * WIDTH] as number) + 1
      this.rows.copyWithin(0, dropped * WIDTH)
      this.count = KEEP
    }
    if (this.count * WIDTH === this.rows.length) {
      const rows = new Float64Array(Math.max(2, this.count * 2) * WIDTH)
      rows.set(this.rows)
      this.rows = rows
    }
    this.count++
  }

  /** Place of the first row at or after `t`. */
  private placeOf(t: number): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.rows[middle * WIDTH] as number) < t) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The rows of `[from, to)`; views that the next `put` may change. */
  between(from: number, to: number): ReadonlyArray<Float64Array> {
    const rows: Array<Float64Array> = []
    for (let i = this.placeOf(from); i < this.count; i++) {
      const row = this.rows.subarray(i * WIDTH, (i + 1) * WIDTH)
      if ((row[0] as number) >= to) break
      rows.push(row)
    }
    return rows
  }

  /** The close before `t`: null where there is none at all, undefined where it is not held. */
  closeBefore(t: number): number | null | undefined {
    const place = this.placeOf(t)
    if (place > 0) return this.rows[(place - 1) * WIDTH + 4]
    return this.from === 0 ? null : undefined
  }

  /** Folds the rows of one bucket of a wider frame into a row of `target`, where there are any. */
  foldInto(target: CandleRing, frame: TimeFrame, bucket: number): void {
    const rows = this.between(bucket, bucket + frame.seconds)
    const [first] = rows
    if (first === undefined) return
    const wide = Float64Array.from(first)
    wide[0] = bucketStart(frame, first[0] as number)
    for (const row of rows.slice(1)) {
      wide[2] = Math.max(wide[2] as number, row[2] as number)
      wide[3] = Math.min(wide[3] as number, row[3] as number)
      wide[4] = row[4] as number
      wide[5] = (wide[5] as number) + (row[5] as number)
      wide[6] = (wide[6] as number) + (row[6] as number)
    }
    target.put(wide, 0)
  }
}
