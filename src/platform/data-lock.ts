/** Locks a data folder, so that one engine alone works on it. */
import { spawnSync } from "node:child_process"
import {
  closeSync,
  constants,
  ftruncateSync,
  openSync,
  readFileSync,
  realpathSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { Context, Effect, Layer, Schema } from "effect"
import { makeFolders, OWN_MODE } from "./make-folder.ts"
import { isRunning } from "./process-table.ts"
import { wantOfRoom } from "./room.ts"

/** Another process works on the data folder; `pid` is null where the lock file names no process. */
export class DataFolderInUse extends Schema.TaggedError<DataFolderInUse>()("DataFolderInUse", {
  dataDirectory: Schema.String,
  pid: Schema.NullOr(Schema.Int),
  message: Schema.String
}) {}

/** The data folder cannot be created, written or locked. */
export class DataFolderUnusable extends Schema.TaggedError<DataFolderUnusable>()(
  "DataFolderUnusable",
  { dataDirectory: Schema.String, message: Schema.String }
) {}

/** Name of the lock file inside the data folder; the file holds the engine's pid. */
export const lockFileName = "engine.lock"

const cure = (cause: unknown, folder: string): string => {
  const want = wantOfRoom(String(cause), folder)
  return want === null ? "" : `${want}, or `
}

const usable = <A>(dataDirectory: string, attempt: () => A) =>
  Effect.try({
    try: attempt,
    catch: cause =>
      new DataFolderUnusable({
        dataDirectory,
        message:
          `the data folder ${dataDirectory} cannot be used (${(cause as Error).message}): ` +
          `${cure(cause, dataDirectory)}set DATA_DIR or --data to a folder that can be written`
      })
  })

/** Returns the pid in the lock file; null where no such process runs, or nothing names one. */
const holderOf = (path: string): number | null => {
  try {
    const pid = Number.parseInt(readFileSync(path, "utf8"), 10)
    return Number.isInteger(pid) && isRunning(pid) ? pid : null
  } catch {
    return null
  }
}

/** Reads the holder's pid, again after 20 ms: a holder writes its pid just after it locks. */
const awaitHolder = (path: string, attempts: number): Effect.Effect<number | null> =>
  Effect.sync(() => holderOf(path)).pipe(
    Effect.flatMap(pid =>
      pid !== null || attempts <= 1
        ? Effect.succeed(pid)
        : Effect.sleep("20 millis").pipe(Effect.andThen(awaitHolder(path, attempts - 1)))
    )
  )

const flock = (opened: number) =>
  spawnSync("flock", ["-n", "3"], { stdio: ["ignore", "ignore", "ignore", opened] })

/**
 * Locks the open folder itself, which nobody deletes by accident as he may the lock file: a second
 * engine would take the first one's log for one that was left. Returns false where another process
 * holds it; file systems that lock no folders have the lock file alone.
 */
const tryLockFolder = (folder: number): boolean => flock(folder).status !== 1

/**
 * Locks an open file by the flock tool, since Node lacks flock(2). Returns false where another
 * process holds the lock. The tool inherits this process's open file, so this process holds the
 * lock until it closes the file or dies. A lock is therefore never stale, even where a pid was
 * reused or the other engine lives in another container.
 */
const tryLock = Effect.fnUntraced(function* (file: number, dataDirectory: string) {
  const { status, error } = flock(file)
  if (status === 0 || status === 1) return status === 0
  const reason = error?.message ?? `flock ended with ${status}`
  return yield* new DataFolderUnusable({
    dataDirectory,
    message:
      `the data folder ${dataDirectory} cannot be locked: ${reason}. ` +
      "The flock tool is part of util-linux (macOS: brew install flock)"
  })
})

const refuse = Effect.fnUntraced(function* (path: string, dataDirectory: string) {
  const pid = yield* awaitHolder(path, 5)
  const holder = pid === null ? "another process" : `process ${pid}`
  return yield* new DataFolderInUse({
    dataDirectory,
    pid,
    message:
      `the data folder ${dataDirectory} is in use by ${holder}: ` +
      "stop that one, or set DATA_DIR to another folder"
  })
})

/**
 * Locks the data folder until the scope ends. A missing folder is created for this user alone; an
 * existing folder keeps its rights.
 *
 * @returns the folder's absolute path, without symbolic links
 */
export const lockDataFolder = Effect.fn("lockDataFolder")(function* (dataDirectory: string) {
  const folder = yield* usable(dataDirectory, () => {
    makeFolders(dataDirectory, OWN_MODE)
    return realpathSync(dataDirectory)
  })
  const path = join(folder, lockFileName)
  const opened = (at: string, flags: number) =>
    Effect.acquireRelease(
      usable(folder, () => openSync(at, flags, 0o644)),
      file => Effect.sync(() => closeSync(file))
    )
  const here = yield* opened(folder, constants.O_RDONLY)
  if (!tryLockFolder(here)) return yield* refuse(path, folder)
  const file = yield* opened(path, constants.O_RDWR | constants.O_CREAT)
  if (!(yield* tryLock(file, folder))) return yield* refuse(path, folder)
  yield* usable(folder, () => {
    // Overwriting in place also works on a full disk.
    ftruncateSync(file, writeSync(file, `${process.pid}\n`, 0))
  })
  return folder
})

/** Proof that this process alone works on its data folder. */
export class DataLock extends Context.Service<
  DataLock,
  {
    /** absolute path, without symbolic links */
    readonly dataDirectory: string
  }
>()("swaptape/platform/DataLock") {
  static readonly layer = (dataDirectory: string) =>
    Layer.effect(
      DataLock,
      lockDataFolder(dataDirectory).pipe(
        Effect.map(folder => DataLock.of({ dataDirectory: folder }))
      )
    )
}
