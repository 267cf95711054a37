/**
 * Repairs blocks that could not be proven when they came: each is read again until some endpoint
 * gives a proof. All that could be read then are put into their places in the log at once, since
 * what follows the first of them is written anew each time. The head waits only during that step.
 */
import { Clock, Effect, Stream } from "effect"
import { steadyMillis } from "../../src/platform/elapsed.ts"
import type { Event } from "../../streams/event.ts"
import { blocksIn, without } from "../../streams/open-gaps.ts"
import { transferTokenOf } from "../../streams/pinned-transfers.ts"
import {
  BACKFILL_GAP,
  type BlockRange,
  type RepairStatus,
  type SourceError
} from "../../streams/source.ts"
import type { AppendError } from "../log/log-errors.ts"
import { staysInPlace } from "../log/merge-late.ts"
import {
  isLateTransfer,
  type LateOptions,
  type LatePart,
  type LateStatus,
  pastOf,
  placeBlocks,
  TIME_SHARE
} from "./late-log.ts"
import { deepRestMs, RepairRanges } from "./repair-ranges.ts"

const FIRST_PAUSE_MS = 2_000
const MAX_PAUSE_MS = 600_000
const LOOK_MS = 500

/** Blocks that are put into the log at once, at most: they wait in memory until then. */
const MAX_PLACED_BLOCKS = 512

/** Ranges that a line names. */
const MAX_NAMED = 4

const textOf = (ranges: ReadonlyArray<BlockRange>): string => {
  const named = ranges
    .slice(0, MAX_NAMED)
    .map(({ fromBlock, toBlock }) => `${fromBlock}-${toBlock}`)
  const more = ranges.length - named.length
  return named.join(", ") + (more > 0 ? ` and ${more} more stretches` : "")
}

/** Reads all blocks of a range with proofs. */
const readPart = (options: LateOptions, range: BlockRange) =>
  Effect.gen(function* () {
    const tail = { blocks: [], knownPools: [], knownTokens: [] }
    const fills = options.ledger.closer(range)
    // transfers of a token that is pinned meanwhile were not read, so they stay as they are
    const read = new Set(options.source.pinning?.asked())
    const isLate = isLateTransfer(options.pins.pins)
    const keeps = (event: Event) =>
      staysInPlace(event) && !(read.has(transferTokenOf(event) ?? "") && isLate(event))
    const batches = yield* Stream.runCollect(pastOf(options)(range, tail, "proofs"))
    return { ...range, batches: Stream.fromIterable(batches), fills, keeps }
  })

const isDeep = ({ ledger, chain }: LateOptions, { fromBlock }: BlockRange): boolean =>
  (ledger.head ?? 0) - fromBlock > chain.finalityDepth

/** What repairs have in hand. */
class Repairs {
  readonly options: LateOptions
  readonly ranges: RepairRanges
  /** what was read and is not in the log yet */
  parts: ReadonlyArray<LatePart> = []
  private readonly late: LateStatus
  /** deep parts are not placed before */
  private deepAfter = 0

  constructor(options: LateOptions, late: LateStatus, firstPauseMs: number) {
    this.options = options
    this.late = late
    this.ranges = new RepairRanges(firstPauseMs, options.longestPauseMs ?? MAX_PAUSE_MS)
  }

  /** The range that is to be read next; null where there is none, or enough is read. */
  next(nowMs: number): BlockRange | null {
    const { ledger } = this.options
    const open = ledger.open.filter(({ reason }) => reason !== BACKFILL_GAP)
    this.tell({ open: open.length })
    // a rollback may have undone what was missing
    this.parts = this.parts.filter(part => without([part], open).length === 0)
    if (blocksIn(this.parts) >= MAX_PLACED_BLOCKS) return null
    const movable = open.filter(gap => nowMs >= this.deepAfter || !isDeep(this.options, gap))
    return this.ranges.next(without(movable, this.parts), nowMs)
  }

  tell(news: Partial<RepairStatus>): void {
    this.late.repairs = { ...this.late.repairs, ...news }
  }

  /** Notes how the reading or placing of blocks ended, and why where it failed. */
  tried({ fromBlock, toBlock }: BlockRange, atMs: number, problem: string | null): void {
    this.tell({ lastTry: { atMs, fromBlock, toBlock, problem }, problem })
  }

  placed(restMs: number, nowMs: number, filled: number): void {
    this.deepAfter = Math.max(this.deepAfter, nowMs + restMs)
    this.tell({ filled: this.late.repairs.filled + filled })
  }

  get tries(): number {
    return this.late.repairs.tries
  }
}

const isPassing = (error: AppendError | SourceError): boolean =>
  (error._tag === "SourceError" && !error.fatal) || error._tag === "BatchRefused"

const readNext = (repairs: Repairs, range: BlockRange) =>
  Effect.gen(function* () {
    repairs.tell({ tries: repairs.tries + 1 })
    const outcome = yield* Effect.result(readPart(repairs.options, range))
    const at = yield* Clock.currentTimeMillis
    if (outcome._tag === "Success") {
      repairs.ranges.read(range)
      repairs.tried(range, at, null)
      repairs.parts = [...repairs.parts, outcome.success].sort((a, b) => a.fromBlock - b.fromBlock)
      return true
    }
    if (!isPassing(outcome.failure)) return yield* outcome.failure
    repairs.ranges.failed(range, yield* steadyMillis)
    repairs.tried(range, at, outcome.failure.message)
    return false
  })

/** Puts all that was read into the log. */
const placeAll = (repairs: Repairs) =>
  Effect.gen(function* () {
    const { options, parts } = repairs
    repairs.parts = []
    const [first] = parts as [LatePart, ...ReadonlyArray<LatePart>]
    const deep = isDeep(options, first)
    const began = yield* steadyMillis
    const outcome = yield* Effect.result(placeBlocks(options, parts))
    const now = yield* steadyMillis
    const left = parts.filter(part => without([part], options.ledger.open).length === 0)
    const moved = outcome._tag === "Success" ? outcome.success.moved : null
    const restMs = deep ? deepRestMs(now - began, moved, options.timeShare ?? TIME_SHARE) : 0
    repairs.placed(restMs, now, parts.length - left.length)
    if (outcome._tag === "Success") {
      const { late, moved } = outcome.success
      return yield* Effect.logInfo(
        `${options.chain.key}: blocks ${textOf(parts)} repaired: ` +
          `${late} events put in place, ${moved} moved in ${now - began} ms`
      )
    }
    const error = outcome.failure
    if (!isPassing(error)) return yield* error
    for (const part of left) repairs.ranges.failed(part, now)
    repairs.tried(left[0] ?? first, yield* Clock.currentTimeMillis, error.message)
  })

/** Repairs gaps as they come, for ever. New gaps come before those that failed. */
export const repairGaps = (options: LateOptions, status: LateStatus) =>
  Effect.gen(function* () {
    const firstPause = options.firstPauseMs ?? FIRST_PAUSE_MS
    const repairs = new Repairs(options, status, firstPause)
    const pause = Effect.sleep(Math.min(LOOK_MS, firstPause))
    for (;;) {
      const range = repairs.next(yield* steadyMillis)
      if (range !== null) {
        if (!(yield* readNext(repairs, range))) yield* pause
      } else if (repairs.parts.length > 0) yield* placeAll(repairs)
      else yield* pause
    }
  })
