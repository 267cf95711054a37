/**
 * A file of logs, line by line: fed with bytes, it stands on one log at a time. Lines that are no
 * log are rejected with file, line and reason, and passed over; lines of other chains are skipped.
 */
import { Result } from "effect"
import { type JsonLog, logsIn, readLog } from "./log-json.ts"
import { type LogRecord, newLogRecord } from "./log-record.ts"
import { LogScanner } from "./log-scanner.ts"
import type { Removals } from "./removals.ts"

const NEWLINE = 0x0a

/** A line longer than this is not read: whole blocks with receipts stay far below. */
const LINE_LIMIT = 256 * 2 ** 20

/** A line that is no log, and why. */
export interface Rejection {
  readonly file: string
  readonly line: number
  readonly reason: string
}

export interface CursorParts {
  readonly onReject: (rejection: Rejection) => void
  /** which logs later lines take back, and the file's number among the files of the run */
  readonly removals: Removals
  readonly number: number
}

export interface CursorCounters {
  /** logs of the chain, other chains' logs */
  logs: number
  skipped: number
  rejected: number
}

/**
 * `hungry`: it must be fed or ended; `ready`: `record` is the log it stands on; `failed`: the file
 * may not be read on, see `problem`
 */
export type CursorState = "hungry" | "ready" | "done" | "failed"

export class LogCursor {
  readonly file: string
  readonly chainId: number
  readonly counters: CursorCounters = { logs: 0, skipped: 0, rejected: 0 }
  state: CursorState = "hungry"
  /** The log it stands on; the one before stays intact until the cursor moves again. */
  record: LogRecord = newLogRecord()
  /** number of the line of `record`, from 1 */
  line = 0
  /** why the file cannot be read on */
  problem: string | null = null
  private spare: LogRecord = newLogRecord()
  private readonly onReject: (rejection: Rejection) => void
  private readonly removals: Removals
  private readonly number: number
  private readonly scanner = new LogScanner()
  private buffer: Buffer = Buffer.alloc(0)
  private at = 0
  private end = 0
  private ended = false
  private pending: ReadonlyArray<JsonLog> = []
  private nextPending = 0

  constructor(file: string, chainId: number, { onReject, removals, number }: CursorParts) {
    this.file = file
    this.chainId = chainId
    this.onReject = onReject
    this.removals = removals
    this.number = number
  }

  /** More bytes of the file; they are copied. */
  feed(bytes: Uint8Array): void {
    const rest = this.end - this.at
    if (rest + bytes.length > this.buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(rest + bytes.length, this.buffer.length * 2))
      this.buffer.copy(larger, 0, this.at, this.end)
      this.buffer = larger
    } else this.buffer.copyWithin(0, this.at, this.end)
    this.buffer.set(bytes, rest)
    this.at = 0
    this.end = rest + bytes.length
    if (this.state === "hungry") this.advance()
  }

  /** The file has no more bytes. */
  finish(): void {
    this.ended = true
    if (this.state === "hungry") this.advance()
  }

  /** Moves to the next log of the chain. */
  advance(): void {
    for (;;) {
      if (this.nextPending < this.pending.length) {
        if (this.takePending()) return
        continue
      }
      const from = this.at
      const newline = this.buffer.indexOf(NEWLINE, from)
      const complete = newline >= 0 && newline < this.end
      if (!complete && !this.ended) {
        this.state = "hungry"
        if (this.end - from > LINE_LIMIT) this.dropLongLine()
        return
      }
      if (!complete && from >= this.end) {
        this.state = "done"
        return
      }
      const to = complete ? newline : this.end
      this.at = complete ? newline + 1 : this.end
      this.line++
      if (this.takeLine(from, to)) return
    }
  }

  private takeLine(from: number, to: number): boolean {
    if (this.scanner.scan(this.buffer, from, to, this.spare)) return this.settle()
    const text = this.buffer.toString("utf8", from, to).trim()
    if (text === "") return false
    const value = Result.try(() => JSON.parse(text) as unknown)
    if (Result.isFailure(value)) return this.reject("not JSON")
    this.pending = logsIn(value.success)
    this.nextPending = 0
    return this.pending.length === 0
      ? this.reject("neither a log nor a receipt nor a block")
      : false
  }

  private takePending(): boolean {
    const reason = readLog(this.pending[this.nextPending++] as JsonLog, this.spare)
    return reason === null ? this.settle() : this.reject(reason)
  }

  /** Stands on the log just read, if it is one of this chain. */
  private settle(): boolean {
    const { spare } = this
    if (spare.chainId >= 0 && spare.chainId !== this.chainId) {
      this.counters.skipped++
      return false
    }
    if (spare.removed) {
      return this.removals.knows(this.number) ? this.reject("removed by a reorg") : this.fail()
    }
    const removal = this.removals.after(spare, { file: this.number, line: this.line })
    if (removal !== null) {
      const where = removal.file === this.number ? "" : " of a later file"
      return this.reject(`removed by a reorg, as line ${removal.line}${where} tells`)
    }
    this.spare = this.record
    this.record = spare
    this.counters.logs++
    this.state = "ready"
    return true
  }

  /** A log is taken back that may have gone out: nobody looked for that before. */
  private fail(): true {
    this.problem =
      `${this.file}:${this.line} takes a log back (removed: true), and the file's first MiB does ` +
      "not say that lines may: replay into a new --data folder with --find-removed, which looks " +
      "through the files first"
    this.state = "failed"
    return true
  }

  /** Counts the log it stands on among those that cannot be used. */
  refuse(reason: string): void {
    this.counters.logs--
    this.reject(reason)
  }

  private reject(reason: string): false {
    this.counters.rejected++
    this.onReject({ file: this.file, line: this.line, reason })
    return false
  }

  /** Keeps nothing of a line that never ends. */
  private dropLongLine(): void {
    this.line++
    this.reject(`longer than ${LINE_LIMIT} bytes`)
    this.at = this.end
  }
}
