/** Reads rows of a table back into memory: after a start or a rollback, or for a single query. */
import { Effect } from "effect"
import type { DuckDbError, ResultColumns } from "../../src/platform/duckdb.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { type AnyArray, type ColumnArrays, strideOf } from "../store/column-set.ts"
import {
  type ColumnDef,
  type ColumnDefs,
  physicalParts,
  readColumns,
  type TableDef
} from "../store/table.ts"
import type { Piece, Tail } from "./tail.ts"

/** Positions that one statement reads: some milliseconds' work. */
const STRETCH_EVENTS = 12_288
/** Statements of one refill at most, for logs in which few events are rows. */
const MAX_STRETCHES_READ = 64

/** Reads committed rows by columns. */
type ReadColumns = (sql: string) => Effect.Effect<ResultColumns, DuckDbError>

/** Returns the columns of a table as a statement names them. */
export const columnNames = (def: TableDef): string =>
  readColumns(def)
    .map(({ name }) => name)
    .join(", ")

/** Where bytes stand in the memory of a column. */
interface BytesPlace {
  readonly stride: number
  readonly offset: number
  readonly size: number
}

/** Writes the lowest bytes of 128-bit numbers, the highest of them first. */
const writeWide = (view: DataView, words: Uint32Array, { stride, offset, size }: BytesPlace) => {
  const last = size / 4 - 1
  for (let row = 0, word = 0; word < words.length; row++, word += 4) {
    const at = row * stride + offset
    for (let k = 0; k <= last; k++) view.setUint32(at + k * 4, words[word + last - k] as number)
  }
}

const bytesOf = (name: string, def: ColumnDef, { count, numbers, words }: ResultColumns) => {
  const stride = strideOf(def.type)
  const bytes = new Uint8Array(count * stride)
  const view = new DataView(bytes.buffer)
  let offset = 0
  for (const part of physicalParts(name, def)) {
    if (part.type === "u128") {
      writeWide(view, words(part.name), { stride, offset, size: part.bytes })
    } else {
      const values = numbers(part.name)
      for (let row = 0; row < count; row++) {
        view.setUint32(row * stride + offset, values[row] as number)
      }
    }
    offset += part.bytes
  }
  return bytes
}

/** Returns numbers with `empty` in place of NaN, as memory holds nulls of the column. */
const withNulls = (values: Float64Array, empty: number): Float64Array =>
  values.map(value => (Number.isNaN(value) ? empty : value))

const columnOf = (name: string, def: ColumnDef, result: ResultColumns): AnyArray => {
  switch (def.type) {
    case "u8":
      return new Uint8Array(result.numbers(name))
    case "u16":
      return new Uint16Array(result.numbers(name))
    case "u32":
      return new Uint32Array(withNulls(result.numbers(name), NONE))
    case "i32":
      return new Int32Array(withNulls(result.numbers(name), NULL_I32))
    case "i64":
    case "f64":
      return result.numbers(name)
    case "text":
      throw new Error(`column ${name} holds texts, which are read by rows`)
    default:
      return bytesOf(name, def, result)
  }
}

/**
 * Returns the result of a statement on `columnNames`, in the order of the log, as memory holds it.
 */
export const pieceOf = <C extends ColumnDefs>(
  def: TableDef<C>,
  result: ResultColumns
): Piece<C> => ({
  count: result.count,
  seqs: result.numbers("seq"),
  columns: Object.fromEntries(
    Object.entries(def.columns).map(([name, column]) => [name, columnOf(name, column, result)])
  ) as ColumnArrays<C>
})

/**
 * Reads the newest rows up to a position that a tail lacks and has room for. Returns how many the
 * tail took: fewer than were read where the fold or another refill added rows meanwhile.
 */
export const refill = <C extends ColumnDefs>(
  tail: Tail<C>,
  upTo: number,
  columns: ReadColumns
): Effect.Effect<number, DuckDbError> =>
  Effect.gen(function* () {
    const { def } = tail
    const { room } = tail.held
    const pieces: Array<Piece<C>> = []
    let rows = 0
    let to = tail.oldestSeq === null ? upTo : tail.oldestSeq - 1
    for (let i = 0; to > 0 && i < MAX_STRETCHES_READ && rows < room; i++) {
      const from = Math.max(0, to - STRETCH_EVENTS)
      const result = yield* columns(
        `SELECT ${columnNames(def)} FROM ${def.name} WHERE seq > ${from} AND seq <= ${to}
         ORDER BY seq`
      )
      pieces.unshift(pieceOf(def, result))
      rows += result.count
      to = from
    }
    return tail.precede(pieces)
  })
