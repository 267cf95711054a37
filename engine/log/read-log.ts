/**
 * Reads a log and believes nothing: each message must be a segment of this chain, hash to its own
 * hash, continue the seqs, name the hash before it, and decode. The first that does not ends the
 * stream with `LogBroken`; nothing after it is given.
 */
import { Effect, Option, Result, Stream } from "effect"
import { FILE_GRADE } from "../../src/domain/assurance.ts"
import type { MessageMissing } from "../../src/platform/jetstream-read.ts"
import type { NatsRefused } from "../../src/platform/nats.ts"
import { nextTurn } from "../../src/platform/turn.ts"
import { broken, type LogBroken, LogUnusable, type ReadError } from "./log-errors.ts"
import { type LogStream, lastStreamSeq, messageAt, missing } from "./log-stream.ts"
import {
  endOf,
  LOG_START,
  type LogPosition,
  type RawSegment,
  type Segment,
  startOf
} from "./segment.ts"
import { openMessage, openPayload, type SegmentMessage } from "./segment-message.ts"

/** The segment in a message of this log; its place in the chain of hashes is not checked. */
export const openSegment = (
  { chain }: LogStream,
  message: SegmentMessage
): Result.Result<RawSegment, LogBroken> => {
  const opened = openMessage(message)
  if (Result.isFailure(opened)) return Result.fail(broken(chain, message.streamSeq, opened.failure))
  const owner = opened.success.header.chain
  return owner === chain
    ? Result.succeed(opened.success)
    : Result.fail(broken(chain, message.streamSeq, `it belongs to the log of ${owner}`))
}

/** Why a segment cannot stand where it does, after this position; null where it can. */
export const misplaced = ({ header }: RawSegment, after: LogPosition): string | null => {
  const { firstSeq, previousHash } = header
  if (previousHash !== after.hash) {
    return `it follows a segment of hash ${previousHash}, but the one before it has ${after.hash}`
  }
  return firstSeq === after.seq + 1
    ? null
    : `it begins at seq ${firstSeq}, but the one before it ends at ${after.seq}`
}

/** Checks messages one after the other, from a position on. */
const chainFrom = (stream: LogStream, from: LogPosition) => {
  let at = from
  /** the message that ends at `from` is read once more, to compare its hash */
  let seenStart = from.streamSeq === 0
  return (message: SegmentMessage): Result.Result<RawSegment | null, LogBroken> => {
    const opened = openSegment(stream, message)
    if (Result.isFailure(opened)) return opened
    const { header } = opened.success
    const fail = (reason: string) => Result.fail(broken(stream.chain, header.streamSeq, reason))
    if (!seenStart) {
      seenStart = true
      return header.hash === from.hash && header.lastSeq === from.seq
        ? Result.succeed(null)
        : fail(
            `it ends at seq ${header.lastSeq} with hash ${header.hash}, ${from.hash} was expected`
          )
    }
    const reason = misplaced(opened.success, at)
    if (reason !== null) return fail(reason)
    at = endOf(header)
    return opened
  }
}

const isSegment = (segment: RawSegment | null): segment is RawSegment => segment !== null

/** What reading a stream can fail with, as this log says it. */
const failures = (stream: LogStream) => ({
  MessageMissing: ({ streamSeq }: MessageMissing) => Effect.fail(missing(stream, streamSeq)),
  NatsRefused: ({ message }: NatsRefused) =>
    Effect.fail(new LogUnusable({ chain: stream.chain, message }))
})

export interface ReadLogOptions {
  /** false: end at what is today the end of the log; true: go on with new segments for ever */
  readonly follow: boolean
}

/** The segments after a position, undecoded. */
export const readRaw = (
  stream: LogStream,
  from: LogPosition,
  { follow }: ReadLogOptions
): Stream.Stream<RawSegment, ReadError> => {
  const { chain, name, jetStream } = stream
  const segments = Effect.gen(function* () {
    const last = yield* lastStreamSeq(stream)
    if (last < from.streamSeq) {
      const reason = `the log ends before it, but had reached message ${from.streamSeq}`
      return yield* broken(chain, last + 1, reason)
    }
    const check = chainFrom(stream, from)
    return jetStream.read(name, { from: Math.max(1, from.streamSeq), follow }).pipe(
      Stream.mapEffect(message => Effect.fromResult(check(message))),
      Stream.filter(isSegment)
    )
  })
  return Stream.unwrap(segments).pipe(
    Stream.catchTags({
      MessageMissing: ({ streamSeq }) => Stream.fail(missing(stream, streamSeq)),
      NatsRefused: ({ message }) => Stream.fail(new LogUnusable({ chain, message }))
    })
  )
}

export const decoded = (
  { chain }: LogStream,
  segment: RawSegment
): Result.Result<Segment, LogBroken> =>
  Result.mapError(openPayload(segment), reason => broken(chain, segment.header.streamSeq, reason))

/** The segment in a message; null where it is not there, or not whole. */
const segmentIn = (stream: LogStream, streamSeq: number) =>
  stream.jetStream.message(stream.name, streamSeq).pipe(
    Effect.map(stored => {
      if (Option.isNone(stored)) return null
      const opened = openSegment(stream, stored.value)
      return Result.getOrNull(Result.flatMap(opened, raw => decoded(stream, raw)))
    }),
    Effect.orElseSucceed(() => null)
  )

