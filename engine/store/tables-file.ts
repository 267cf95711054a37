/**
 * Which DuckDB file of a lane counts. Tables that must be made anew are made in the other of two
 * places while readers have the old ones; a small file beside them names the place of those that
 * readers were given. It is replaced as one, so a kill at any moment leaves either.
 *
 * Where it names none, what lies in the lane's own place is being made, and may be gone on with.
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

/** `own`: the lane's own file; `beside`: one of that name in a folder beside it. */
export type Place = "own" | "beside"

const Served = Schema.Struct({
  place: Schema.NullOr(Schema.Literals(["own", "beside"])),
  block: Schema.Int
})

/** What readers were given: where its tables are (null: gone), and up to what block. */
export type Served = typeof Served.Type

const NOTHING: Served = { place: null, block: 0 }

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Served))

export const pathOf = (file: string, place: Place): string =>
  place === "own" ? file : join(dirname(file), "beside", basename(file))

export const otherPlace = (place: Place): Place => (place === "own" ? "beside" : "own")

const noteOf = (file: string): string => `${file.replace(/\.duckdb$/, "")}.served`

/** What was written last. One that cannot be read says nothing: tables are then looked at anew. */
export const readServed = (file: string): Effect.Effect<Served> =>
  readText(noteOf(file)).pipe(
    Effect.flatMap(decode),
    Effect.orElseSucceed(() => NOTHING)
  )

export const writeServed = (file: string, served: Served): Effect.Effect<void, FileError> =>
  replaceFile(noteOf(file), JSON.stringify(served))

/** The file of the tables that count, of a lane that does not run. */
export const tablesOf = (file: string): Effect.Effect<string> =>
  Effect.map(readServed(file), ({ place }) => pathOf(file, place ?? "own"))

/** Removes the tables of a place, whole or half copied, what is not in the file yet first. */
export const clearPlace = (file: string, place: Place) =>
  Effect.forEach([".wal", ".part", ""], ending => remove(`${pathOf(file, place)}${ending}`), {
    discard: true
  })

/** Copies tables that stand still, and all of which is in the file itself, to the other place. */
export const copyTables = (file: string, from: Place): Effect.Effect<void, FileError> =>
  Effect.gen(function* () {
    const target = pathOf(file, otherPlace(from))
    yield* makeFolder(dirname(target))
    yield* clearPlace(file, otherPlace(from))
    yield* copy(pathOf(file, from), `${target}.part`)
    yield* move(`${target}.part`, target)
  })

/**
 * Brings the tables that count to the lane's own place, and removes what a process that was killed
 * had begun beside. No process may have them open. A kill in between is made up for by the next.
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
