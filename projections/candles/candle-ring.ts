/** The newest rows of one series of candles, oldest first. */
import type { Candle } from "./candle.ts"
import { BLOCK_ROWS, type RowPool, WIDTH } from "./row-pool.ts"
import type { TimeFrame } from "./time-frame.ts"

/** Rows kept at least once there are as many; a block more at most. */
const KEEP = 1024

/** The candle that a row says. */
export const candleAt = (rows: Float64Array, at: number): Candle => ({
  t: rows[at] as number,
  o: rows[at + 1] as number,
  h: rows[at + 2] as number,
  l: rows[at + 3] as number,
  c: rows[at + 4] as number,
  v: (rows[at + 5] as number) / 1e6,
  n: rows[at + 6] as number
})

export class CandleRing {
  /** every bucket from here on is held */
  from: number
  private readonly pool: RowPool
  private readonly blocks: Array<number> = []
  private count = 0

  constructor(pool: RowPool, from: number) {
    this.pool = pool
    this.from = from
  }

  get isEmpty(): boolean {
    return this.count === 0
  }

  /** Start of the newest bucket; null where there is none. */
  get lastTime(): number | null {
    return this.count === 0 ? null : this.timeOf(this.count - 1)
  }

  private slabOf(row: number): Float64Array {
    return this.pool.slab(this.blocks[Math.floor(row / BLOCK_ROWS)] as number)
  }

  /** Where in its array a row lies. */
  private placeOf(row: number): number {
    const block = this.blocks[Math.floor(row / BLOCK_ROWS)] as number
    return this.pool.start(block) + (row % BLOCK_ROWS) * WIDTH
  }

  private timeOf(row: number): number {
    return this.slabOf(row)[this.placeOf(row)] as number
  }

  /** Takes the newest bucket again, or a later one. */
  put(source: Float64Array, at: number): void {
    if (this.lastTime !== source[at]) this.grow()
    const to = this.placeOf(this.count - 1)
    const rows = this.slabOf(this.count - 1)
    for (let i = 0; i < WIDTH; i++) rows[to + i] = source[at + i] as number
  }

  private grow(): void {
    if (this.count === KEEP + BLOCK_ROWS) {
      this.from = this.timeOf(BLOCK_ROWS - 1) + 1
      this.pool.give(this.blocks.splice(0, 1))
      this.count = KEEP
    }
    if (this.count === this.blocks.length * BLOCK_ROWS) this.blocks.push(this.pool.take())
    this.count++
  }

  /** Hands every row to `take`, oldest first, and holds none any more. */
  drain(take: (source: Float64Array, at: number) => void): void {
    for (let i = 0; i < this.count; i++) take(this.slabOf(i), this.placeOf(i))
    this.clear()
  }

  clear(): void {
    this.pool.give(this.blocks)
    this.blocks.length = 0
    this.count = 0
  }

  /** The first row at or after `t`. */
  private firstAt(t: number): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.timeOf(middle) < t) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Appends the candles of `[from, to)` to a list. */
  read(from: number, to: number, list: Array<Candle>): void {
    for (let i = this.firstAt(from); i < this.count; i++) {
      const rows = this.slabOf(i)
      const at = this.placeOf(i)
      if ((rows[at] as number) >= to) return
      list.push(candleAt(rows, at))
    }
  }

  /** The close before `t`: null where there is none at all, undefined where it is not held. */
  closeBefore(t: number): number | null | undefined {
    const row = this.firstAt(t) - 1
    if (row >= 0) return this.slabOf(row)[this.placeOf(row) + 4]
    return this.from === 0 ? null : undefined
  }

  /** Folds the rows of one bucket of a wider frame into a row; null where there are none. */
  fold(frame: TimeFrame, bucket: number): Float64Array | null {
    const first = this.firstAt(bucket)
    let [high, low, close, volume, prints] = [-Infinity, Infinity, 0, 0, 0]
    let i = first
    for (; i < this.count; i++) {
      const rows = this.slabOf(i)
      const at = this.placeOf(i)
      if ((rows[at] as number) >= bucket + frame.seconds) break
      high = Math.max(high, rows[at + 2] as number)
      low = Math.min(low, rows[at + 3] as number)
      close = rows[at + 4] as number
      volume += rows[at + 5] as number
      prints += rows[at + 6] as number
    }
    if (i === first) return null
    wide[0] = bucket
    wide[1] = this.slabOf(first)[this.placeOf(first) + 1] as number
    wide[2] = high
    wide[3] = low
    wide[4] = close
    wide[5] = volume
    wide[6] = prints
    return wide
  }
}

/** A folded row; valid until the next one. */
const wide = new Float64Array(WIDTH)
