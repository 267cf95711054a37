/** What all that fills gaps shares: the log, the source, and ledgers of what is missing. */
import { Effect, Option, Stream } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { idsOf } from "../../src/domain/ids.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventsOf } from "../../streams/event-objects.ts"
import { type GapMark, without } from "../../streams/open-gaps.ts"
import { transferTokenOf } from "../../streams/pinned-transfers.ts"
import {
  BACKFILL_GAP,
  type BlockRange,
  type HashesFit,
  type HistoryStatus,
  type LateReading,
  type PinStatus,
  type RepairStatus,
  type Source,
  SourceError
} from "../../streams/source.ts"
import type { AppendError } from "../log/log-errors.ts"
import { staysInPlace } from "../log/merge-late.ts"
import { startOf } from "../log/segment.ts"
import type { TapeLog } from "../log/tape-log.ts"
import { withGapFilled, withGapFound } from "./gap-events.ts"
import { GapLedger } from "./gap-ledger.ts"
import { HolderAudits } from "./holder-audits.ts"
import { type JoinMark, type Pin, PinLedger, type PinMark } from "./pin-ledger.ts"
import { PinParts } from "./pin-parts.ts"
import { WordLedger } from "./word-ledger.ts"
import type { WordRun } from "./word-runs.ts"

export interface LateOptions {
  readonly chain: ChainConfig
  readonly log: TapeLog
  readonly source: Source
  readonly ledger: GapLedger
  readonly pins: PinLedger
  readonly parts: PinParts
  readonly audits: HolderAudits
  readonly words: WordLedger
  /** the first block that the log is to hold; null for the block that it begins with */
  readonly floor: number | null
  readonly order: HistoryStatus["order"]
  /** how history is read; blocks that are repaired are always proven */
  readonly reading: LateReading
  /** blocks of the smallest part of history that is put into the log at once */
  readonly minPart?: number
  /** first pause after a failure, and the longest */
  readonly firstPauseMs?: number
  readonly longestPauseMs?: number
  /** share of the time for what is read again beside the head; a twentieth by default */
  readonly timeShare?: number
}

/** Repairs of old blocks move a large part of the log each, and all of history may be words. */
export const TIME_SHARE = 0.05

/** For `/status`. */
export interface LateStatus {
  history: HistoryStatus | null
  repairs: RepairStatus
  pins: ReadonlyArray<PinStatus>
}

export const newLateStatus = (): LateStatus => ({
  history: null,
  repairs: { open: 0, filled: 0, tries: 0, problem: null, lastTry: null },
  pins: []
})

/**
 * Makes a test of events: is it a transfer of a token that was pinned at its block? Late blocks
 * bring such transfers with them. Transfers of before the pin belong to the side log.
 */
export const isLateTransfer = (pins: ReadonlyArray<Pin>) => {
  const added = new Map(pins.map(({ token, addedBlock }) => [token, addedBlock]))
  return (event: Event): boolean => {
    const token = transferTokenOf(event)
    if (token === null) return false
    return event.block.number >= (added.get(token) ?? Number.POSITIVE_INFINITY)
  }
}

/** Returns the batch without transfers of before their token was pinned. */
const withoutEarly = (batch: EventBatch, pins: ReadonlyArray<Pin>): EventBatch => {
  const { TransferSeen, LogQuarantined } = batch.columns
  if (TransferSeen.token.count + LogQuarantined.address.count === 0) return batch
  const isLate = isLateTransfer(pins)
  return batchOf(eventsOf(batch).filter(event => transferTokenOf(event) === null || isLate(event)))
}

/** Hands on batches one behind, so that the last of them that holds events is known as such. */
const withLast = <E>(
  batches: Stream.Stream<EventBatch, E>,
  ending: (last: EventBatch) => EventBatch
): Stream.Stream<EventBatch, E> =>
  Stream.suspend(() => {
    let held: EventBatch | null = null
    const behind = Stream.flatMap(batches, batch => {
      if (batch.count === 0) return Stream.empty
      const before = held
      held = batch
      return before === null ? Stream.empty : Stream.succeed(before)
    })
    const last = Stream.suspend(() => (held === null ? Stream.empty : Stream.succeed(ending(held))))
    return Stream.concat(behind, last)
  })

/** Blocks that were read late. */
export interface LatePart extends BlockRange {
  /** all blocks of the range, one at least; an error says that they are not all */
  readonly batches: Stream.Stream<EventBatch, AppendError>
  /** the gaps that these blocks close: none that were found since they were read */
  readonly fills: () => ReadonlyArray<BlockRange>
  /** whether an event that stands in the range stays, because it was not read again */
  readonly keeps?: (event: Event) => boolean
}

/** Returns the batches of a part, with what closes its gaps in the last of them. */
const closed = ({ ledger, pins }: LateOptions, part: LatePart, then: () => void) => {
  const marks = ledger.closing(part, part.fills())
  const closing = (batch: EventBatch): EventBatch =>
    marks.reduce(
      (whole, mark) =>
        mark.open
          ? withGapFound(whole, { ...mark, reason: mark.reason ?? "" })
          : withGapFilled(whole, mark),
      batch
    )
  const whole = Stream.map(part.batches, batch => withoutEarly(batch, pins.pins))
  // asked for more, whoever takes them has taken them all
  const end = Stream.suspend(() => {
    then()
    return Stream.empty
  })
  return { marks, batches: Stream.concat(withLast(whole, closing), end) }
}

