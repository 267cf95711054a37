/** The newest prints of the whole chain, each as its base token sees it. */

import { Effect } from "effect"
import {
  type FoldsView,
  memoryQuery,
  type ReadError,
  type Row,
  type RowsView
} from "../../../engine/query.ts"
import { readUnknownOfTape, withUnknownOfTape } from "../../../projections/coverage/covered-time.ts"
import { ingestFloorOf } from "../../../projections/prices/ingest-floor.ts"
import {
  type Cursor,
  type CursorParams,
  cursorOf,
  cursorText,
  HAS_TOKEN,
  isBefore,
  positionBefore
} from "../../../projections/tape/cursor.ts"
import { tapeOutput } from "../../../projections/tape/output.ts"
import { baseOf, swapRow } from "../../../projections/tape/swap-row.ts"
import { tapeTable } from "../../../projections/tape/tables.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"
import { NONE } from "../../../streams/batch/id-table.ts"
import { TokenView } from "../boards/token-row.ts"
import { windowOf } from "../boards/window-of.ts"
import { microDollars } from "./print-pages.ts"

/** Positions of the log that one page looks through at most, from its first print back. */
export const LOOK_BACK = 65_536

/** What a page is made of. */
interface Found {
  readonly rows: ReadonlyArray<Row>
  /** the oldest print looked at; null where there was none */
  readonly last: Row | null
  /** whether a print stands before it */
  readonly more: boolean
}

type Flags = (token: number) => { readonly wash?: true; readonly impostor?: true }

const flagsBy =
  (view: TokenView, isWash: (token: number) => boolean): Flags =>
  token => ({
    ...(token !== NONE && isWash(token) ? { wash: true } : {}),
    ...(token !== NONE && view.isImpostor(token) ? { impostor: true } : {})
  })

/** Flags as they are now, for a page whose rows are read while the folds go on. */
const keptFlags = (view: TokenView): Flags => {
  const washed = new Set<number>()
  const count = view.facts.tokens.count()
  for (let token = 0; token < count; token++) if (view.isWash(token)) washed.add(token)
  return flagsBy(view, token => washed.has(token))
}

const pageOf = (context: FoldsView, { rows, last, more }: Found, flags: Flags) => ({
  chain: shownChain(context.chain),
  prints: rows.map(row => ({ ...swapRow(context, row), ...flags(baseOf(context, row)) })),
  nextBefore: more && last !== null ? cursorText(last) : null,
  searchedTo: last === null ? null : { ts: Number(last["ts"]), block: Number(last["block"]) },
  ingestFloor: ingestFloorOf(context.chain),
  updatedAt: updatedAt(context)
})

/** Positions that are read first: most pages are full within them. */
const FIRST_LOOK = 2_048

/** Position of the newest print that the page may show; 0 where there is none. */
const topOf = (context: RowsView, cursor: Cursor | null) =>
  positionBefore(context, cursor ?? { ts: context.blockTime + 1, block: null, logIndex: 0 })

/** The oldest print of a stretch of positions. */
const oldestOf = (context: RowsView, stretch: string) =>
  Effect.map(
    context.rows(
      `SELECT ts, block, log_index FROM ${tapeTable.name} WHERE ${stretch} ORDER BY seq LIMIT 1`
    ),
    ([row]) => row ?? null
  )

/** Whether a print stands before a row. */
const hasBefore = (context: RowsView, row: Row) => {
  const [ts, block, logIndex] = [row["ts"], row["block"], row["log_index"]].map(Number)
  return Effect.map(positionBefore(context, { ts, block, logIndex } as Cursor), seq => seq > 0)
}

/** Reads a page from rows, of which a bounded stretch of the tape is read. */
const readPage = (
  context: RowsView,
  cursor: Cursor | null,
  count: number,
  min: bigint
): Effect.Effect<Found, ReadError> =>
  Effect.gen(function* () {
    const top = yield* topOf(context, cursor)
    if (top === 0) return { rows: [], last: null, more: false }
    const worth = min === 0n ? "" : `AND usd >= ${min}`
    const stretchOf = (back: number) => `seq > ${top - back} AND seq <= ${top} AND ${HAS_TOKEN}`
    let rows: ReadonlyArray<Row> = []
    for (const back of [FIRST_LOOK, LOOK_BACK]) {
      rows = yield* context.rows(
        `SELECT * FROM ${tapeTable.name} WHERE ${stretchOf(back)} ${worth} ORDER BY seq DESC LIMIT ${count + 1}`
      )
      if (rows.length > count) break
    }
    if (rows.length > count) {
      return { rows: rows.slice(0, count), last: rows[count - 1] as Row, more: true }
    }
    const full = rows.length === count ? rows[count - 1] : undefined
    const last = full ?? (yield* oldestOf(context, stretchOf(LOOK_BACK)))
    if (last === null) return { rows, last, more: false }
    return { rows, last, more: yield* hasBefore(context, last) }
  })

/**
 * A page from memory; null where that does not hold the newest prints that are wanted, or not what
 * stands up to `lookBack` positions before them. `min` in micro-dollars.
 */
export const heldPage = (
  context: FoldsView,
  cursor: Cursor | null,
  count: number,
  min: number,
  lookBack = LOOK_BACK
): Found | null => {
  const { recent } = context.output(tapeOutput)
  const wanted = isBefore(cursor)
  const rows: Array<Row> = []
  let [last, end] = [-1, 0]
  const isWhole = recent.walkAll((c, at) => {
    // where memory holds what the tables hide, the tables answer
    if ((c.ts[at] as number) < context.keptFrom.raw) return true
    if (c.token0[at] === NONE && c.token1[at] === NONE) return true
    if (!wanted(c.block[at] as number, c.log_index[at] as number, c.ts[at] as number)) return true
    const seq = recent.seqs[at] as number
    if (last < 0) end = seq - lookBack
    else if (seq <= end || rows.length === count) return false
    if (min === 0 || (c.usd[at] as number) >= min) rows.push(recent.row(at))
    last = at
    return true
  })
  return isWhole ? { rows, last: recent.row(last), more: true } : null
}

export type ChainPrintsParams = CursorParams & {
  readonly limit: number
  /** dollars as plain decimals; null for all prints */
  readonly min: string | null
}

/**
 * A page that found too few in its stretch says where it stopped, and `nextBefore` goes on from
 * there.
 */
export const chainPrints = memoryQuery("chainPrints", (context, params: ChainPrintsParams) => {
  const cursor = cursorOf(params)
  const count = params.limit
  const min = params.min === null ? 0n : microDollars(params.min)
  const view = new TokenView(context, windowOf(context))
  const held = heldPage(context, cursor, count, Number(min))
  if (held !== null) {
    const present = flagsBy(view, token => view.isWash(token))
    const page = pageOf(context, held, present)
    return withUnknownOfTape(context, page)
  }
  const flags = keptFlags(view)
  return {
    read: reader =>
      Effect.gen(function* () {
        const page = pageOf(reader, yield* readPage(reader, cursor, count, min), flags)
        return { ...page, unknown: yield* readUnknownOfTape(reader) }
      })
  }
})
