/** The newest rows of one series of candles, oldest first, in one array of doubles. */
import type { Candle } from "./candle.ts"
import type { TimeFrame } from "./time-frame.ts"

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
    const { rows } = this
    const to = (this.count - 1) * WIDTH
    for (let i = 0; i < WIDTH; i++) rows[to + i] = source[at + i] as number
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

  /** Appends the candles of `[from, to)` to a list. */
  read(from: number, to: number, list: Array<Candle>): void {
    const { rows } = this
    for (let i = this.placeOf(from); i < this.count; i++) {
      const at = i * WIDTH
      const t = rows[at] as number
      if (t >= to) return
      list.push({
        t,
        o: rows[at + 1] as number,
        h: rows[at + 2] as number,
        l: rows[at + 3] as number,
        c: rows[at + 4] as number,
        v: (rows[at + 5] as number) / 1e6,
        n: rows[at + 6] as number
      })
    }
  }

  /** The close before `t`: null where there is none at all, undefined where it is not held. */
  closeBefore(t: number): number | null | undefined {
    const place = this.placeOf(t)
    if (place > 0) return this.rows[(place - 1) * WIDTH + 4]
    return this.from === 0 ? null : undefined
  }

  /** Folds the rows of one bucket of a wider frame into a row of `target`, where there are any. */
  foldInto(target: CandleRing, frame: TimeFrame, bucket: number): void {
    const { rows } = this
    const first = this.placeOf(bucket)
    let [high, low, close, volume, prints] = [-Infinity, Infinity, 0, 0, 0]
    let i = first
    for (; i < this.count; i++) {
      const at = i * WIDTH
      if ((rows[at] as number) >= bucket + frame.seconds) break
      high = Math.max(high, rows[at + 2] as number)
      low = Math.min(low, rows[at + 3] as number)
      close = rows[at + 4] as number
      volume += rows[at + 5] as number
      prints += rows[at + 6] as number
    }
    if (i === first) return
    wide[0] = bucket
    wide[1] = rows[first * WIDTH + 1] as number
    wide[2] = high
    wide[3] = low
    wide[4] = close
    wide[5] = volume
    wide[6] = prints
    target.put(wide, 0)
  }
}

const wide = new Float64Array(WIDTH)
