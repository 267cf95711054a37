/** The last sealed blocks with their hashes: what a new block must continue, or a reorg undoes. */
import type { LogBlock } from "../../source.ts"
import type { Header } from "./wire.ts"

/** `hash`: null where the log's source had none; `time`: absent where it is not known */
export type SealedBlock = LogBlock

export const sealedBlockOf = ({ number, hash, time }: Header): SealedBlock => ({
  number,
  hash,
  time
})

/**
 * Whether a header is that of a block of the log; one without a hash cannot be told apart. Its time
 * counts where the header gives its hash: else it is a word against what was a word as well.
 */
export const isSame = (
  ours: SealedBlock | undefined,
  header: Header | null | undefined
): boolean => {
  if (ours === undefined || header === null || header === undefined) return false
  if (header.number !== ours.number) return false
  if (ours.hash !== null && ours.hash !== header.hash) return false
  return ours.time === undefined || ours.time === header.time || header.sealed !== true
}

export class RecentBlocks {
  private blocks: Array<SealedBlock>
  private readonly depth: number

  /** `blocks` oldest first; kept down to `depth` below the newest. */
  constructor(blocks: ReadonlyArray<SealedBlock>, depth: number) {
    this.blocks = [...blocks]
    this.depth = depth
  }

  get last(): SealedBlock | null {
    return this.blocks[this.blocks.length - 1] ?? null
  }

  get first(): SealedBlock | null {
    return this.blocks[0] ?? null
  }

  /** Newest first. */
  get newestFirst(): ReadonlyArray<SealedBlock> {
    return this.blocks.toReversed()
  }

  at(number: number): SealedBlock | null {
    return this.blocks.findLast(block => block.number === number) ?? null
  }

  push(block: SealedBlock): void {
    this.blocks.push(block)
    // Cut now and then, not at every block.
    if (this.blocks.length <= 2 * this.depth + 64) return
    const oldest = block.number - this.depth
    const from = this.blocks.findIndex(one => one.number >= oldest)
    // One below the depth stays: a reorg of full depth goes back to it.
    this.blocks = this.blocks.slice(Math.max(0, from - 1))
  }

  /** Forgets the blocks after `number`. */
  cutAfter(number: number): void {
    this.blocks = this.blocks.filter(block => block.number <= number)
  }
}
