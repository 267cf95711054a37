/** Where a page of the tape ends, and where that is in the log. */
import { Effect } from "effect"
import type { QueryContext, ReadError, Row } from "../../engine/query.ts"
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

/** Blocks or seconds in which a print is looked for first, and by how many times more each time. */
const FIRST_SPAN = 256
const WIDER = 16

/**
 * Position of the newest print before a cursor, of any token; 0 where there is none. Blocks and
 * times rise along the tape, so only the pieces of it are read that a stretch of them lies in.
 */
export const positionBefore = (
  context: QueryContext,
  cursor: Cursor
): Effect.Effect<number, ReadError> => {
  const { ts, block } = cursor
  const [column, upper] = block === null ? ["ts", ts - 1] : ["block", block]
  const look = (span: number): Effect.Effect<number, ReadError> =>
    Effect.flatMap(
      context.rows(
        `SELECT max(seq) AS seq FROM ${tapeTable.name}
         WHERE ${column} BETWEEN ${upper - span} AND ${upper}
         AND ${HAS_TOKEN} ${beforeSql(cursor)}`
      ),
      ([row]) => {
        const seq = row?.["seq"]
        if (seq !== null && seq !== undefined) return Effect.succeed(Number(seq))
        return upper - span <= 0 ? Effect.succeed(0) : look(span * WIDER)
      }
    )
  return look(FIRST_SPAN)
}
