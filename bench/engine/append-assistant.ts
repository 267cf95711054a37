/** The baseline of ingest and rebuild: DuckDB appends the tape's rows, and nothing else is done. */
import { Effect } from "effect"
import { createStatements, rowsName } from "../../engine/store/table.ts"
import { findChain } from "../../src/bin/chain-choice.ts"
import { openNats } from "../../src/bin/nats-choice.ts"
import { openDuckDb } from "../../src/platform/duckdb-local.ts"
import { remove } from "../../src/platform/files.ts"
import { JetStream } from "../../src/platform/jetstream.ts"
import { assist } from "../measure/assist.ts"
import { median } from "../measure/quantile.ts"
import { type TapeRows, tapeRows } from "./tape-rows.ts"

export interface AppendInput {
  readonly chain: string
  readonly dataFolder: string
  /** of the new file */
  readonly file: string
  readonly rounds: number
}

export interface Appended {
  readonly rows: number
  /** of the median round */
  readonly seconds: number
  readonly logBytes: number
}

/** Rows of a transaction, as many as the swaps of a lane's commit behind the log's head. */
const COMMIT_ROWS = 200_000

/** Seconds that one new file takes. */
const appendOnce = (file: string, { def, blocks }: TapeRows) =>
  Effect.gen(function* () {
    yield* remove(file)
    const database = yield* openDuckDb(file, { threads: 2 })
    const writer = yield* database.connect
    // the same setting as a lane's
    yield* writer.run("SET checkpoint_threshold = '256MB'")
    for (const statement of createStatements(def)) yield* writer.run(statement)
    const began = performance.now()
    yield* writer.run("BEGIN TRANSACTION")
    let open = 0
    for (const rows of blocks) {
      yield* writer.append(rowsName(def), rows)
      open += rows.count
      if (open < COMMIT_ROWS) continue
      yield* writer.run("COMMIT")
      yield* writer.run("BEGIN TRANSACTION")
      open = 0
    }
    yield* writer.run("COMMIT")
    return (performance.now() - began) / 1000
  }).pipe(Effect.scoped)

const append = ({ chain: key, dataFolder, file, rounds }: AppendInput) =>
  Effect.gen(function* () {
    const chain = yield* findChain(key, [])
    const rows = yield* Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* openNats(dataFolder)
        return yield* tapeRows(chain).pipe(Effect.provide(JetStream.layer({ url })))
      })
    )
    const seconds: Array<number> = []
    for (let round = 0; round < rounds; round++) seconds.push(yield* appendOnce(file, rows))
    yield* remove(file)
    return {
      rows: rows.rows,
      seconds: median(seconds),
      logBytes: rows.logBytes
    } satisfies Appended
  })

assist({ append })
