/**
 * Copies of a lane's DuckDB file with a checksum. DuckDB is disposable: a file that does not open
 * or reads badly is moved aside, the newest snapshot that still has its checksum takes its place,
 * and the log's tail is folded again. Nothing is ever repaired in place.
 */
import { basename, dirname, join } from "node:path"
import { Effect, Result } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import {
  copy,
  exists,
  type FileError,
  makeFolder,
  move,
  namesIn,
  readText,
  remove,
  sha256File,
  writeText
} from "../../src/platform/files.ts"
import { CHECKPOINT_NEVER, CHECKPOINT_OFTEN, type Store } from "./store.ts"

const KEEP = 2

const folderOf = (file: string): string => join(dirname(file), "snapshots")
const prefixOf = (file: string): string => `${basename(file, ".duckdb")}-`
const nameOf = (file: string, seq: number): string =>
  `${prefixOf(file)}${String(seq).padStart(16, "0")}.duckdb`

/** Names of a lane's snapshots, newest first. */
export const snapshotsOf = (file: string) =>
  namesIn(folderOf(file)).pipe(
    Effect.map(names =>
      names
        .filter(name => name.startsWith(prefixOf(file)) && name.endsWith(".duckdb"))
        .sort()
        .reverse()
    )
  )

/** Position of a lane's newest snapshot; 0 where it has none. */
export const newestSnapshot = (file: string) =>
  snapshotsOf(file).pipe(
    Effect.map(([name]) =>
      name === undefined ? 0 : Number(name.slice(prefixOf(file).length, -".duckdb".length))
    )
  )

/** Removes a snapshot that turned out to be no good. */
export const removeSnapshot = (file: string, name: string) =>
  Effect.andThen(remove(join(folderOf(file), name)), remove(join(folderOf(file), `${name}.sha256`)))

/**
 * Writes everything into the file itself, of which then nothing is overwritten until a snapshot
 * was taken. No transaction may be open: DuckDB refuses while one that writes is, and sees one also
 * in a reader's.
 */
export const checkpoint = (store: Store): Effect.Effect<void, DuckDbError> =>
  Effect.andThen(store.writer.run("CHECKPOINT"), store.writer.run(CHECKPOINT_NEVER))

/** Copies that a process which stopped did not finish. */
const removeUnfinished = (file: string) =>
  namesIn(folderOf(file)).pipe(
    Effect.map(names =>
      names.filter(name => name.startsWith(prefixOf(file)) && name.endsWith(".part"))
    ),
    Effect.flatMap(names =>
      Effect.forEach(names, name => remove(join(folderOf(file), name)), { discard: true })
    )
  )

/**
 * Copies the file as it was at the checkpoint, beside commits but no merge. Old copies go. After a
 * failure nothing of the copy is left, and checkpoints come again. The tables may lie elsewhere
 * than in the lane's own `file`.
 */
export const takeSnapshot = (
  store: Store,
  file: string,
  seq: number,
  from = file
): Effect.Effect<void, DuckDbError | FileError> =>
  Effect.gen(function* () {
    const folder = folderOf(file)
    const target = join(folder, nameOf(file, seq))
    const copied = yield* makeFolder(folder).pipe(
      Effect.andThen(removeUnfinished(file)),
      Effect.andThen(copy(from, `${target}.part`)),
      Effect.result
    )
    yield* store.merger.run(CHECKPOINT_OFTEN)
    if (Result.isFailure(copied)) return yield* copied.failure
    yield* writeText(`${target}.sha256`, yield* sha256File(`${target}.part`))
    yield* move(`${target}.part`, target)
    const names = yield* snapshotsOf(file)
    for (const name of names.slice(KEEP)) yield* removeSnapshot(file, name)
  }).pipe(Effect.tapError(() => Effect.ignore(removeUnfinished(file))))

/** Where broken tables are kept, to be looked at: those that broke last. */
export const brokenOf = (file: string): string => `${file}.broken`

/** Removes what is kept of broken tables; answers the names of what was there. */
export const removeBroken = (file: string): Effect.Effect<ReadonlyArray<string>, FileError> =>
  namesIn(dirname(file)).pipe(
    Effect.map(names =>
      names.filter(name =>
        [file, `${file}.wal`].some(path => name.startsWith(basename(brokenOf(path))))
      )
    ),
    Effect.tap(names =>
      Effect.forEach(names, name => remove(join(dirname(file), name)), { discard: true })
    )
  )

/**
 * Moves a broken file and its WAL aside, in place of those kept before, and puts the newest good
 * snapshot in the lane's own place, wherever the broken one was. Where there is no room for it, it
 * may be done again.
 */
export const restoreSnapshot = (
  file: string,
  from = file
): Effect.Effect<string | null, FileError> =>
  Effect.gen(function* () {
    const found = yield* Effect.filter(["", ".wal"], ending => exists(`${from}${ending}`))
    if (found.length > 0) yield* removeBroken(file)
    for (const ending of found) yield* move(`${from}${ending}`, brokenOf(`${file}${ending}`))
    for (const name of yield* snapshotsOf(file)) {
      const path = join(folderOf(file), name)
      const expected = yield* readText(`${path}.sha256`).pipe(
        Effect.catchTag("FileError", () => Effect.succeed(""))
      )
      if ((yield* sha256File(path)) !== expected.trim()) continue
      yield* copy(path, `${file}.part`).pipe(
        Effect.tapError(() => Effect.ignore(remove(`${file}.part`)))
      )
      yield* move(`${file}.part`, file)
      return name
    }
    return null
  })
