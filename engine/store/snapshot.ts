/**
 * Snapshots: copies of a lane's DuckDB file with a checksum. DuckDB is disposable: a file that does
 * not open or reads badly is moved aside, the newest snapshot that still has its checksum takes its
 * place, and the log's tail is folded again. Nothing is ever repaired in place.
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

const KEPT_SNAPSHOTS = 2

const folderOf = (file: string): string => join(dirname(file), "snapshots")
const prefixOf = (file: string): string => `${basename(file, ".duckdb")}-`
const nameOf = (file: string, seq: number): string =>
  `${prefixOf(file)}${String(seq).padStart(16, "0")}.duckdb`

/** Returns the names of a lane's snapshots, newest first. */
export const snapshotsOf = (file: string) =>
  namesIn(folderOf(file)).pipe(
    Effect.map(names =>
      names
        .filter(name => name.startsWith(prefixOf(file)) && name.endsWith(".duckdb"))
        .sort()
        .reverse()
    )
  )

/** Returns the position of a lane's newest snapshot; 0 where it has none. */
export const newestSnapshot = (file: string) =>
  snapshotsOf(file).pipe(
    Effect.map(([name]) =>
      name === undefined ? 0 : Number(name.slice(prefixOf(file).length, -".duckdb".length))
    )
  )

/** Removes a snapshot and its checksum. */
export const removeSnapshot = (file: string, name: string) =>
  Effect.andThen(remove(join(folderOf(file), name)), remove(join(folderOf(file), `${name}.sha256`)))

/**
 * Writes everything into the file itself, and keeps DuckDB from overwriting any of it until a
 * snapshot was taken. No transaction may be open: DuckDB refuses a checkpoint beside one that
 * writes, and takes a reader's transaction for one.
 */
export const checkpoint = (store: Store): Effect.Effect<void, DuckDbError> =>
  Effect.andThen(store.writer.run("CHECKPOINT"), store.writer.run(CHECKPOINT_NEVER))

/** Removes copies that a former process did not finish. */
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
 * Copies the file as it was at the checkpoint, and removes old snapshots and those of positions
 * that the log no longer has. Commits may go on meanwhile, a merge may not. After a failure nothing
 * of the copy is left. In either case DuckDB may make checkpoints again.
 *
 * @param from the file that holds the tables, where that is not the lane's own `file`
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
    // the log was cut or lost where it once was further: in their place this one would be removed
    const further = names.filter(name => name > basename(target))
    const older = names.slice(further.length + KEPT_SNAPSHOTS)
    for (const name of [...further, ...older]) yield* removeSnapshot(file, name)
  }).pipe(Effect.tapError(() => Effect.ignore(removeUnfinished(file))))

/** Returns the file in which the tables that broke last are kept for inspection. */
export const brokenOf = (file: string): string => `${file}.broken`

/** Removes the broken tables that are kept. Returns the names of the removed files. */
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
 * Moves a broken file and its WAL aside, in place of the broken tables kept before, and copies the
 * newest good snapshot to the lane's own place. Returns the snapshot's name; null where none is
 * good. Where it fails for want of room, it may be called again.
 *
 * @param from the broken file, where that is not the lane's own `file`
 */
export const restoreSnapshot = (
  file: string,
  from = file
): Effect.Effect<string | null, FileError> =>
  Effect.gen(function* () {
    const endings = yield* Effect.filter(["", ".wal"], ending => exists(`${from}${ending}`))
    if (endings.length > 0) yield* removeBroken(file)
    for (const ending of endings) yield* move(`${from}${ending}`, brokenOf(`${file}${ending}`))
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
