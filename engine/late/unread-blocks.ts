/**
 * Blocks of history that no endpoint could prove at the last attempt, and why. Halving separates
 * them from blocks that can be read. Each block that fails alone lets blocks below it count as
 * unread without an attempt until the next look, twice as many each time: so a node that forgot its
 * past gets few requests, however long that past is.
 */

import { familyOf } from "../../src/domain/chain-family.ts"
import { type NamedChain, rpcSettingOf } from "../../src/domain/shown-chain.ts"
import { blocksIn, without } from "../../streams/open-gaps.ts"
import type { BlockRange, Gap } from "../../streams/source.ts"

export class UnreadBlocks {
  private unread: ReadonlyArray<Gap> = []
  /** unread blocks of the former look, which this look has not reached yet */
  private before: ReadonlyArray<Gap> = []
  /** number of blocks that count as unread with the next block that fails alone */
  private along = 1
  /** blocks of the next part at most */
  most = Number.POSITIVE_INFINITY

  /** The unread blocks of both looks, by their first block. */
  get runs(): ReadonlyArray<Gap> {
    const runs = [...this.unread, ...without(this.before, this.unread)]
    return runs.sort((a, b) => a.fromBlock - b.fromBlock)
  }

  /** Returns the missing blocks that this look has still to try. */
  untried(missing: ReadonlyArray<Gap>): ReadonlyArray<Gap> {
    return without(missing, this.unread)
  }

  /** Notes that a part of `untried` blocks could not be read. */
  failed(part: BlockRange, untried: ReadonlyArray<BlockRange>, reason: string): void {
    const { toBlock } = part
    if (blocksIn([part]) > 1) {
      this.most = Math.ceil(blocksIn([part]) / 2)
      return
    }
    const whole = untried.find(one => one.fromBlock <= toBlock && one.toBlock >= toBlock) ?? part
    const above = this.unread.find(one => one.fromBlock === toBlock + 1)
    const fromBlock = Math.max(whole.fromBlock, toBlock - this.along + 1)
    this.along *= 2
    const run = { reason, toBlock, ...above, fromBlock }
    this.unread = [...this.unread.filter(one => one !== above), run]
  }

  /** Notes that a part was read and put into the log. */
  placed(part: BlockRange): void {
    this.before = without(this.before, [part])
    this.most *= 2
  }

  /** Begins the next look: all blocks are tried again, at first a single one. */
  again(): void {
    this.before = this.unread
    this.unread = []
    this.most = 1
    this.along = 1
  }
}

/** Returns the advice which endpoint would have the blocks. */
export const archiveAdvice = (chain: NamedChain): string =>
  familyOf(chain).keptBy(rpcSettingOf(chain))

/**
 * Returns the warning about blocks of history that cannot be read, with advice; none for no blocks.
 */
export const unreadWarning = (
  runs: ReadonlyArray<Gap>,
  chain: NamedChain
): ReadonlyArray<string> => {
  const [first, last] = [runs[0], runs[runs.length - 1]]
  if (first === undefined || last === undefined) return []
  const count = blocksIn(runs)
  const what = runs.length === 1 ? "blocks" : `${count} blocks of`
  return [
    `${what} ${first.fromBlock}..${last.toBlock} of the history cannot be read: ` +
      `${last.reason}. They are gaps until an endpoint has them, and asked for again: ` +
      archiveAdvice(chain)
  ]
}
