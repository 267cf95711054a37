/**
 * What became of the segments that were sent. An acknowledgement says it; a timeout, a lost
 * connection or a refusal leaves it open. Then the end of the stream decides: segments of ours
 * that stand there are done, the rest is sent again in order. Sending twice does no harm: within
 * two minutes the server drops a message of the same id, and at any time it refuses one that does
 * not follow the last. A message there that is not ours means that somebody else writes this log.
 */
import { Effect, Option, Result } from "effect"
import { misplaced } from "../../src/platform/jetstream.ts"
import { NatsRefused } from "../../src/platform/nats.ts"
import { type AppendError, broken, LogFenced, LogUnusable } from "./log-errors.ts"
import { lastStreamSeq, messageAt } from "./log-stream.ts"
import { type LogWriter, publish, type Sent } from "./log-writer.ts"
import { endOf } from "./segment.ts"
import { hashHeader, writerHeader } from "./segment-message.ts"

const firstPauseMs = 50
const longestPauseMs = 2_000

const streamSeqOf = ({ segment }: Sent): number => segment.header.streamSeq

/** Everything up to a message is in the stream for good. */
const acknowledge = (writer: LogWriter, streamSeq: number): void => {
  writer.delay = null
  const waiting: Array<Sent> = []
  for (const sent of writer.sent) {
    if (streamSeqOf(sent) > streamSeq) waiting.push(sent)
    else {
      sent.acknowledged = true
      writer.acknowledged = endOf(sent.segment.header)
    }
  }
  writer.sent = waiting
}

/** Takes from the end of the stream what became of the segments sent. */
const lookAtEnd = Effect.fnUntraced(function* (writer: LogWriter) {
  const { stream, acknowledged, sent, name } = writer
  const last = yield* lastStreamSeq(stream)
  if (last < acknowledged.streamSeq) {
    return yield* broken(stream.chain, last + 1, "it had been acknowledged, but is gone")
  }
  if (last === acknowledged.streamSeq) return
  const message = yield* messageAt(stream, last)
  const ours = sent.find(item => streamSeqOf(item) === last)
  const isOurs =
    message.header(hashHeader) === ours?.segment.header.hash &&
    message.header(writerHeader) === name
  if (isOurs) return acknowledge(writer, last)
  return yield* new LogFenced({
    chain: stream.chain,
    streamSeq: last,
    message:
      `another process appends to the log of ${stream.chain} (message ${last} of ` +
      `${stream.name} is not ours): stop one of the two, then start this lane again`
  })
})

type Outcome = "stored" | "unknown" | LogUnusable

const outcomeOf = Effect.fnUntraced(function* (writer: LogWriter, sent: Sent) {
  const answer = yield* Effect.result(sent.answer)
  if (Result.isSuccess(answer)) {
    const stored = answer.success.streamSeq === streamSeqOf(sent)
    return (stored ? "stored" : "unknown") as Outcome
  }
  const error = answer.failure
  // Refused for any other reason than its place: it would be refused again.
  if (error instanceof NatsRefused && !misplaced(error)) {
    return new LogUnusable({ chain: writer.stream.chain, message: error.message }) as Outcome
  }
  if (!(error instanceof NatsRefused)) writer.delay = error.message
  return "unknown" as Outcome
})

/** Sends again what is not in the stream, and waits; gives the first refusal, if there is one. */
const sendAgain = Effect.fnUntraced(function* (writer: LogWriter) {
  const again = writer.sent
  for (const [i, sent] of again.entries()) {
    sent.answer = yield* publish(writer, sent.segment, again[i - 1]?.segment)
  }
  for (const sent of again) {
    const outcome = yield* outcomeOf(writer, sent)
    if (outcome === "stored") acknowledge(writer, streamSeqOf(sent))
    else return outcome instanceof LogUnusable ? Option.some(outcome) : Option.none<LogUnusable>()
  }
  return Option.none<LogUnusable>()
})

/** Goes on until everything sent is in the stream. The caller holds the lock. */
export const settleAll = Effect.fnUntraced(
  function* (writer: LogWriter) {
    if (writer.failure !== null) return yield* Effect.fail(writer.failure)
    for (let pauseMs = firstPauseMs; writer.sent.length > 0; pauseMs *= 2) {
      for (const sent of writer.sent) yield* Effect.result(sent.answer)
      yield* lookAtEnd(writer)
      const refusal = yield* sendAgain(writer)
      if (Option.isSome(refusal)) return yield* refusal.value
      if (writer.sent.length > 0) yield* Effect.sleep(Math.min(pauseMs, longestPauseMs))
    }
  },
  (effect, writer) =>
    Effect.tapError(effect, error =>
      Effect.sync(() => {
        writer.failure = error
      })
    )
)

/** Waits until a segment, and with it all before it, is in the stream. */
export const settle = (writer: LogWriter, sent: Sent): Effect.Effect<void, AppendError> =>
  Effect.flatMap(outcomeOf(writer, sent), outcome => {
    if (sent.acknowledged) return Effect.void
    if (outcome === "stored") return Effect.sync(() => acknowledge(writer, streamSeqOf(sent)))
    return writer.lock.withPermit(settleAll(writer))
  })
