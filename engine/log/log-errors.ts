/** How the log says no. Every message tells what to do next. */
import { Schema } from "effect"

/** The log is not what was written: a message is missing, damaged, foreign or out of order. */
export class LogBroken extends Schema.TaggedError<LogBroken>()("LogBroken", {
  chain: Schema.String,
  /** the first message that cannot be trusted */
  streamSeq: Schema.Int,
  reason: Schema.String,
  /** the last seq before it of a log that files were replayed into; null of any other */
  replayedTo: Schema.NullOr(Schema.Int),
  message: Schema.String
}) {}

/** Somebody else appends to the log of this lane. */
export class LogFenced extends Schema.TaggedError<LogFenced>()("LogFenced", {
  chain: Schema.String,
  /** the message that is not ours */
  streamSeq: Schema.Int,
  message: Schema.String
}) {}

/** The batch does not continue the log; appending it would make the log wrong. */
export class BatchRefused extends Schema.TaggedError<BatchRefused>()("BatchRefused", {
  chain: Schema.String,
  message: Schema.String
}) {}

/** JetStream does not let us: no such log, no permission, a limit reached. */
export class LogUnusable extends Schema.TaggedError<LogUnusable>()("LogUnusable", {
  chain: Schema.String,
  message: Schema.String
}) {}

export type ReadError = LogBroken | LogUnusable
export type AppendError = LogBroken | LogFenced | BatchRefused | LogUnusable

/** How to get back what is lost of a log that was replayed from files: no source has it. */
export const replayAgain = (chain: string, seq: number): string =>
  `"npm run log -- cut --chain ${chain} --to ${seq} --yes" keeps the part before, and ` +
  `"npm run replay -- --chain ${chain} FILE..." with all the files again adds the rest`

/** A break at a message, in words; for `replayedTo` see `LogBroken`. */
export const broken = (
  chain: string,
  streamSeq: number,
  reason: string,
  replayedTo: number | null = null
): LogBroken => {
  const mend =
    replayedTo === null
      ? `"npm run log -- repair --chain ${chain} --from-source" keeps the part before and reads the ` +
        "rest again"
      : `${replayAgain(chain, replayedTo)}, as it was replayed from files`
  return new LogBroken({
    chain,
    streamSeq,
    reason,
    replayedTo,
    message:
      `the log of ${chain} is broken at message ${streamSeq}: ${reason}. ` +
      `Nothing after it was read; "npm run log -- check --chain ${chain}" checks all of it. ` +
      `Stop the engine, then ${mend}; or stop nats-server too and restore the stream from a copy`
  })
}
