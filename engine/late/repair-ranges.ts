/**
 * Chooses which missing blocks are read again next. Where blocks cannot be read together, halving
 * finds the single blocks that no endpoint can prove. Each of those pauses alone, longer each time,
 * and does not hold up the others.
 */

import { without } from "../../streams/open-gaps.ts"
import type { BlockRange } from "../../streams/source.ts"

/** Blocks of one repair at most. */
const MAX_REPAIR_BLOCKS = 64

interface Rest {
  readonly tries: number
  /** milliseconds since 1970 before which the block is not tried again */
  readonly notBefore: number
}

const single = (block: number): BlockRange => ({ fromBlock: block, toBlock: block })

export class RepairRanges {
  /** by block that failed alone: its pause */
  private readonly rests = new Map<number, Rest>()
  /** blocks of the next range at most */
  private maxBlocks = MAX_REPAIR_BLOCKS
  private readonly firstPauseMs: number
  private readonly longestPauseMs: number

  constructor(firstPauseMs: number, longestPauseMs: number) {
    this.firstPauseMs = firstPauseMs
    this.longestPauseMs = longestPauseMs
  }

  /**
   * Returns the next range of open blocks, first of those that never failed alone; null for none.
   */
  next(open: ReadonlyArray<BlockRange>, nowMs: number): BlockRange | null {
    const tried = [...this.rests.keys()].map(single)
    const resting = [...this.rests].flatMap(([block, { notBefore }]) =>
      notBefore > nowMs ? [single(block)] : []
    )
    const range = without(open, tried)[0] ?? without(open, resting)[0]
    if (range === undefined) return null
    const { fromBlock, toBlock } = range
    return { fromBlock, toBlock: Math.min(toBlock, fromBlock + this.maxBlocks - 1) }
  }

  /** Notes that a range could not be read, or not be placed. */
  failed({ fromBlock, toBlock }: BlockRange, nowMs: number): void {
    const blocks = toBlock - fromBlock + 1
    if (blocks > 1) {
      this.maxBlocks = Math.ceil(blocks / 2)
      return
    }
    const tries = (this.rests.get(fromBlock)?.tries ?? 0) + 1
    const pause = Math.min(this.longestPauseMs, this.firstPauseMs * 2 ** Math.min(16, tries - 1))
    this.rests.set(fromBlock, { tries, notBefore: nowMs + pause })
  }

  /** Notes that a range was put into the log. */
  placed({ fromBlock, toBlock }: BlockRange): void {
    this.maxBlocks = Math.min(MAX_REPAIR_BLOCKS, this.maxBlocks * 2)
    for (let block = fromBlock; block <= toBlock; block++) this.rests.delete(block)
  }
}
