/** A ring with the newest rows of one slot of a table with buckets, oldest first. */
import { BLOCK_ROWS, type RowPool } from "./row-pool.ts"

/** Rows that a full ring keeps at least; it holds one block more at most. */
const KEPT_ROWS = 8192

/** Looks at a row, which begins at place `at` of an array: its bucket, then its other columns. */
export type LookAtRow = (rows: Float64Array, at: number) => void

export class RowRing {
  /** the ring holds every row whose bucket is this one or later */
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

  /** The newest bucket; null for an empty ring. */
  get lastBucket(): number | null {
    return this.count === 0 ? null : this.bucketOf(this.count - 1)
  }

  private slabOf(row: number): Float64Array {
    return this.pool.slab(this.blocks[Math.floor(row / BLOCK_ROWS)] as number)
  }

  /** Returns the place in its array where a row begins. */
  private placeOf(row: number): number {
    const block = this.blocks[Math.floor(row / BLOCK_ROWS)] as number
    return this.pool.start(block) + (row % BLOCK_ROWS) * this.pool.width
  }

  private bucketOf(row: number): number {
    return this.slabOf(row)[this.placeOf(row)] as number
  }

  /** Takes a row: of the newest bucket, whose row it replaces, or of a later bucket. */
  readonly put = (source: Float64Array, at: number): void => {
    if (this.lastBucket !== source[at]) this.grow()
    const to = this.placeOf(this.count - 1)
    const rows = this.slabOf(this.count - 1)
    for (let i = 0; i < this.pool.width; i++) rows[to + i] = source[at + i] as number
  }

  private grow(): void {
    if (this.count === KEPT_ROWS + BLOCK_ROWS) {
      this.from = this.bucketOf(BLOCK_ROWS - 1) + 1
      this.pool.give(this.blocks.splice(0, 1))
      this.count = KEPT_ROWS
    }
    if (this.count === this.blocks.length * BLOCK_ROWS) this.blocks.push(this.pool.take())
    this.count++
  }

  /** Hands every row to `take`, oldest first, and leaves the ring empty. */
  drain(take: LookAtRow): void {
    for (let i = 0; i < this.count; i++) take(this.slabOf(i), this.placeOf(i))
    this.clear()
  }

  clear(): void {
    this.pool.give(this.blocks)
    this.blocks.length = 0
    this.count = 0
  }

  /** Returns the number of the first row whose bucket is `bucket` or later. */
  private firstAt(bucket: number): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.bucketOf(middle) < bucket) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Calls `look` with the rows of the buckets `from` to `to` (exclusive), oldest first. */
  each(from: number, to: number, look: LookAtRow): void {
    for (let i = this.firstAt(from); i < this.count; i++) {
      const rows = this.slabOf(i)
      const at = this.placeOf(i)
      if ((rows[at] as number) >= to) return
      look(rows, at)
    }
  }

  /**
   * Calls `look` with the rows of the buckets before `before`, newest first, until `look` returns
   * true. Returns false where it never did and the slot may have older rows than the ring.
   */
  back(before: number, look: (rows: Float64Array, at: number) => boolean): boolean {
    for (let i = this.firstAt(before) - 1; i >= 0; i--) {
      if (look(this.slabOf(i), this.placeOf(i))) return true
    }
    return this.from === 0
  }
}
