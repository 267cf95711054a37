/**
 * The source that reads files: NDJSON(.gz) of logs, receipts or blocks, merged into one order.
 * Facts of pools and tokens come from side files, the chain's anchors and CREATE2; nothing is
 * asked of a node and nothing is guessed.
 */
import { basename } from "node:path"
import { Effect, Queue, Stream } from "effect"
import type { EventBatch } from "../../batch/batch.ts"
import type { LogTail, Source, SourceError } from "../../source.ts"
import { StatusBoard } from "../../status-board.ts"
import {
  type FileRun,
  type FileSourceOptions,
  type OpenFile,
  openRun,
  readRun
} from "./file-run.ts"
import type { Rejection } from "./log-cursor.ts"
import { Rejections } from "./rejections.ts"

export interface FileProgress {
  /** bytes of the files on disk, and how many of them were read */
  readonly totalBytes: number
  readonly readBytes: number
  /** logs of the chain, logs of other chains, repeated logs, rejected lines of all files */
  readonly logs: number
  readonly skipped: number
  readonly duplicates: number
  readonly rejected: number
  /** pairs of known tokens whose pools were not computed because there are too many */
  readonly omittedPairs: number
}

export interface FileSource extends Source {
  readonly progress: () => FileProgress
  /** the first lines that were no log, with file, line and reason */
  readonly rejections: () => ReadonlyArray<Rejection>
  /** logs that a line takes back, and none told again after it, as far as was read */
  readonly takenBack: () => ReadonlyArray<TakenBack>
}

/** A log that a file takes back. */
export interface TakenBack extends Pick<Rejection, "file" | "line"> {
  readonly block: number
  readonly logIndex: number
  readonly txHash: string
  /** null where the line has none */
  readonly blockHash: string | null
}

/** A source over files. The stream ends after the last log. */
export const makeFileSource = (options: FileSourceOptions): FileSource => {
  const status = new StatusBoard("file", options.files.map(path => basename(path)).join(", "))
  const rejected = new Rejections()
  let current: FileRun | null = null
  const read = (tail: LogTail, queue: Queue.Enqueue<EventBatch>) =>
    Effect.gen(function* () {
      rejected.clear()
      current = yield* openRun(options, tail, rejected.add)
      status.enter("backfill")
      yield* readRun(current, status, queue)
      status.enter("ended")
    }).pipe(Effect.tapError(error => Effect.sync(() => status.stopped(error.message))))

  const batches = (tail: LogTail) =>
    Stream.callback<EventBatch, SourceError>(
      queue => Effect.andThen(read(tail, queue), Queue.end(queue)),
      { bufferSize: 2, strategy: "suspend" }
    )
  const sum = (of: (file: OpenFile) => number): number =>
    current === null ? 0 : current.files.reduce((total, file) => total + of(file), 0)
  return {
    batches,
    past: null,
    pinning: null,
    readStates: null,
    status: () => {
      const shown = status.read()
      return { ...shown, quarantined: shown.quarantined + rejected.count }
    },
    rejections: () => rejected.kept,
    takenBack: () =>
      (current?.removals.standing() ?? []).map(removal => ({
        ...removal,
        file: basename(options.files[removal.file] ?? "")
      })),
    progress: () => ({
      totalBytes: sum(({ file }) => file.size),
      readBytes: sum(({ file }) => file.consumed()),
      logs: sum(({ cursor }) => cursor.counters.logs),
      skipped: sum(({ cursor }) => cursor.counters.skipped),
      duplicates: current?.merge.duplicates ?? 0,
      rejected: rejected.count,
      omittedPairs: current?.derived.omittedPairs ?? 0
    })
  }
}
