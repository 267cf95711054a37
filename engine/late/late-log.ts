/** What those who fill gaps share: the log, the source, and what is missing. */
import { Effect, Option, type Scope, Stream } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { JetStream } from "../../src/platform/jetstream.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import {
  BACKFILL_GAP,
  type BlockRange,
  type HistoryStatus,
  type LateReading,
  type RepairStatus,
  type Source,
  SourceError
} from "../../streams/source.ts"
import type { AppendError } from "../log/log-errors.ts"
import { startOf } from "../log/segment.ts"
import type { TapeLog } from "../log/tape-log.ts"
import { lastBlockOf, withGapFilled, withGapFound } from "./gap-events.ts"
import { GapLedger, type GapMark, without } from "./gap-ledger.ts"

export interface LateOptions {
  readonly chain: ChainConfig
  readonly log: TapeLog
  readonly source: Source
  readonly ledger: GapLedger
  /** the first block that is wanted; null for what the log begins with */
  readonly floor: number | null
  readonly order: HistoryStatus["order"]
  /** how history is read; blocks that are repaired are always proven */
  readonly reading: LateReading
  /** blocks of the smallest part of history that is put into the log at once */
  readonly minPart?: number
  /** first pause after a failure, and the longest */
  readonly firstPauseMs?: number
  readonly longestPauseMs?: number
}

/** For `/status`. */
export interface LateStatus {
  history: HistoryStatus | null
  repairs: RepairStatus
}

export const newLateStatus = (): LateStatus => ({
  history: null,
  repairs: { open: 0, filled: 0, tries: 0, problem: null }
})

export type LateError = AppendError | SourceError
export type LateNeeds = JetStream | Scope.Scope

/** Puts the blocks of a range in their place, and tells that they are there. */
export const placeBlocks = <E>(
  { log, ledger }: LateOptions,
  { fromBlock, toBlock }: BlockRange,
  batches: Stream.Stream<EventBatch, E>
): Effect.Effect<{ readonly late: number; readonly moved: number }, E | AppendError> => {
  const range = { fromBlock, toBlock }
  const closing = (batch: EventBatch): EventBatch =>
    ledger
      .saidIn(range)
      .reduce(
        (whole, mark) =>
          mark.open
            ? withGapFound(whole, { ...mark, reason: mark.reason ?? "" })
            : withGapFilled(whole, mark),
        withGapFilled(batch, range)
      )
  const whole = Stream.map(batches, batch =>
    batch.count > 0 && lastBlockOf(batch) === toBlock ? closing(batch) : batch
  )
  return log
    .replace({ ...range, batches: whole })
    .pipe(Effect.tap(() => Effect.sync(() => ledger.replaced(range))))
}

/** Blocks of the past from the source. */
export const pastOf = ({ source }: LateOptions): NonNullable<Source["past"]> =>
  source.past ??
  (() => Stream.fail(new SourceError({ message: "the source has no past", fatal: true })))

/**
 * What the live source emits, with the history before the log's first block declared missing as
 * soon as there is a block to say so in, and again when that is undone.
 */
const declaring = <E>({ log, ledger, floor }: LateOptions, batches: Stream.Stream<EventBatch, E>) =>
  Effect.gen(function* () {
    const first = yield* log.segmentAt(1)
    let begins = Option.isSome(first) ? first.value.header.firstBlock : null
    // what will be known once the batches before are in the log
    const ahead = ledger.copy()
    return Stream.map(batches, batch => {
      if (batch.count === 0 || floor === null) return batch
      begins ??= batch.blocks.number.get(0)
      ahead.observe(batch)
      const wanted = { fromBlock: Math.max(1, floor), toBlock: begins - 1, reason: BACKFILL_GAP }
      if (wanted.fromBlock > wanted.toBlock) return batch
      const missing = without([wanted], ahead.declared(BACKFILL_GAP))
      if (missing.length === 0) return batch
      const whole = missing.reduce(withGapFound, batch)
      ahead.observe(whole)
      return whole
    })
  })

/** Appends what the live source emits, and keeps the ledger of what stands in the log. */
export const appendLive = <E>(options: LateOptions, batches: Stream.Stream<EventBatch, E>) =>
  Effect.gen(function* () {
    const { log, ledger } = options
    const underway: Array<EventBatch> = []
    const sent = Stream.map(yield* declaring(options, batches), batch => {
      underway.push(batch)
      return batch
    })
    yield* Stream.runForEach(log.appendAll(sent), () =>
      Effect.sync(() => {
        const batch = underway.shift()
        if (batch !== undefined) ledger.observe(batch)
      })
    )
  })

/** A ledger of the whole log, from what is known of it up to a seq and what follows there. */
export const readLedger = (log: TapeLog, marks: ReadonlyArray<GapMark>, knownAt: number) =>
  Effect.gen(function* () {
    const ledger = new GapLedger(marks)
    const [last] = yield* log.tailBlocks(1)
    const next = yield* log.segmentAt(knownAt + 1)
    if (Option.isSome(next)) {
      yield* Stream.runForEach(
        log.read(startOf(next.value.header), { follow: false }),
        ({ batch }) => Effect.sync(() => ledger.observe(batch))
      )
    }
    ledger.head = last?.number ?? null
    return ledger
  })
