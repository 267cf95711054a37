/**
 * Blocks of history that no endpoint could prove when they were tried last, and why. Halving tells
 * them from those that can be read. With each that was tried alone more of those below it are taken
 * for no better, until the next look: twice as many each time, so that a node that forgot its past
 * is asked few questions, however long that past is.
 */
import type { BlockRange, Gap } from "../../streams/source.ts"
import { without } from "./gap-ledger.ts"

const sizeOf = ({ fromBlock, toBlock }: BlockRange): number => toBlock - fromBlock + 1

export class UnreadBlocks {
  private found: ReadonlyArray<Gap> = []
  /** of the look before, what this one has not come to yet */
  private before: ReadonlyArray<Gap> = []
  /** blocks that go with the next one that is tried alone */
  private along = 1
  /** blocks of the next part at most */
  most = Number.POSITIVE_INFINITY

  /** What is known to be unread, by its first block. */
  get runs(): ReadonlyArray<Gap> {
    const runs = [...this.found, ...without(this.before, this.found)]
    return runs.sort((a, b) => a.fromBlock - b.fromBlock)
  }

  /** What this look has still to try of the blocks that are missing. */
  untried(missing: ReadonlyArray<Gap>): ReadonlyArray<Gap> {
    return without(missing, this.found)
  }

  /** A part of `untried` blocks could not be read. */
  failed(part: BlockRange, untried: ReadonlyArray<BlockRange>, reason: string): void {
    const { toBlock } = part
    if (sizeOf(part) > 1) {
      this.most = Math.ceil(sizeOf(part) / 2)
      return
    }
    const whole = untried.find(one => one.fromBlock <= toBlock && one.toBlock >= toBlock) ?? part
    const above = this.found.find(one => one.fromBlock === toBlock + 1)
    const fromBlock = Math.max(whole.fromBlock, toBlock - this.along + 1)
    this.along *= 2
    const run = { reason, toBlock, ...above, fromBlock }
    this.found = [...this.found.filter(one => one !== above), run]
  }

  /** A part was read and put into the log. */
  placed(part: BlockRange): void {
    this.before = without(this.before, [part])
    this.most *= 2
  }

  /** Everything is tried again, first of all whether anything has changed. */
  again(): void {
    this.before = this.found
    this.found = []
    this.most = 1
    this.along = 1
  }
}

/** Who would have what nobody asked has. */
export const archiveAdvice = (chainId: number): string =>
  `an endpoint in RPC_${chainId} that keeps all logs and receipts (an archive node) would have them`

/** What a reader has to know of blocks of history that cannot be read, and what to do. */
export const unreadWarning = (runs: ReadonlyArray<Gap>, chainId: number): ReadonlyArray<string> => {
  const [first, last] = [runs[0], runs[runs.length - 1]]
  if (first === undefined || last === undefined) return []
  const count = runs.reduce((sum, run) => sum + sizeOf(run), 0)
  const what = runs.length === 1 ? "blocks" : `${count} blocks of`
  return [
    `${what} ${first.fromBlock}..${last.toBlock} of the history cannot be read: ` +
      `${last.reason}. They are gaps until an endpoint has them, and asked for again: ` +
      archiveAdvice(chainId)
  ]
}
