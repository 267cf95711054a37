/**
 * A pool of blocks for rows of doubles, cut out of a few large arrays that are never freed: rings
 * grow, shrink and end without work for the garbage collector.
 */

export const BLOCK_ROWS = 8

const SLAB_BITS = 11
const SLAB_BLOCKS = 1 << SLAB_BITS

export class RowPool {
  /** doubles of a row */
  readonly width: number
  private readonly blockDoubles: number
  private readonly slabs: Array<Float64Array> = []
  private readonly free: Array<number> = []
  /** number of blocks of the newest slab that were never taken */
  private fresh = 0

  constructor(width: number) {
    this.width = width
    this.blockDoubles = BLOCK_ROWS * width
  }

  /** Number of rows that the blocks in use have room for. */
  get rows(): number {
    const blocks = this.slabs.length * SLAB_BLOCKS - this.fresh - this.free.length
    return blocks * BLOCK_ROWS
  }

  /** Takes a block out of the pool. Returns its number. */
  take(): number {
    const used = this.free.pop()
    if (used !== undefined) return used
    if (this.fresh === 0) {
      this.slabs.push(new Float64Array(SLAB_BLOCKS * this.blockDoubles))
      this.fresh = SLAB_BLOCKS
    }
    return this.slabs.length * SLAB_BLOCKS - this.fresh--
  }

  give(blocks: ReadonlyArray<number>): void {
    for (const block of blocks) this.free.push(block)
  }

  /** Returns the array that a block lies in. */
  slab(block: number): Float64Array {
    return this.slabs[block >> SLAB_BITS] as Float64Array
  }

  /** Returns the place in its array where a block begins. */
  start(block: number): number {
    return (block & (SLAB_BLOCKS - 1)) * this.blockDoubles
  }
}
