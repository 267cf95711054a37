/** Checks the swaps of a chain of Solana as its nodes tell them, while it grows. */
import { Deferred, Effect, Schedule, Stream } from "effect"
import { nextPart } from "../../engine/late/history-plan.ts"
import type { SolanaBatch } from "../../streams/solana/block.ts"
import {
  bothChecked,
  type CheckedTransactions,
  nothingChecked,
  withBlock
} from "../../streams/solana/checked-transactions.ts"
import { solanaVenues, venuesByProgram as venues } from "../../streams/solana/venues.ts"
import { BACKFILL_GAP, type LogTail, type SourceError } from "../../streams/source.ts"
import { type SolanaRpcSource, solanaRpcSource } from "../../streams/sources/solana-rpc/source.ts"
import { solanaReport } from "./solana-report.ts"

/** Slots of history that are read as one. */
const PART_SLOTS = 256
/** Blocks that may still be taken back, each with what was found in it. */
const OPEN_BLOCKS = 512
const SHOWN_EVERY = "10 seconds"

const NO_LOG: LogTail = { blocks: [], knownPools: [], knownTokens: [] }

export interface RpcCheck {
  readonly endpoints: ReadonlyArray<string>
  /** the first slot; null for the head */
  readonly from: number | null
  /** the last slot; null to follow the head */
  readonly to: number | null
}

interface OpenBlock {
  readonly slot: number
  readonly checked: CheckedTransactions
}

/** What was found so far. */
class Findings {
  private settled = nothingChecked(solanaVenues)
  private open: ReadonlyArray<OpenBlock> = []
  readonly malformed: Array<string> = []
  readonly unread: Array<string> = []
  blocks = 0
  /** whether anything came since it was shown */
  isNew = false

  take(batch: SolanaBatch): void {
    this.isNew = true
    for (const one of batch) {
      if (one._tag === "Rollback") {
        const kept = this.open.filter(({ slot }) => slot <= one.toBlock)
        this.blocks -= this.open.length - kept.length
        this.open = kept
        continue
      }
      // what is doubted was counted as it was told
      if (one._tag === "Doubt") continue
      this.blocks++
      for (const read of one.transactions) {
        if (read._tag !== "Transaction") this.malformed.push(`slot ${one.slot}: ${read.reason}`)
      }
      const checked = withBlock(nothingChecked(solanaVenues), one, venues)
      this.open = [...this.open, { slot: one.slot, checked }]
    }
    const old = this.open.slice(0, Math.max(0, this.open.length - OPEN_BLOCKS))
    this.open = this.open.slice(old.length)
    this.settled = old.reduce((sum, { checked }) => bothChecked(sum, checked), this.settled)
  }

  get all(): CheckedTransactions {
    return this.open.reduce((sum, { checked }) => bothChecked(sum, checked), this.settled)
  }
}

/** What was found by the head and in history, with how the reading goes. */
class Check {
  /** blocks of history come between those of the head, which may be taken back */
  private readonly head = new Findings()
  private readonly history = new Findings()
  private readonly source: SolanaRpcSource

  constructor(source: SolanaRpcSource) {
    this.source = source
  }

  get found(): CheckedTransactions {
    return bothChecked(this.head.all, this.history.all)
  }

  get unread(): ReadonlyArray<string> {
    return this.history.unread
  }

  takeHead(batch: SolanaBatch): void {
    this.head.take(batch)
  }

  takeHistory(batch: SolanaBatch): void {
    this.history.take(batch)
  }

  couldNotRead(words: string): void {
    this.history.isNew = true
    this.history.unread.push(words)
  }

  private get lines(): ReadonlyArray<string> {
    const { emittedBlock, headBlock, reorgs, grades, problem } = this.source.status()
    const { checked, different } = this.source.audit()
    const told = Object.entries(grades).map(([grade, count]) => `${count} ${grade}`)
    return [
      `${this.head.blocks + this.history.blocks} blocks` +
        (headBlock === null ? "" : `, slot ${emittedBlock ?? "-"} of ${headBlock}, `) +
        (headBlock === null ? "" : `${reorgs} forks, ${told.join(", ") || "none graded"}, `) +
        (headBlock === null ? "" : `${checked} read again, ${different} of them differ`),
      ...(problem === null ? [] : [`problem: ${problem}`]),
      ...this.unread.map(line => `not read: ${line}`),
      ""
    ]
  }

  /** Prints the table and how the reading goes, where anything is new or it is the last time. */
  show(isLast: boolean): void {
    if (!isLast && !this.head.isNew && !this.history.isNew) return
    this.head.isNew = false
    this.history.isNew = false
    const malformed = [...this.head.malformed, ...this.history.malformed]
    process.stdout.write(solanaReport(this.found, solanaVenues, malformed) + this.lines.join("\n"))
  }
}

/** Reads history from `to` back to `from`, the newest part first. */
const readHistory = (source: SolanaRpcSource, check: Check, from: number, to: number) =>
  Effect.gen(function* () {
    const { past } = source
    if (past === null) return
    const cut = { order: "newest", head: to, minPart: PART_SLOTS, most: PART_SLOTS } as const
    for (let last = to; last >= from; ) {
      const gap = { fromBlock: from, toBlock: last, reason: BACKFILL_GAP }
      const part = nextPart([gap], cut, null) ?? gap
      last = part.fromBlock - 1
      yield* Stream.runForEach(past(part, NO_LOG, "ranges"), batch =>
        Effect.sync(() => check.takeHistory(batch))
      ).pipe(
        Effect.catchIf(
          ({ fatal }) => !fatal,
          ({ message }) => {
            const words = `slots ${part.fromBlock} to ${part.toBlock}: ${message}`
            return Effect.sync(() => check.couldNotRead(words))
          }
        )
      )
    }
  })

/** Follows the head, and reads what lies before its first block beside it. */
const followHead = (
  source: SolanaRpcSource,
  check: Check,
  from: number | null
): Effect.Effect<void, SourceError> =>
  Effect.gen(function* () {
    const first = yield* Deferred.make<number>()
    const history = Effect.flatMap(Deferred.await(first), slot =>
      readHistory(source, check, from ?? slot, slot - 1)
    )
    const head = Stream.runForEach(source.batches(NO_LOG), batch => {
      const begun = batch.find(one => one._tag === "Block")
      check.takeHead(batch)
      return begun === undefined ? Effect.void : Deferred.succeed(first, begun.slot)
    })
    yield* Effect.all([head, history], { concurrency: 2, discard: true })
  })

/** Reads as far as is asked for, and shows what is found; whether all of it is well. */
export const checkRpc = ({ endpoints, from, to }: RpcCheck): Effect.Effect<boolean, SourceError> =>
  Effect.gen(function* () {
    const programs = solanaVenues.map(({ program }) => program)
    const options = { endpoints, programs, start: null, genesisHash: null }
    const source = yield* solanaRpcSource(options)
    const check = new Check(source)
    const shown = Effect.sync(() => check.show(false))
    yield* Effect.forkScoped(Effect.repeat(shown, Schedule.spaced(SHOWN_EVERY)))
    const reading =
      to === null || from === null
        ? followHead(source, check, from)
        : readHistory(source, check, from, to)
    yield* Effect.ensuring(
      reading,
      Effect.sync(() => check.show(true))
    )
    return check.found.bad.length === 0 && check.unread.length === 0
  }).pipe(Effect.scoped)
