/**
 * Logs that a later line of the files takes back (`removed: true`, as nodes tell of a reorg to who
 * subscribed). Known before the first log is read, so that what a run writes is what stands.
 */
import { Effect, Result, type Scope } from "effect"
import { toHex } from "../../../src/domain/address.ts"
import { openByteFile } from "../../../src/platform/byte-file.ts"
import type { SourceError } from "../../source.ts"
import { fileError, forEachByteLine, lineText } from "./line-reader.ts"
import { logsIn, readLog } from "./log-json.ts"
import { type LogRecord, newLogRecord } from "./log-record.ts"

/** A place in the files of a run, in the order in which they were given. */
export interface Place {
  readonly file: number
  readonly line: number
}

const isAfter = (a: Place, b: Place): boolean =>
  a.file !== b.file ? a.file > b.file : a.line > b.line

const FIELD = Buffer.from('"removed"')
const TRUE = /"removed"\s*:\s*true/

/** A log that a line takes back. */
export interface Removal extends Place {
  readonly block: number
  readonly logIndex: number
  readonly txHash: string
  /** null where the line has none */
  readonly blockHash: string | null
}

const identityOf = (record: LogRecord): string =>
  `${record.block}:${record.raw.logIndex}:${toHex(record.txHash)}`

export class Removals {
  /** the last line that takes a log back, by the log */
  private readonly lines = new Map<string, Removal>()
  /** logs that a line told again after that, as far as the files were read */
  private readonly told = new Set<string>()
  /** the files that were looked through */
  private readonly known = new Set<number>()

  /** All that a file takes back will have been added before its first log is read. */
  lookedThrough(file: number): void {
    this.known.add(file)
  }

  /** Whether a file's lines may take logs back: where nobody looked, it is too late for that. */
  knows(file: number): boolean {
    return this.known.has(file)
  }

  add(record: LogRecord, place: Place): void {
    const { block, raw, txHash, hasBlockHash, blockHash } = record
    this.lines.set(identityOf(record), {
      ...place,
      block,
      logIndex: raw.logIndex,
      txHash: toHex(txHash),
      blockHash: hasBlockHash ? toHex(blockHash) : null
    })
  }

  /** The logs that are taken back, and not told again so far. */
  standing(): ReadonlyArray<Removal> {
    return [...this.lines].filter(([log]) => !this.told.has(log)).map(([, removal]) => removal)
  }

  /** Where a log that stands in this line is taken back; null where it is not, or told again. */
  after(record: LogRecord, place: Place): Place | null {
    if (this.lines.size === 0) return null
    const log = identityOf(record)
    const found = this.lines.get(log)
    if (found === undefined) return null
    if (isAfter(found, place)) return found
    this.told.add(log)
    return null
  }
}

const removedIn = (text: string, chainId: number): ReadonlyArray<LogRecord> => {
  const value = Result.try(() => JSON.parse(text) as unknown)
  if (Result.isFailure(value)) return []
  return logsIn(value.success).flatMap(log => {
    const record = newLogRecord()
    const isOne = readLog(log, record) === null && record.removed
    return isOne && (record.chainId < 0 || record.chainId === chainId) ? [record] : []
  })
}

/** Whether a file's first bytes have the field: those of nodes and their tools do in every line. */
const hasField = (path: string): Effect.Effect<boolean, SourceError, Scope.Scope> =>
  Effect.gen(function* () {
    const bytes = yield* (yield* openByteFile(path)).next
    return bytes !== null && Buffer.from(bytes).includes(FIELD)
  }).pipe(Effect.mapError(error => fileError(path, error.message)))

/**
 * Looks through the files that have the field, and through `all` where that is asked for; others
 * cost a look at their first bytes, and may take nothing back.
 */
export const readRemovals = (
  paths: ReadonlyArray<string>,
  chainId: number,
  all: boolean
): Effect.Effect<Removals, SourceError> =>
  Effect.gen(function* () {
    const removals = new Removals()
    for (const [file, path] of paths.entries()) {
      if (!all && !(yield* Effect.scoped(hasField(path)))) continue
      removals.lookedThrough(file)
      yield* forEachByteLine(path, (bytes, from, to, line) => {
        const at = bytes.indexOf(FIELD, from)
        if (at < 0 || at >= to) return null
        const text = lineText(bytes, from, to)
        if (!TRUE.test(text)) return null
        for (const record of removedIn(text, chainId)) removals.add(record, { file, line })
        return null
      })
    }
    return removals
  })
