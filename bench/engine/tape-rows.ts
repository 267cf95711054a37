/** The very rows that the tape's projection appends, ready in typed arrays. */
import { Effect, Stream } from "effect"
import { logStream } from "../../engine/log/log-stream.ts"
import { LOG_START, type Segment } from "../../engine/log/segment.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import type { TableDef } from "../../engine/store/table.ts"
import { allProjections } from "../../projections/all.ts"
import { tapeTable } from "../../projections/tape/tables.ts"
import { laneLog } from "../../src/bin/lane-log.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { type AppendColumn, type AppendRows, CHUNK_ROWS } from "../../src/platform/duckdb.ts"

/** Rows of a block at least; the product appends about as many at once. */
const BLOCK_ROWS = 20_000

/** A column of its own memory: the buffer it came from is written again. */
const copied = (column: AppendColumn): AppendColumn =>
  "texts" in column
    ? column
    : { ...column, bytes: column.bytes.slice(), valid: column.valid?.slice() ?? null }

/** Rows with memory of their own, ready by chunks. */
const kept = (rows: AppendRows): AppendRows => {
  const chunks: Array<ReadonlyArray<AppendColumn>> = []
  for (let from = 0; from < rows.count; from += CHUNK_ROWS) {
    chunks.push(rows.columns(from, Math.min(CHUNK_ROWS, rows.count - from)).map(copied))
  }
  return { ...rows, columns: from => chunks[from / CHUNK_ROWS] ?? [] }
}

/** What folding a log gives the tape, and what the log weighs. */
export interface TapeRows {
  /** the table as the chain's lanes have it */
  readonly def: TableDef
  readonly blocks: ReadonlyArray<AppendRows>
  readonly rows: number
  /** of the encoded events, without message headers */
  readonly logBytes: number
}

/** Folds the whole log of a chain and keeps the tape's rows. */
export const tapeRows = (chain: ChainConfig) =>
  Effect.gen(function* () {
    const log = laneLog(yield* logStream(chain.key))
    const folds = newFoldSet(chain, allProjections)
    const tape = folds.rows.find(rows => rows.def.name === tapeTable.name)
    if (tape === undefined) return yield* Effect.die(new Error("the lane has no tape"))
    const blocks: Array<AppendRows> = []
    let rows = 0
    let logBytes = 0
    const keep = (): void => {
      const { count } = tape
      if (count === 0) return
      blocks.push(kept(tape.physical()))
      rows += count
      tape.clear()
    }
    const fold = ({ batch, header, bytes }: Segment): void => {
      logBytes += bytes
      folds.apply({ batch, from: 0, to: batch.count, seq: header.firstSeq })
      for (const table of folds.rows) if (table !== tape) table.clear()
      for (const table of folds.states) {
        table.collect(Number.POSITIVE_INFINITY)
        table.versions.clear()
      }
      if (tape.count >= BLOCK_ROWS) keep()
    }
    yield* log
      .read(LOG_START, { follow: false })
      .pipe(Stream.runForEach(segment => Effect.sync(() => fold(segment))))
    keep()
    return { def: tape.def, blocks, rows, logBytes } satisfies TapeRows
  })
