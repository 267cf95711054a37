/**
 * Which missing blocks are read again next. Of those that cannot be read together halving finds the
 * ones that nobody can prove; each of them rests alone, longer each time, and keeps no other open.
 */
import type { BlockRange } from "../../streams/source.ts"
import { without } from "./gap-ledger.ts"

/** Blocks of one repair at most. */
const MOST_BLOCKS = 64

interface Rest {
  readonly tries: number
  /** when it may be tried again */
  readonly notBefore: number
}

const single = (block: number): BlockRange => ({ fromBlock: block, toBlock: block })

export class RepairRanges {
  /** blocks that failed alone */
  private readonly rests = new Map<number, Rest>()
  /** blocks of the next range at most */
  private most = MOST_BLOCKS
  private readonly firstPauseMs: number
  private readonly longestPauseMs: number

  constructor(firstPauseMs: number, longestPauseMs: number) {
    this.firstPauseMs = firstPauseMs
    this.longestPauseMs = longestPauseMs
  }

  /** The next of what is open, what never failed alone first; null where all of it rests. */
  next(open: ReadonlyArray<BlockRange>, nowMs: number): BlockRange | null {
    const tried = [...this.rests.keys()].map(single)
    const resting = [...this.rests].flatMap(([block, { notBefore }]) =>
      notBefore > nowMs ? [single(block)] : []
    )
    const range = without(open, tried)[0] ?? without(open, resting)[0]
    if (range === undefined) return null
    const { fromBlock, toBlock } = range
    return { fromBlock, toBlock: Math.min(toBlock, fromBlock + this.most - 1) }
  }

  /** A range could not be read, or not placed. */
  failed({ fromBlock, toBlock }: BlockRange, nowMs: number): void {
    const blocks = toBlock - fromBlock + 1
    if (blocks > 1) {
      this.most = Math.ceil(blocks / 2)
      return
    }
    const tries = (this.rests.get(fromBlock)?.tries ?? 0) + 1
    const pause = Math.min(this.longestPauseMs, this.firstPauseMs * 2 ** Math.min(16, tries - 1))
    this.rests.set(fromBlock, { tries, notBefore: nowMs + pause })
  }

  /** A range is in its place. */
  placed({ fromBlock, toBlock }: BlockRange): void {
    this.most = Math.min(MOST_BLOCKS, this.most * 2)
    for (let block = fromBlock; block <= toBlock; block++) this.rests.delete(block)
  }
}
