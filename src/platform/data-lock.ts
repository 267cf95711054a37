/** One engine per data folder. */
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

/** Another process works on the data folder; its pid is null when it could not be read. */
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

/** The name of the lock file inside the data folder; it holds the pid of the engine. */
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

/** The pid in the lock file, if that process runs. */
const holderOf = (path: string): number | null => {
  const pid = Number.parseInt(readFileSync(path, "utf8"), 10)
  return Number.isInteger(pid) && isRunning(pid) ? pid : null
}

/** A holder writes its pid just after it locks, so an unreadable one is asked for again. */
const awaitHolder = (path: string, attempts: number): Effect.Effect<number | null> =>
  Effect.sync(() => holderOf(path)).pipe(
    Effect.flatMap(pid =>
      pid !== null || attempts <= 1
        ? Effect.succeed(pid)
        : Effect.sleep("20 millis").pipe(Effect.andThen(awaitHolder(path, attempts - 1)))
    )
  )

/**
 * Locks an open file with flock(2), through the tool, since Node lacks the function. The tool
 * locks the open file it inherits, which is ours as well, so the lock is held by this process
 * until it closes the file or dies in whatever way. A lock therefore is never stale, also when a
 * pid has been reused or the other engine lives in another container.
 */
const tryLock = Effect.fnUntraced(function* (file: number, dataDirectory: string) {
  const { status, error } = spawnSync("flock", ["-n", "3"], {
    stdio: ["ignore", "ignore", "ignore", file]
  })
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
 * Creates the data folder if need be, for this user alone, and holds its lock for the length of the
 * scope. A folder that is there keeps the rights that it has.
 *
 * @returns the folder's absolute path, without symbolic links
 */
export const lockDataFolder = Effect.fn("lockDataFolder")(function* (dataDirectory: string) {
  const folder = yield* usable(dataDirectory, () => {
    makeFolders(dataDirectory, OWN_MODE)
    return realpathSync(dataDirectory)
  })
  const path = join(folder, lockFileName)
  const file = yield* Effect.acquireRelease(
    usable(folder, () => openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644)),
    opened => Effect.sync(() => closeSync(opened))
  )
  if (!(yield* tryLock(file, folder))) return yield* refuse(path, folder)
  yield* usable(folder, () => {
    // over what stands there, which needs no room
    ftruncateSync(file, writeSync(file, `${process.pid}\n`, 0))
  })
  return folder
})

/** Proof that this process alone works on its data folder. */
export class DataLock extends Context.Service<
  DataLock,
  {
    /** absolute, without symbolic links */
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
