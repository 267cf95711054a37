/**
 * The effective events of a stretch of the log once more, as pieces that can be appended: what has
 * to follow blocks that came late. Whole segments are taken as they are; only those are taken apart
 * of which some events count no more, or tell facts that now stand earlier.
 */
import { Effect, Option, Result, Stream } from "effect"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventAt } from "../../streams/event-objects.ts"
import { effectiveRanges, type SeqRange } from "./effective.ts"
import { broken } from "./log-errors.ts"
import type { LogStream } from "./log-stream.ts"
import { readRaw, segmentAt } from "./read-log.ts"
import { LOG_START, type RawSegment, startOf } from "./segment.ts"
import { openPayload } from "./segment-message.ts"
import { type Piece, type SizeLimits, splitBatch } from "./split-batch.ts"

/** What is to be copied: effective events after a seq up to another one, of blocks from one on. */
export interface CopyRange {
  readonly afterSeq: number
  readonly toSeq: number
  readonly fromBlock: number
}

type Fact = Extract<Event, { readonly kind: "PoolCreated" | "TokenSeen" }>

const idOf = (fact: Fact): string => (fact.kind === "TokenSeen" ? fact.token : fact.pool)

/** What is said, whenever it is. */
const contentOf = ({ block: _, ...fact }: Fact): string =>
  JSON.stringify(fact, (_key, value) => (typeof value === "bigint" ? `${value}n` : value))

const isFact = (event: Event): event is Fact =>
  event.tx === null && (event.kind === "PoolCreated" || event.kind === "TokenSeen")

/**
 * Facts of pools and tokens that late blocks tell. Where the blocks behind tell the same for their
 * first time, that is left out, as if nobody had been late; what they tell later stays.
 */
export class ToldFacts {
  private readonly facts = new Map<string, string>()
  /** a pool whose fact was left out, in a block: its parameters are too */
  private omitted: { readonly pool: string; readonly block: number } | null = null

  /** Takes what a batch tells in blocks before one. */
  add(batch: EventBatch, beforeBlock = Number.POSITIVE_INFINITY): void {
    const { PoolCreated, TokenSeen } = batch.columns
    if (PoolCreated.pool.count + TokenSeen.token.count === 0) return
    for (let i = 0; i < batch.count; i++) {
      const kind = batch.kind.get(i)
      if (kind !== KIND.PoolCreated && kind !== KIND.TokenSeen) continue
      if (batch.blocks.number.get(batch.block.get(i)) >= beforeBlock) continue
      this.tell(eventAt(batch, i))
    }
  }

  /** Takes an event that may tell a fact. */
  tell(event: Event): void {
    if (isFact(event)) this.facts.set(idOf(event), contentOf(event))
  }

  /** Whether an event behind only repeats a fact. To be asked of each in order. */
  repeats(event: Event): boolean {
    if (isFact(event)) {
      const id = idOf(event)
      const told = this.facts.get(id)
      this.facts.delete(id)
      const same = told === contentOf(event)
      if (event.kind === "PoolCreated") {
        this.omitted = same ? { pool: id, block: event.block.number } : null
      }
      return same
    }
    if (event.kind !== "PoolParameterSet" || event.tx !== null) return false
    return this.omitted?.pool === event.pool && this.omitted.block === event.block.number
  }

  /** Whether a batch may hold such an event. */
  mayRepeat(batch: EventBatch): boolean {
    const { PoolCreated, TokenSeen } = batch.columns
    const has = (column: { readonly count: number; get(row: number): number }): boolean => {
      for (let row = 0; row < column.count; row++) {
        if (this.facts.has(batch.ids.text(column.get(row)) ?? "")) return true
      }
      return false
    }
    return this.facts.size > 0 && (has(PoolCreated.pool) || has(TokenSeen.token))
  }
}

/** The segments that hold events after one seq up to another. */
export const segmentsOf = (stream: LogStream, { afterSeq, toSeq }: CopyRange) =>
  Stream.unwrap(
    Effect.map(
      afterSeq === 0 ? Effect.succeed(Option.none()) : segmentAt(stream, afterSeq + 1),
      first =>
        readRaw(stream, Option.isSome(first) ? startOf(first.value.header) : LOG_START, {
          follow: false
        }).pipe(Stream.takeWhile(({ header }) => header.firstSeq <= toSeq))
    )
  )

const piecesOf = (
  segment: RawSegment,
  batch: EventBatch,
  range: SeqRange,
  fromBlock: number,
  told: ToldFacts,
  limits: SizeLimits
): ReadonlyArray<Piece> => {
  const { firstSeq, lastSeq, firstBlock, rollbackTo, continues, lastBlock } = segment.header
  if (lastBlock < fromBlock) return []
  const whole = range.from <= firstSeq && range.to >= lastSeq && rollbackTo === null
  if (whole && firstBlock >= fromBlock && !told.mayRepeat(batch)) {
    return [{ batch, payload: segment.payload, continues }]
  }
  const events: Array<Event> = []
  const end = Math.min(batch.count, range.to - firstSeq + 1)
  for (let i = Math.max(0, range.from - firstSeq); i < end; i++) {
    if (batch.blocks.number.get(batch.block.get(i)) < fromBlock) continue
    const event = eventAt(batch, i)
    if (!told.repeats(event)) events.push(event)
  }
  if (events.length === 0) return []
  // each stood in a message before
  return splitBatch(batchOf(events), limits, continues && range.to >= lastSeq) ?? []
}

/** Which events of a range count: as seqs, from a first reading of it. */
export const effectiveIn = (stream: LogStream, range: CopyRange) => {
  const facts = Stream.runCollect(
    Stream.map(segmentsOf(stream, range), ({ header: { firstSeq, lastSeq, rollbackTo } }) => ({
      firstSeq,
      lastSeq,
      rollbackTo
    }))
  )
  const within = ({ from, to }: SeqRange): SeqRange => ({
    from: Math.max(from, range.afterSeq + 1),
    to: Math.min(to, range.toSeq)
  })
  return Effect.map(facts, factList =>
    effectiveRanges(factList)
      .map(within)
      .filter(({ from, to }) => from <= to)
  )
}

/** The pieces in order of what counts. */
export const copiesOf = (
  stream: LogStream,
  range: CopyRange,
  ranges: ReadonlyArray<SeqRange>,
  told: ToldFacts,
  limits: SizeLimits
) =>
  segmentsOf(stream, range).pipe(
    Stream.mapEffect(segment => {
      const { firstSeq, lastSeq, streamSeq } = segment.header
      const wanted = ranges.filter(({ from, to }) => from <= lastSeq && to >= firstSeq)
      if (wanted.length === 0) return Effect.succeed([])
      const opened = openPayload(segment)
      if (Result.isFailure(opened)) {
        return Effect.fail(broken(stream.chain, streamSeq, opened.failure))
      }
      const { batch } = opened.success
      return Effect.succeed(
        wanted.flatMap(each => piecesOf(segment, batch, each, range.fromBlock, told, limits))
      )
    }),
    Stream.flattenIterable
  )

/** Copies the events of a range, reading it twice: first which events count, then the events. */
export const copies = (stream: LogStream, range: CopyRange, told: ToldFacts, limits: SizeLimits) =>
  Stream.unwrap(
    Effect.map(effectiveIn(stream, range), ranges => copiesOf(stream, range, ranges, told, limits))
  )
