/**
 * Room for rows of candles in blocks of one size, out of a few large arrays that are never given
 * back: series grow, shrink and go without any work for the garbage collector.
 */

/** Doubles a row: `t, o, h, l, c, v, n`. */
export const WIDTH = 7
export const BLOCK_ROWS = 8

const BLOCK = BLOCK_ROWS * WIDTH
const SLAB_BITS = 11
const SLAB_BLOCKS = 1 << SLAB_BITS

export class RowPool {
  private readonly slabs: Array<Float64Array> = []
  private readonly free: Array<number> = []
  /** blocks never taken, of the newest slab */
  private fresh = 0

  /** Rows that the blocks in use have room for. */
  get rows(): number {
    const blocks = this.slabs.length * SLAB_BLOCKS - this.fresh - this.free.length
    return blocks * BLOCK_ROWS
  }

  take(): number {
    const used = this.free.pop()
    if (used !== undefined) return used
    if (this.fresh === 0) {
      this.slabs.push(new Float64Array(SLAB_BLOCKS * BLOCK))
      this.fresh = SLAB_BLOCKS
    }
    return this.slabs.length * SLAB_BLOCKS - this.fresh--
  }

  give(blocks: ReadonlyArray<number>): void {
    for (const block of blocks) this.free.push(block)
  }

  /** The array that a block lies in. */
  slab(block: number): Float64Array {
    return this.slabs[block >> SLAB_BITS] as Float64Array
  }

  /** Where in its array a block begins. */
  start(block: number): number {
    return (block & (SLAB_BLOCKS - 1)) * BLOCK
  }
}
