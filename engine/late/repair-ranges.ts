/**
 * Chooses which missing blocks are read again next. Where blocks cannot be read together, halving
 * finds the single blocks that no endpoint can prove. Each of those pauses alone, longer each time,
 * and does not hold up the others. Endpoints may come to agree at any time, so one of those that
 * pause is tried every few seconds; each that can be read lets two others be tried at once.
 */

import { without } from "../../streams/open-gaps.ts"
import type { BlockRange } from "../../streams/source.ts"

/** Blocks of one repair at most. */
const MAX_REPAIR_BLOCKS = 64

/** One of the blocks that pause is tried so long after the last that failed, whatever its pause. */
const PROBE_PAUSE_MS = 5_000

/** Blocks that are tried at once for each that failed before and can be read now. */
const WAKES = 2

/** Events that are moved in a millisecond at least, where nothing else wants processor and disk. */
const MOVED_PER_MS = 10

/**
 * Returns how long no old blocks are put into the log after some were, so that this takes no more
 * than a share of the time. What counts is the work: that the machine was busy with other things
 * keeps no gap open.
 *
 * @param moved events that were written anew; null where that is not known
 */
export const deepRestMs = (tookMs: number, moved: number | null, share: number): number =>
  (moved === null ? tookMs : Math.min(tookMs, moved / MOVED_PER_MS)) / share

interface Rest {
  readonly tries: number
  /** milliseconds since 1970 before which the block is not tried again */
  readonly notBefore: number
}

const single = (block: number): BlockRange => ({ fromBlock: block, toBlock: block })

/** Returns those of single blocks that lie in ranges. */
const within = (open: ReadonlyArray<BlockRange>, blocks: ReadonlyArray<BlockRange>) =>
  blocks.filter(block => without([block], open).length === 0)

export class RepairRanges {
  /** by block that failed alone: its pause; the one that was tried last comes last */
  private readonly rests = new Map<number, Rest>()
  /** blocks of the next range at most */
  private maxBlocks = MAX_REPAIR_BLOCKS
  private probeAt = 0
  /** blocks that pause and are to be tried at once */
  private wakes = 0
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
    const due = without(open, tried)[0] ?? without(open, resting)[0]
    const range = due ?? this.woken(within(open, tried)[0], nowMs)
    if (range === undefined) return null
    const { fromBlock, toBlock } = range
    return { fromBlock, toBlock: Math.min(toBlock, fromBlock + this.maxBlocks - 1) }
  }

  /** Whether the block that was tried longest ago is tried in spite of its pause. */
  private woken(block: BlockRange | undefined, nowMs: number): BlockRange | undefined {
    if (block === undefined) this.wakes = 0
    else if (this.wakes > 0) this.wakes--
    else if (nowMs >= this.probeAt) this.probeAfter(nowMs)
    else return undefined
    return block
  }

  private probeAfter(nowMs: number): void {
    this.probeAt = nowMs + Math.min(this.longestPauseMs, PROBE_PAUSE_MS)
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
    this.rests.delete(fromBlock)
    this.rests.set(fromBlock, { tries, notBefore: nowMs + pause })
    this.probeAfter(nowMs)
    // so that blocks which nobody can prove are not tried for each that could be read
    this.wakes >>= 1
  }

  /** Notes that a range could be read. */
  read({ fromBlock, toBlock }: BlockRange): void {
    this.maxBlocks = Math.min(MAX_REPAIR_BLOCKS, this.maxBlocks * 2)
    for (let block = fromBlock; block <= toBlock; block++) {
      if (this.rests.delete(block)) this.wakes += WAKES
    }
  }
}
