/**
 * Where the log has blocks that are less than proven: as far down as some may be, so that nobody
 * looks for them behind that. And what is to be told of those that were proven since.
 */
import { assuranceOf, FILE_GRADE } from "../../src/domain/assurance.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import type { BlockRef, Event } from "../../streams/event.ts"
import type { BlockRange } from "../../streams/source.ts"
import { beginsWithRollback } from "../log/block-runs.ts"
import { withFacts } from "./gap-events.ts"
import { isWord, type WordRun } from "./word-runs.ts"

/** Whether more may be known of a block one day than its grade says. */
export const isProvable = (grade: string): boolean =>
  assuranceOf(grade) !== "proven" && grade !== FILE_GRADE

/** What reading blocks again has shown. */
export interface Recheck extends BlockRange {
  /** what they all were, and are where they are the same */
  readonly was: string
  readonly grade: string
  readonly blocks: number
  /** how many are others than were told first: then all of them are read once more, as a gap */
  readonly differing: number
}

/** Why blocks are a gap about which a node was wrong. */
const OTHER_LOGS = "logs that were told first are not those of the blocks' receipts"

const toldIn = (block: BlockRef, checks: ReadonlyArray<Recheck>): ReadonlyArray<Event> => {
  const fact = { block, tx: null, logIndex: 0 } as const
  return checks.map(({ differing, fromBlock, toBlock, ...proven }): Event => {
    const range = { fromBlock, toBlock }
    return differing > 0
      ? { kind: "GapFound", ...fact, ...range, reason: OTHER_LOGS }
      : { kind: "BlocksProven", ...fact, ...range, ...proven }
  })
}

export class WordLedger {
  /** no block before is one; null where none is known */
  from: number | null
  private newest: number
  private pending: ReadonlyArray<Recheck> = []
  /** changes whenever blocks do that stand in the log */
  epoch = 0
  /**
   * blocks that are one node's word: those that the tables knew, and what came since. Some of them
   * the chain may have taken back.
   */
  blocks: number

  constructor(words: ReadonlyArray<WordRun> = []) {
    this.blocks = words.reduce((sum, run) => sum + (isWord(run.grade) ? run.blocks : 0), 0)
    const open = words.filter(({ grade }) => isProvable(grade))
    this.from = open.length === 0 ? null : Math.min(...open.map(({ fromBlock }) => fromBlock))
    this.newest = Math.max(-1, ...open.map(({ toBlock }) => toBlock))
  }

  /** Takes a batch that goes to the log, at its end or late. */
  observe(batch: EventBatch): void {
    if (batch.count === 0) return
    if (beginsWithRollback(batch)) this.changed()
    const { BlockSealed, BlocksProven } = batch.columns
    for (let i = 0; i < batch.count; i++) {
      const row = batch.row.get(i)
      if (batch.kind.get(i) === KIND.BlocksProven) {
        this.proven(batch.syms[BlocksProven.was.get(row)] ?? "", BlocksProven.blocks.get(row))
      }
      if (batch.kind.get(i) !== KIND.BlockSealed) continue
      const grade = batch.syms[BlockSealed.grade.get(row)] ?? ""
      if (isWord(grade)) this.blocks++
      if (!isProvable(grade)) continue
      const block = batch.blocks.number.get(batch.block.get(i))
      this.from = Math.min(block, this.from ?? block)
      this.newest = Math.max(block, this.newest)
    }
  }

  private proven(was: string, blocks: number): void {
    if (isWord(was)) this.blocks = Math.max(0, this.blocks - blocks)
  }

  /** Blocks of the log are others: what was found out of them before counts no more. */
  changed(): void {
    this.epoch++
    this.pending = []
  }

  /** All blocks up to one were looked at since `epoch`, and told. */
  done(upTo: number, epoch: number): void {
    if (epoch === this.epoch) this.from = this.newest > upTo ? upTo + 1 : null
  }

  /** To be told with the next block. */
  tell(check: Recheck, epoch: number): void {
    if (epoch === this.epoch) this.pending = [...this.pending, check]
  }

  /** A batch on its way to the log, with what is to be told in it. */
  tellIn(batch: EventBatch): EventBatch {
    if (batch.count === 0) return batch
    this.observe(batch)
    const { pending } = this
    if (pending.length === 0) return batch
    this.pending = []
    for (const { was, blocks, differing } of pending) if (differing === 0) this.proven(was, blocks)
    return withFacts(batch, block => toldIn(block, pending))
  }
}
