/**
 * The words of a log: where it has blocks that are less than proven, so that no pass looks further
 * down than needed, and the outcomes of readings that wait for the next block.
 */
import { assuranceOf } from "../../src/domain/assurance.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { familyOf } from "../../src/domain/chain-family.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import type { BlockRef, Event } from "../../streams/event.ts"
import type { BlockRange } from "../../streams/source.ts"
import { beginsWithRollback } from "../log/block-runs.ts"
import { withFacts } from "./gap-events.ts"
import type { GapLedger } from "./gap-ledger.ts"
import { retoldReason } from "./gap-words.ts"
import type { Difference } from "./same-content.ts"
import { isWord, type WordRun } from "./word-runs.ts"

/** The outcome of reading blocks again. */
export interface Recheck extends BlockRange {
  /** the former grade of all the blocks, and their new grade where no logs differ */
  readonly was: string
  readonly grade: string
  readonly blocks: number
  /** of each block that differs in what it does; if any, all the blocks become a gap */
  readonly differences: ReadonlyArray<ReadonlyArray<Difference>>
}

/** Blocks whose words end with the outcome that stands in the block `at` of the log. */
interface Told {
  readonly at: number
  readonly fromBlock: number
}

/** Number of outcomes that are kept in mind, in case a rollback undoes them. */
const MAX_TOLD = 4_096

const DIFFERENCES = ["transactions", "contents", "hashes", "times"] as const

/** Returns in what blocks differ, as words behind "other". */
export const differingText = ({ differences }: Recheck, contents: string): string =>
  DIFFERENCES.filter(one => differences.flat().includes(one))
    .map(one => (one === "transactions" ? contents : one))
    .join(", ")

/** Reason of the gap of blocks that a node told wrong. */
const reasonOf = (check: Recheck): string => retoldReason(differingText(check, "transactions"))

const toldIn = (
  block: BlockRef,
  checks: ReadonlyArray<Recheck>,
  gaps: GapLedger
): ReadonlyArray<Event> => {
  const fact = { block, tx: null, logIndex: 0 } as const
  return checks.flatMap((check): ReadonlyArray<Event> => {
    const { differences, fromBlock, toBlock, ...proven } = check
    const range = { fromBlock, toBlock }
    if (differences.length === 0) return [{ kind: "BlocksProven", ...fact, ...range, ...proven }]
    const gap: Event = { kind: "GapFound", ...fact, ...range, reason: reasonOf(check) }
    return Array.from({ length: gaps.timesToOpen(range) }, () => gap)
  })
}

export class WordLedger {
  private readonly provesBlocks: boolean
  /** the first block that may be a word; null where there is none */
  from: number | null
  private newest: number
  private pending: ReadonlyArray<Recheck> = []
  /** the outcomes in the log, by their block */
  private told: Array<Told>
  /** rises whenever blocks in the log are replaced */
  epoch = 0
  /**
   * number of blocks that are one node's word: those in the tables at the start, and those that
   * came since. A rollback may have removed some of them.
   */
  blocks: number

  /** @param head the log's newest block: nobody remembers what outcomes stand up to it */
  constructor(chain: Pick<ChainConfig, "family">, words: ReadonlyArray<WordRun> = [], head = -1) {
    this.provesBlocks = familyOf(chain).provesBlocks
    this.blocks = words.reduce((sum, run) => sum + (isWord(run.grade) ? run.blocks : 0), 0)
    const open = words.filter(({ grade }) => this.mayImprove(grade))
    this.from = open.length === 0 ? null : Math.min(...open.map(({ fromBlock }) => fromBlock))
    this.newest = Math.max(-1, ...open.map(({ toBlock }) => toBlock))
    this.told = [{ at: head, fromBlock: 0 }]
  }

  /**
   * Whether more may be known one day of blocks of a grade: where nothing in a block proves it, two
   * endpoints that tell the same are the most that can be.
   */
  mayImprove(grade: string): boolean {
    return isWord(grade) || (this.provesBlocks && assuranceOf(grade) === "compared")
  }

  /** Takes a batch that goes to the log's end. */
  observe(batch: EventBatch): void {
    if (batch.count === 0) return
    if (beginsWithRollback(batch)) this.undo(batch.columns.Rollback.toBlock.get(0))
    const { BlockSealed, BlocksProven } = batch.columns
    for (let i = 0; i < batch.count; i++) {
      const row = batch.row.get(i)
      const block = batch.blocks.number.get(batch.block.get(i))
      if (batch.kind.get(i) === KIND.BlocksProven) {
        this.proven(batch.syms[BlocksProven.was.get(row)] ?? "", BlocksProven.blocks.get(row))
        this.remember({ at: block, fromBlock: BlocksProven.fromBlock.get(row) })
      }
      if (batch.kind.get(i) !== KIND.BlockSealed) continue
      const grade = batch.syms[BlockSealed.grade.get(row)] ?? ""
      if (isWord(grade)) this.blocks++
      if (!this.mayImprove(grade)) continue
      this.lookFrom(block)
      this.newest = Math.max(block, this.newest)
    }
  }

  private lookFrom(block: number): void {
    this.from = Math.min(block, this.from ?? block)
  }

  private remember(told: Told): void {
    this.told.push(told)
    if (this.told.length <= MAX_TOLD) return
    const [first, second] = this.told as [Told, Told]
    const fromBlock = Math.min(first.fromBlock, second.fromBlock)
    this.told.splice(0, 2, { at: second.at, fromBlock })
  }

  /** Notes that the log goes back to a block: outcomes above it are to be found again. */
  private undo(toBlock: number): void {
    const undone = this.told.filter(({ at }) => at > toBlock)
    this.told = this.told.filter(({ at }) => at <= toBlock)
    for (const { fromBlock } of undone) this.lookFrom(fromBlock)
    this.changed()
  }

  private proven(was: string, blocks: number): void {
    if (isWord(was)) this.blocks = Math.max(0, this.blocks - blocks)
  }

  /**
   * Notes that the log has other blocks now: outcomes that wait are dropped, and their blocks are
   * looked at again.
   */
  private changed(): void {
    this.epoch++
    for (const { fromBlock } of this.pending) this.lookFrom(fromBlock)
    this.pending = []
  }

  /** Takes the words of blocks that the log has now in place of others. */
  placed(words: WordLedger): void {
    this.blocks += words.blocks
    this.newest = Math.max(this.newest, words.newest)
    if (words.from !== null) this.lookFrom(words.from)
    this.changed()
  }

  /** Notes that all blocks up to `upTo` were read again and reported within an epoch. */
  done(upTo: number, epoch: number): void {
    if (epoch === this.epoch) this.from = this.newest > upTo ? upTo + 1 : null
  }

  /** Takes an outcome for the next block, if the epoch still holds. */
  tell(check: Recheck, epoch: number): void {
    if (epoch === this.epoch) this.pending = [...this.pending, check]
  }

  /**
   * Takes a batch on its way to a log with these gaps. Returns it, with the outcomes that wait.
   */
  tellIn(batch: EventBatch, gaps: GapLedger): EventBatch {
    if (batch.count === 0) return batch
    this.observe(batch)
    const { pending } = this
    if (pending.length === 0) return batch
    this.pending = []
    for (const { was, blocks, differences } of pending) {
      if (differences.length === 0) this.proven(was, blocks)
    }
    return withFacts(batch, block => {
      for (const { fromBlock } of pending) this.remember({ at: block.number, fromBlock })
      return toldIn(block, pending, gaps)
    })
  }
}
