/** How the log says no. Every message tells what to do next. */
import { Schema } from "effect"

/** The log is not what was written: a message is missing, damaged, foreign or out of order. */
export class LogBroken extends Schema.TaggedError<LogBroken>()("LogBroken", {
  chain: Schema.String,
  /** the first message that cannot be trusted */
  streamSeq: Schema.Int,
  reason: Schema.String,
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

/** A break at a message, in words. */
export const broken = (chain: string, streamSeq: number, reason: string): LogBroken =>
  new LogBroken({
    chain,
    streamSeq,
    reason,
    message:
      `the log of ${chain} is broken at message ${streamSeq}: ${reason}. ` +
      `Nothing after it was read; "npm run log -- check --chain ${chain}" checks all of it. ` +
      `Stop the engine, then "npm run log -- repair --chain ${chain} --from-source" keeps the part ` +
      "before and reads the rest again; or stop nats-server too and restore the stream from a copy"
  })
