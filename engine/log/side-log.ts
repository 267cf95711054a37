/**
 * The side log of a chain: events of blocks that the chain's own log has left behind, in a stream
 * of their own beside it. It is made of the same segments, chained by the same hashes, and never
 * written again. A part of it is a run of segments whose last event is `TransfersFilled`; its
 * blocks ascend, those of the next part may begin anywhere. Nothing of it counts before the chain's
 * log joins it (`EventsJoined`), so whoever reads that log sees no earlier event move.
 *
 * A part that is torn, or of blocks that the chain has replaced, is taken back by a `Rollback`.
 */
import { Effect, Option, Stream } from "effect"
import type { JetStream } from "../../src/platform/jetstream.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import type { BlockRef } from "../../streams/event.ts"
import { batchOf } from "../../streams/event-objects.ts"
import { type AppendError, broken, LogBroken } from "./log-errors.ts"
import { type LogStream, logStream } from "./log-stream.ts"
import { appendPart, openPartWriter } from "./part-writer.ts"
import { readSegments, segmentAt } from "./read-log.ts"
import { LOG_START, type Segment, startOf } from "./segment.ts"

/** Events of a side log, as `EventsJoined` names them. */
export interface SideRange {
  readonly firstSeq: number
  readonly lastSeq: number
  /** of the segment they end with (hex) */
  readonly hash: string
}

/** A whole part, with its events as they are stored. */
export interface SidePart extends SideRange {
  readonly batches: ReadonlyArray<EventBatch>
}

export interface SideLog {
  /** Appends one part, and waits until it is on disk. */
  readonly append: (batch: EventBatch) => Effect.Effect<SideRange, AppendError>
  /**
   * The parts after a seq that were not taken back, in order. To be called before the first
   * `append`: what a kill left torn at the end is taken back.
   */
  readonly partsAfter: (seq: number) => Effect.Effect<ReadonlyArray<SidePart>, AppendError>
  /** Takes back everything after a seq at which a part ends. */
  readonly takeBackAfter: (seq: number, block: BlockRef) => Effect.Effect<void, AppendError>
}

const endsPart = ({ batch }: Segment): boolean =>
  batch.kind.get(batch.count - 1) === KIND.TransfersFilled

const partOf = (segments: ReadonlyArray<Segment>): SidePart => {
  const [first, last] = [segments[0] as Segment, segments[segments.length - 1] as Segment]
  return {
    firstSeq: first.header.firstSeq,
    lastSeq: last.header.lastSeq,
    hash: last.header.hash,
    batches: segments.map(({ batch }) => batch)
  }
}

/** The parts after a seq, and whether something torn stands behind them. */
const readParts = Effect.fnUntraced(function* (stream: LogStream, seq: number) {
  const first = yield* segmentAt(stream, seq + 1)
  if (Option.isNone(first)) return { parts: [], isTorn: false }
  const from = seq === 0 ? LOG_START : startOf(first.value.header)
  let parts: Array<SidePart> = []
  let open: Array<Segment> = []
  yield* Stream.runForEach(readSegments(stream, from, { follow: false }), segment =>
    Effect.sync(() => {
      const { rollbackTo } = segment.header
      if (rollbackTo !== null) {
        parts = parts.filter(({ lastSeq }) => lastSeq <= rollbackTo)
        open = []
        return
      }
      open.push(segment)
      if (!endsPart(segment)) return
      parts.push(partOf(open))
      open = []
    })
  )
  return { parts, isTorn: open.length > 0 }
})

/** The batch that takes back what follows a seq. */
const takingBack = (toSeq: number, block: BlockRef) =>
  batchOf([
    {
      kind: "Rollback",
      block,
      tx: null,
      logIndex: 0,
      toSeq,
      toBlock: block.number,
      toHash: block.hash,
      fromBlock: block.number,
      reason: "part"
    }
  ])

const NOWHERE: BlockRef = { number: 0, time: 0, hash: null, parentHash: null }

/** Opens the side log of a chain for appending, and creates it where there is none. */
export const openSideLog = (chain: string): Effect.Effect<SideLog, AppendError, JetStream> =>
  Effect.gen(function* () {
    const writer = yield* openPartWriter(yield* logStream(chain, "side"))
    const takeBackAfter = (seq: number, block: BlockRef) =>
      Effect.asVoid(appendPart(writer, takingBack(seq, block), seq))
    return {
      append: batch => appendPart(writer, batch, null),
      partsAfter: seq =>
        Effect.gen(function* () {
          const end = writer.acknowledged
          if (end.seq < seq) {
            const reason = `it ends at event ${end.seq}, but the log of ${chain} joins it up to ${seq}`
            const own = `the side log of ${chain} (stream ${writer.stream.name})`
            const error = broken(chain, end.streamSeq + 1, reason)
            return yield* new LogBroken({ ...error, message: `${own}: ${error.message}` })
          }
          const { parts, isTorn } = yield* readParts(writer.stream, seq)
          if (isTorn) yield* takeBackAfter(parts.at(-1)?.lastSeq ?? seq, NOWHERE)
          return parts
        }),
      takeBackAfter
    }
  })
