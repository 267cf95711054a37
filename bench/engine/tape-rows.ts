/** The very rows that the tape's projection appends, ready in typed arrays. */
import { Effect, Stream } from "effect"
import { logStream } from "../../engine/log/log-stream.ts"
import { LOG_START, type Segment } from "../../engine/log/segment.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { allProjections } from "../../projections/all.ts"
import { tapeTable } from "../../projections/tape/tables.ts"
import { laneLog } from "../../src/bin/lane-log.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { type AppendColumn, physicalWidth } from "../../src/platform/duckdb.ts"

/** Rows by physical column. */
export interface RowBlock {
  readonly columns: ReadonlyArray<AppendColumn>
  readonly count: number
}

/** Rows of a block at least; the product appends about as many at once. */
const BLOCK_ROWS = 20_000

/** A column of its own memory: the buffer it came from is written again. */
const copied = (column: AppendColumn, count: number): AppendColumn =>
  "texts" in column
    ? { type: "text", texts: column.texts.slice(0, count) }
    : {
        type: column.type,
        bytes: column.bytes.slice(0, count * physicalWidth[column.type]),
        valid: column.valid?.slice(0, count) ?? null
      }

/** What folding a log gives the tape, and what the log weighs. */
export interface TapeRows {
  readonly blocks: ReadonlyArray<RowBlock>
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
    const blocks: Array<RowBlock> = []
    let rows = 0
    let logBytes = 0
    const keep = (): void => {
      const { count } = tape
      if (count === 0) return
      blocks.push({ count, columns: tape.physical().map(column => copied(column, count)) })
      rows += count
      tape.clear()
    }
    const fold = ({ batch, header, bytes }: Segment): void => {
      logBytes += bytes
      folds.apply({ batch, from: 0, to: batch.count, seq: header.firstSeq })
      for (const table of folds.rows) if (table !== tape) table.clear()
      for (const table of folds.states) {
        table.collect()
        table.versions.clear()
      }
      if (tape.count >= BLOCK_ROWS) keep()
    }
    yield* log
      .read(LOG_START, { follow: false })
      .pipe(Stream.runForEach(segment => Effect.sync(() => fold(segment))))
    keep()
    return { blocks, rows, logBytes } satisfies TapeRows
  })
