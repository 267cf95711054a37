/**
 * The last blocks of the effective log, in memory: what a rollback, the order of appended batches
 * and a source that continues the log are checked against. Older blocks are read from the stream.
 */
import type { BlockRun } from "./block-runs.ts"

const known = (a: string | null, b: string | null): boolean => a !== null && b !== null

/** One run of a block, in two batches. */
const joined = (before: BlockRun, after: BlockRun): BlockRun => ({
  number: after.number,
  hash: before.hash ?? after.hash,
  time: after.time,
  lastSeq: after.lastSeq,
  sealed: before.sealed || after.sealed,
  facts: before.facts || after.facts
})

/** Joins neighbours of the same block. */
export const joinRuns = (runs: ReadonlyArray<BlockRun>): Array<BlockRun> => {
  const out: Array<BlockRun> = []
  for (const run of runs) {
    const last = out.at(-1)
    if (last?.number === run.number) out[out.length - 1] = joined(last, run)
    else out.push(run)
  }
  return out
}

export class EffectiveBlocks {
  private blocks: Array<BlockRun>
  /** whether the oldest block here is the first of the effective log */
  private complete: boolean
  private readonly keep: number

  /**
   * @param blocks ascending, at least the last `keep` of the effective log or all of it
   * @param complete whether they are all of it
   */
  constructor(blocks: ReadonlyArray<BlockRun>, complete: boolean, keep: number) {
    this.blocks = joinRuns(blocks)
    this.complete = complete
    this.keep = keep
  }

  /** Seq of the last effective event at or below a block; 0 where there is none, undefined where
   *  that lies deeper than what is known here. */
  endOf(block: number): number | undefined {
    let low = 0
    let high = this.blocks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.blocks[middle] as BlockRun).number <= block) low = middle + 1
      else high = middle
    }
    const before = this.blocks[low - 1]
    if (before !== undefined) return before.lastSeq
    return this.complete ? 0 : undefined
  }

  /** The hash of an effective block known here. */
  hashOf(block: number): string | null {
    return this.blocks.findLast(({ number }) => number === block)?.hash ?? null
  }

  /** The effective blocks after a rollback to a seq that `endOf` gave. */
  upTo(seq: number): EffectiveBlocks {
    const kept = this.blocks.filter(({ lastSeq }) => lastSeq <= seq)
    return new EffectiveBlocks(kept, this.complete, this.keep)
  }

  /** Why these runs do not continue the log; null where they do. */
  refusal(runs: ReadonlyArray<BlockRun>): string | null {
    let last = this.blocks.at(-1)
    for (const run of runs) {
      if (last !== undefined && run.number < last.number) {
        return `block ${run.number} comes after block ${last.number} without a Rollback`
      }
      if (last?.number === run.number) {
        if (last.sealed && run.facts) return `block ${run.number} is sealed in the log already`
        if (known(last.hash, run.hash) && last.hash !== run.hash) {
          return `block ${run.number} has another hash, ${run.hash}, without a Rollback`
        }
      }
      last = run
    }
    return null
  }

  /** Adds the runs of an appended segment. */
  extend(runs: ReadonlyArray<BlockRun>): void {
    for (const run of runs) {
      const last = this.blocks.at(-1)
      if (last?.number === run.number) this.blocks[this.blocks.length - 1] = joined(last, run)
      else this.blocks.push(run)
    }
    if (this.blocks.length <= this.keep * 2) return
    this.blocks = this.blocks.slice(-this.keep)
    this.complete = false
  }

  /** The last sealed blocks, oldest first; undefined where more of them have to be read. */
  sealedTail(count: number): ReadonlyArray<BlockRun> | undefined {
    const sealed = this.blocks.filter(block => block.sealed)
    return sealed.length >= count || this.complete ? sealed.slice(-count) : undefined
  }
}