/** Whether files were replayed into a log: its blocks say so. */
const isReplayed = ({ batch }: Segment): boolean => {
  const { grade } = batch.columns.BlockSealed
  return grade.count > 0 && batch.syms[grade.get(grade.count - 1)] === FILE_GRADE
}

/**
 * The newest segment before a message that can be read; null where none is. A lost file of messages
 * takes hundreds of them, so the way back is in growing steps, and then to the last by halving.
 */
const wholeBefore = Effect.fnUntraced(function* (stream: LogStream, streamSeq: number) {
  let [there, gone] = [0, streamSeq]
  let later: Segment | null = null
  for (let step = 1; later === null && gone > 1; step *= 2) {
    const at = Math.max(1, streamSeq - step)
    later = yield* segmentIn(stream, at)
    if (later === null) gone = at
    else there = at
  }
  while (later !== null && gone - there > 1) {
    const middle = (there + gone) >> 1
    const segment = yield* segmentIn(stream, middle)
    if (segment === null) gone = middle
    else [there, later] = [middle, segment]
  }
  return later
})

/** Some segment after a message that can be read; null where none is found in growing steps. */
const someAfter = Effect.fnUntraced(function* (stream: LogStream, streamSeq: number) {
  const last = yield* Effect.orElseSucceed(lastStreamSeq(stream), () => 0)
  for (let step = 1; streamSeq + step <= last; step *= 2) {
    const segment = yield* segmentIn(stream, streamSeq + step)
    if (segment !== null) return segment
  }
  return null
})

/** The break, with what helps where files were replayed: no source has those. */
const withAdvice = (stream: LogStream, error: LogBroken) =>
  Effect.gen(function* () {
    const { chain, streamSeq, reason } = error
    const before = yield* wholeBefore(stream, streamSeq)
    const near = before ?? (yield* someAfter(stream, streamSeq))
    if (near === null || !isReplayed(near)) return yield* error
    return yield* broken(chain, streamSeq, reason, before?.header.lastSeq ?? 0)
  })

const advised = <A>(effect: Effect.Effect<A, ReadError>, stream: LogStream) =>
  Effect.catchTag(effect, "LogBroken", error => withAdvice(stream, error))

/** The segments after a position, with their events. */
export const readSegments = (
  stream: LogStream,
  from: LogPosition,
  options: ReadLogOptions
): Stream.Stream<Segment, ReadError> =>
  Stream.mapEffect(readRaw(stream, from, options), segment =>
    // decoding one takes some milliseconds, and many may have come at once
    Effect.andThen(
      nextTurn,
      Effect.suspend(() => Effect.fromResult(decoded(stream, segment)))
    )
  ).pipe(Stream.catchTag("LogBroken", error => Stream.fromEffect(withAdvice(stream, error))))

/** Where the log ends, as the server knows it; the last segment's own hash is checked. */
export const logEnd = Effect.fnUntraced(function* (stream: LogStream) {
  const last = yield* lastStreamSeq(stream)
  if (last === 0) return { position: LOG_START, header: null }
  const message = yield* messageAt(stream, last)
  const { header } = yield* Effect.fromResult(openSegment(stream, message))
  return { position: endOf(header), header }
}, advised)

/** Checks messages of one run from the last to the first; each must end where the next begins. */
const backwards = (
  stream: LogStream,
  messages: ReadonlyArray<SegmentMessage>,
  end: LogPosition
): Result.Result<readonly [ReadonlyArray<Segment>, LogPosition], LogBroken> => {
  let expected = end
  const segments: Array<Segment> = []
  for (const message of messages.toReversed()) {
    const raw = openSegment(stream, message)
    if (Result.isFailure(raw)) return Result.fail(raw.failure)
    const { header } = raw.success
    if (header.hash !== expected.hash || header.lastSeq !== expected.seq) {
      const reason = `it has hash ${header.hash}, but the segment after it names ${expected.hash}`
      return Result.fail(broken(stream.chain, header.streamSeq, reason))
    }
    const segment = decoded(stream, raw.success)
    if (Result.isFailure(segment)) return Result.fail(segment.failure)
    segments.push(segment.success)
    expected = startOf(header)
  }
  return Result.succeed([segments, expected])
}

/** The segments that end at or before a position, newest first, read in runs of `runLength`. */
export const readBackwards = (
  stream: LogStream,
  from: LogPosition,
  runLength = 32
): Stream.Stream<Segment, ReadError> =>
  Stream.unfold(
    from,
    Effect.fnUntraced(function* (at: LogPosition) {
      if (at.streamSeq === 0) return undefined
      const first = Math.max(1, at.streamSeq - runLength + 1)
      const run = { from: first, to: at.streamSeq, follow: false }
      const messages = yield* Stream.runCollect(stream.jetStream.read(stream.name, run)).pipe(
        Effect.catchTags(failures(stream))
      )
      return yield* Effect.fromResult(backwards(stream, messages, at))
    })
  ).pipe(Stream.flattenIterable)

/** The segment that holds the event of a seq, by binary search; none past the end. */
export const segmentAt = Effect.fnUntraced(function* (stream: LogStream, seq: number) {
  let low = 1
  let high = yield* lastStreamSeq(stream)
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const message = yield* messageAt(stream, middle)
    const segment = yield* Effect.fromResult(openSegment(stream, message))
    if (seq < segment.header.firstSeq) high = middle - 1
    else if (seq > segment.header.lastSeq) low = middle + 1
    else return Option.some(yield* Effect.fromResult(decoded(stream, segment)))
  }
  return Option.none<Segment>()
})
