/** Where a page of the tape ends, and where that is in the log. */
import { Effect } from "effect"
import type { ReadError, Row, RowsView } from "../../engine/query.ts"
import { numberOf } from "../../engine/store/sql.ts"
import { tapeTable } from "./tables.ts"

/** Prints before a time, or before a place in the chain. */
export interface Cursor {
  readonly ts: number
  readonly block: number | null
  readonly logIndex: number
}

/** Where a page begins, as a query is asked for it: all null for the newest. */
export type CursorParams = {
  readonly beforeTs: number | null
  readonly beforeBlock: number | null
  readonly beforeLogIndex: number | null
}

export const NEWEST: CursorParams = { beforeTs: null, beforeBlock: null, beforeLogIndex: null }

/** Null for no cursor. */
export const cursorOf = ({
  beforeTs: ts,
  beforeBlock: block,
  beforeLogIndex: logIndex
}: CursorParams): Cursor | null => (ts === null ? null : { ts, block, logIndex: logIndex ?? 0 })

/** The cursor of a row: what comes before it. */
export const cursorText = (row: Row): string => `${row["ts"]}:${row["block"]}:${row["log_index"]}`

/** A swap of which no token is known is no token's print. */
export const HAS_TOKEN = "(token0 IS NOT NULL OR token1 IS NOT NULL)"

/** What a cursor takes, as a condition after others. */
export const beforeSql = (cursor: Cursor | null): string => {
  if (cursor === null) return ""
  const { ts, block, logIndex } = cursor
  if (block === null) return `AND ts < ${ts}`
  // the first condition follows from the others, and alone keeps later stretches from being read
  return `AND block <= ${block}
    AND (block < ${block} OR (block = ${block} AND log_index < ${logIndex}))`
}

/** Makes the test whether a print in memory stands before a cursor. */
export const isBefore =
  (cursor: Cursor | null) => (block: number, logIndex: number, ts: number) => {
    if (cursor === null) return true
    if (cursor.block === null) return ts < cursor.ts
    return block < cursor.block || (block === cursor.block && logIndex < cursor.logIndex)
  }

/** How much wider each stretch is than the one before, in which nothing was found. */
const WIDER = 16

/**
 * The largest value that a column of the tape has at or before `upper` of another, which rises
 * along it; 0 where there is none. It is looked for in ever wider stretches: only the pieces of the
 * tape are read that one lies in.
 */
export const newestValue = (
  view: RowsView,
  value: "seq" | "ts",
  before: { readonly column: "seq" | "ts" | "block"; readonly upper: number; readonly and: string },
  stretch: number
): Effect.Effect<number, ReadError> => {
  const { column, upper, and } = before
  return Effect.flatMap(
    view.rows(
      `SELECT max(${value}) AS newest FROM ${tapeTable.name}
       WHERE ${column} BETWEEN ${upper - stretch} AND ${upper} ${and}`
    ),
    ([row = {}]) => {
      const newest = numberOf(row, "newest")
      return newest === null && stretch < upper
        ? newestValue(view, value, before, stretch * WIDER)
        : Effect.succeed(newest ?? 0)
    }
  )
}

/** Blocks or seconds in which a print is looked for first. */
const FIRST_SPAN = 256

/** Position of the newest print before a cursor, of any token; 0 where there is none. */
export const positionBefore = (
  view: RowsView,
  cursor: Cursor
): Effect.Effect<number, ReadError> => {
  const { ts, block } = cursor
  const and = `AND ${HAS_TOKEN} ${beforeSql(cursor)}`
  const before =
    block === null
      ? ({ column: "ts", upper: ts - 1, and } as const)
      : ({ column: "block", upper: block, and } as const)
  return newestValue(view, "seq", before, FIRST_SPAN)
}
