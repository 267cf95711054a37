/**
 * Several files of logs as one, in order of block and position. A log that stands in more than one
 * place is taken once; two different logs for one place, or a file out of order, is an error.
 */
import { Data } from "effect"
import type { LogCursor } from "./log-cursor.ts"
import { compareRecords, type LogRecord, sameLog } from "./log-record.ts"

/** Files whose logs cannot be put in one order; the message names files and lines. */
class MergeError extends Data.TaggedError("MergeError")<{ readonly message: string }> {}

export type MergeStep =
  | { readonly kind: "hungry"; readonly cursor: LogCursor }
  | { readonly kind: "log"; readonly cursor: LogCursor }
  | { readonly kind: "error"; readonly error: MergeError }
  | { readonly kind: "done" }

const DONE: MergeStep = { kind: "done" }

const place = (file: string, line: number): string => `${file}:${line}`

const failure = ({ problem }: LogCursor): MergeStep => ({
  kind: "error",
  error: new MergeError({ message: problem ?? "" })
})

export class LogMerge {
  duplicates = 0
  private readonly cursors: ReadonlyArray<LogCursor>
  /** the steps of each cursor, made once */
  private readonly steps: ReadonlyMap<
    LogCursor,
    { readonly hungry: MergeStep; readonly log: MergeStep }
  >
  private current: LogCursor | null = null
  private last: LogRecord | null = null
  private lastFile = ""
  private lastLine = 0

  constructor(cursors: ReadonlyArray<LogCursor>) {
    this.cursors = cursors
    this.steps = new Map(
      cursors.map(cursor => [
        cursor,
        { hungry: { kind: "hungry", cursor }, log: { kind: "log", cursor } }
      ])
    )
  }

  /** The next log, which its cursor stands on until the next call; or the cursor to feed first. */
  next(): MergeStep {
    if (this.current !== null) {
      this.pass(this.current)
      this.current = null
    }
    for (;;) {
      let least: LogCursor | null = null
      for (const cursor of this.cursors) {
        if (cursor.state === "hungry") return this.step(cursor).hungry
        if (cursor.state === "done") continue
        if (cursor.state === "failed") return failure(cursor)
        if (least === null || compareRecords(cursor.record, least.record) < 0) least = cursor
      }
      if (least === null) return DONE
      const order = this.last === null ? 1 : compareRecords(least.record, this.last)
      if (order > 0) {
        this.current = least
        return this.step(least).log
      }
      const error = this.conflict(least, order)
      if (error !== null) return { kind: "error", error }
      this.duplicates++
      this.pass(least)
    }
  }

  private step(cursor: LogCursor) {
    return this.steps.get(cursor) as { readonly hungry: MergeStep; readonly log: MergeStep }
  }

  /** Remembers the log a cursor stands on, then moves the cursor. */
  private pass(cursor: LogCursor): void {
    this.last = cursor.record
    this.lastFile = cursor.file
    this.lastLine = cursor.line
    cursor.advance()
  }

  private conflict(cursor: LogCursor, order: number): MergeError | null {
    const { record } = cursor
    const here = place(cursor.file, cursor.line)
    const before = place(this.lastFile, this.lastLine)
    const what = `log ${record.raw.logIndex} of block ${record.block}`
    if (order < 0) {
      return new MergeError({
        message: `${here}: ${what} comes after ${before}: sort the file by blockNumber and logIndex`
      })
    }
    return this.last !== null && sameLog(record, this.last)
      ? null
      : new MergeError({ message: `${before} and ${here} disagree about ${what}` })
  }
}