/**
 * Puts the blocks of parts into their place in the log, all in one rewriting of what follows the
 * first, with a `GapFilled` in the last block of each: where slots have no block that is one before
 * the part's end. Returns how many events the parts brought, and how many others were written anew.
 * Where it fails, the parts before the failure are in place.
 *
 * @param parts by their first block, one at least
 */
export const placeBlocks = (
  options: LateOptions,
  parts: ReadonlyArray<LatePart>
): Effect.Effect<{ readonly late: number; readonly moved: number }, AppendError> => {
  const { chain, log, ledger, words } = options
  const placedWords = new WordLedger(chain)
  let brought = 0
  const taken: Array<() => void> = []
  const streams = parts.map(part => {
    const { marks, batches } = closed(options, part, () => {
      taken.push(() => ledger.replaced(part, marks))
    })
    return Stream.tap(batches, batch =>
      Effect.sync(() => {
        placedWords.observe(batch)
        brought += batch.count
      })
    )
  })
  const [{ fromBlock }, { toBlock }] = [parts[0], parts[parts.length - 1]] as [LatePart, LatePart]
  const partOf = ({ block: { number } }: Event) =>
    parts.find(part => number >= part.fromBlock && number <= part.toBlock)
  const keeps = (event: Event) => (partOf(event)?.keeps ?? staysInPlace)(event)
  const placed = Effect.sync(() => {
    if (taken.length === 0) return
    for (const note of taken) note()
    // before that no reader of the log finds them
    words.placed(placedWords)
  })
  const batches = Stream.flatten(Stream.fromIterable(streams))
  return log.replace({ fromBlock, toBlock, ranges: parts, batches, keeps }).pipe(
    Effect.map(({ late, moved }) => ({ late: brought, moved: late + moved - brought })),
    Effect.ensuring(placed)
  )
}

/** Returns the function by which the source reads blocks of the past. */
export const pastOf = ({ source }: LateOptions): NonNullable<Source["past"]> =>
  source.past ??
  (() => Stream.fail(new SourceError({ message: "the source has no past", fatal: true })))

/**
 * Returns the batches of the live source. The history before the log's first block is declared
 * missing in the first of them, and again after a rollback has undone that.
 */
const declaring = (
  { log, ledger, floor }: LateOptions,
  batches: Stream.Stream<EventBatch, SourceError>
) =>
  Effect.gen(function* () {
    const first = yield* log.segmentAt(1)
    let begins = Option.isSome(first) ? first.value.header.firstBlock : null
    // the ledger as it will be once all former batches are in the log
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

/** Appends the batches of the live source, and keeps the ledgers up to date with the log. */
export const appendLive = (options: LateOptions, batches: Stream.Stream<EventBatch, SourceError>) =>
  Effect.gen(function* () {
    const { log, ledger, pins, parts, audits, words } = options
    const underway: Array<EventBatch> = []
    const sent = Stream.map(yield* declaring(options, batches), batch => {
      const whole = words.tellIn(audits.tellIn(parts.tellIn(batch)), ledger)
      underway.push(whole)
      return whole
    })
    yield* Stream.runForEach(log.appendAll(sent), () =>
      Effect.sync(() => {
        const batch = underway.shift()
        if (batch === undefined) return
        ledger.observe(batch)
        pins.observe(batch)
      })
    )
  })

/** What tables know of a log up to the seq `at`: gaps, pins, joins, how blocks are known. */
export interface KnownMarks {
  readonly gaps: ReadonlyArray<GapMark>
  readonly pins: ReadonlyArray<PinMark>
  readonly joins: ReadonlyArray<JoinMark>
  readonly words: ReadonlyArray<WordRun>
  readonly fits: HashesFit
  readonly at: number
}

export const NO_MARKS: KnownMarks = {
  ...{ gaps: [], pins: [], joins: [], words: [] },
  ...{ fits: { headers: false, receipts: false }, at: 0 }
}

/**
 * Events of the side log that the blocks of one second join at most. To fold them takes some
 * hundredths of a second.
 */
const JOINED_EVENTS_PER_SECOND = 4_000

/** Makes the ledgers of the whole log, from known marks and the part of the log after them. */
export const readLedgers = (
  log: TapeLog,
  marks: KnownMarks,
  { blockTimeMs, ...chain }: Pick<ChainConfig, "blockTimeMs" | "family">
) =>
  Effect.gen(function* () {
    const ledger = new GapLedger(marks.gaps)
    const pins = new PinLedger(marks.pins, marks.joins)
    const [last] = yield* log.tailBlocks(1)
    const words = new WordLedger(chain, marks.words, last?.number)
    const next = yield* log.segmentAt(marks.at + 1)
    if (Option.isSome(next)) {
      yield* Stream.runForEach(
        log.read(startOf(next.value.header), { follow: false }),
        ({ batch }) =>
          Effect.sync(() => {
            ledger.observe(batch)
            pins.observe(batch)
            words.observe(batch)
          })
      )
    }
    ledger.head = last?.number ?? null
    const parts = new PinParts(pins, (JOINED_EVENTS_PER_SECOND * blockTimeMs) / 1_000)
    return { ledger, pins, parts, audits: new HolderAudits(idsOf(chain)), words }
  })
