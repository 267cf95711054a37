/**
 * Which DuckDB file of a lane readers have. There are two places for tables: while readers have the
 * tables in one place, new tables can be made in the other. A small file, the note, names the place
 * that readers have. The note is replaced by one rename, so a kill at any moment leaves the old
 * note or the new one.
 *
 * Where the note names no place, the tables in the lane's own place are being made, and the next
 * process may continue with them.
 */
import { basename, dirname, join } from "node:path"
import { Effect, Schema } from "effect"
import {
  copy,
  exists,
  type FileError,
  makeFolder,
  move,
  readText,
  remove,
  replaceFile
} from "../../src/platform/files.ts"

/** `own`: the lane's own file. `beside`: a file of that name in the folder `beside` next to it. */
export type Place = "own" | "beside"

const Served = Schema.Struct({
  place: Schema.NullOr(Schema.Literals(["own", "beside"])),
  block: Schema.Int
})

/** The tables that readers have: their place (null for none), and the newest block in them. */
export type Served = typeof Served.Type

const NOTHING: Served = { place: null, block: 0 }

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Served))

export const pathOf = (file: string, place: Place): string =>
  place === "own" ? file : join(dirname(file), "beside", basename(file))

export const otherPlace = (place: Place): Place => (place === "own" ? "beside" : "own")

const noteOf = (file: string): string => `${file.replace(/\.duckdb$/, "")}.served`

/** Returns the note. A note that cannot be read names no place. */
export const readServed = (file: string): Effect.Effect<Served> =>
  readText(noteOf(file)).pipe(
    Effect.flatMap(decode),
    Effect.orElseSucceed(() => NOTHING)
  )

export const writeServed = (file: string, served: Served): Effect.Effect<void, FileError> =>
  replaceFile(noteOf(file), JSON.stringify(served))

/** Returns the file of the tables that readers have, for a lane that does not run. */
export const tablesOf = (file: string): Effect.Effect<string> =>
  Effect.map(readServed(file), ({ place }) => pathOf(file, place ?? "own"))

/** Removes the tables of a place, whole or half copied; the WAL goes first. */
export const clearPlace = (file: string, place: Place) =>
  Effect.forEach([".wal", ".part", ""], ending => remove(`${pathOf(file, place)}${ending}`), {
    discard: true
  })

/** Copies tables to the other place. Nothing may write them, and their WAL must be empty. */
export const copyTables = (file: string, from: Place): Effect.Effect<void, FileError> =>
  Effect.gen(function* () {
    const target = pathOf(file, otherPlace(from))
    yield* makeFolder(dirname(target))
    yield* clearPlace(file, otherPlace(from))
    yield* copy(pathOf(file, from), `${target}.part`)
    yield* move(`${target}.part`, target)
  })

/**
 * Moves the tables that readers have to the lane's own place, and removes tables that a killed
 * process had begun beside. No process may have them open. After a kill the next call completes it.
 */
export const settleTables = (file: string): Effect.Effect<Served, FileError> =>
  Effect.gen(function* () {
    const served = yield* readServed(file)
    if (served.place !== "beside") {
      yield* clearPlace(file, "beside")
      return served
    }
    const beside = pathOf(file, "beside")
    if (yield* exists(beside)) {
      yield* clearPlace(file, "own")
      yield* move(beside, file)
    }
    if (yield* exists(`${beside}.wal`)) yield* move(`${beside}.wal`, `${file}.wal`)
    const settled: Served = { ...served, place: "own" }
    yield* writeServed(file, settled)
    return settled
  })
