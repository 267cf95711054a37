/**
 * Events of a side log that the chain's log joins (`EventsJoined`): as far as a lane is concerned
 * they are part of that log, so what is missing or damaged of them is a break of it.
 */
import { Effect, Option } from "effect"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { broken, LogBroken, type ReadError } from "./log-errors.ts"
import { type LogStream, messageAt, otherPart, persist } from "./log-stream.ts"
import { decoded, misplaced, openSegment, segmentAt } from "./read-log.ts"
import { endOf, LOG_START, type LogPosition, startOf } from "./segment.ts"
import type { SideRange } from "./side-log.ts"

/** Reads the events of a range, with every check. */
export type ReadJoined = (range: SideRange) => Effect.Effect<ReadonlyArray<EventBatch>, ReadError>

/** The place before a seq. */
const placeBefore = (stream: LogStream, seq: number): Effect.Effect<LogPosition, ReadError> =>
  Effect.gen(function* () {
    const info = yield* persist(stream, stream.jetStream.stream(stream.name))
    if (Option.isNone(info)) return yield* broken(stream.chain, 1, "there is no such stream")
    const segment = yield* segmentAt(stream, seq)
    if (Option.isNone(segment)) {
      const reason = `it ends before event ${seq}`
      return yield* broken(stream.chain, info.value.lastSeq + 1, reason)
    }
    return startOf(segment.value.header)
  })

const readFrom = (stream: LogStream, start: LogPosition, { lastSeq, hash }: SideRange) =>
  Effect.gen(function* () {
    const batches: Array<EventBatch> = []
    let at = start
    while (at.seq < lastSeq) {
      const message = yield* messageAt(stream, at.streamSeq + 1)
      const raw = yield* Effect.fromResult(openSegment(stream, message))
      const reason = misplaced(raw, at)
      if (reason !== null) return yield* broken(stream.chain, raw.header.streamSeq, reason)
      const { batch, header } = yield* Effect.fromResult(decoded(stream, raw))
      batches.push(batch)
      at = endOf(header)
    }
    if (at.seq === lastSeq && at.hash === hash) return { batches, at }
    const reason = `it ends at event ${at.seq} with hash ${at.hash}, not as it was joined`
    return yield* broken(stream.chain, at.streamSeq, reason)
  })

/** What is wrong with the side log, as a break of the log that joins it. */
const asBreak = (
  { chain, name }: LogStream,
  { firstSeq, lastSeq }: SideRange,
  { reason, streamSeq }: LogBroken
) =>
  new LogBroken({
    chain,
    streamSeq,
    reason,
    replayedTo: null,
    message:
      `the log of ${chain} joins events ${firstSeq}..${lastSeq} of its side log (stream ${name}), ` +
      `which is broken at message ${streamSeq}: ${reason}. Nothing after it was read; ` +
      `"npm run log -- check --chain ${chain}" checks all of it. Stop the engine, then ` +
      `"npm run log -- repair --chain ${chain} --from-source" keeps the log up to there, and reads ` +
      "the rest and those transfers again; or stop nats-server too and restore the stream from a " +
      "copy"
  })

/** Reads what a log joins, fastest where one range follows the other. */
export const joinedReader = (log: LogStream): ReadJoined => {
  const stream = otherPart(log, "side")
  let last: LogPosition = LOG_START
  return range =>
    Effect.gen(function* () {
      const follows = last.seq > 0 && last.seq + 1 === range.firstSeq
      const start = follows ? last : yield* placeBefore(stream, range.firstSeq)
      if (start.seq + 1 !== range.firstSeq) {
        const reason = `no segment begins at event ${range.firstSeq}`
        return yield* broken(stream.chain, start.streamSeq + 1, reason)
      }
      const { batches, at } = yield* readFrom(stream, start, range)
      last = at
      return batches
    }).pipe(Effect.catchTag("LogBroken", error => Effect.fail(asBreak(stream, range, error))))
}
