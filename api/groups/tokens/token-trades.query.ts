/** The trades of a token by pages (spec 4.5), with what memory counts of them. */
import { Effect } from "effect"
import { type FoldsView, memoryQuery, type Row, type RowsView } from "../../../engine/query.ts"
import { readUnknownOfTape, withUnknownOfTape } from "../../../projections/coverage/covered-time.ts"
import { DAY } from "../../../projections/markets/hours.ts"
import { markets } from "../../../projections/markets/output.ts"
import { type Held, heldOf } from "../../../projections/markets/token-windows.ts"
import { printsOf, tapeOutput } from "../../../projections/tape/output.ts"
import { printOf } from "../../../projections/tape/queries.ts"
import { haveTwins, heldPrints } from "../../../projections/tape/token-prints.ts"
import { tokens } from "../../../projections/tokens/output.ts"
import { idBytes } from "../../../src/domain/ids.ts"
import {
  findPage,
  MOST_HELD,
  printFilters,
  type TradesParams,
  tokenTradesAsOf
} from "../prints/print-pages.ts"
import { unknown } from "../token-pages/token-page.query.ts"
import { heldEdges, readEdges, wholeEdges } from "../token-stats/held-edges.ts"
import type { Edge, Edges } from "../token-stats/window-edges.ts"

const MICRO = 1e6

/** Ids of the venues that a token was ever traded on. */
const dexesOf = (view: FoldsView, token: number): ReadonlyArray<string> => {
  const fold = view.output(markets)
  const { venue } = fold.index.markets.columns
  const { id } = fold.index.venues.columns
  const names = new Set<string | null | undefined>()
  for (const market of fold.index.ofToken(token)) names.add(id[venue[market] as number])
  return [...names].filter(name => typeof name === "string").sort()
}

const FILTERS = ["side", "dex", "min", "wallet"] as const

/** A page of all prints of a token, newest first; null where memory does not hold it. */
const recalledPage = (view: FoldsView, token: number, params: TradesParams) => {
  const { limit, page } = params
  const end = limit * page
  if (end > MOST_HELD || FILTERS.some(name => params[name] !== null)) return null
  const { rows, isWhole } = heldPrints(view, token, end)
  return !isWhole || haveTwins(rows) ? null : rows.slice(end - limit)
}

interface Day {
  readonly held: Held
  readonly edges: Edges
}

interface Page {
  readonly total: number
  readonly rows: ReadonlyArray<Row>
  readonly dexes: ReadonlyArray<string>
}

const answerOf = (
  view: FoldsView,
  params: TradesParams,
  token: number,
  { total, rows, dexes }: Page,
  { held, edges }: Day
) => {
  const edge = edges.edges[0] as Edge
  const buys = held.buys + edge.buys
  return {
    trades: rows.map(row => printOf(view, token, row)),
    total,
    page: params.page,
    pageSize: params.limit,
    dexes,
    stats24h: {
      buys,
      sells: held.trades + edge.trades - buys,
      buyUsd: (held.buyUsd + edge.bought) / MICRO,
      sellUsd: (held.sellUsd + edge.sold) / MICRO
    },
    asOf: view.seq
  }
}

/**
 * A page of a token's prints with the sums of its day. What the prints come to, which may be
 * millions, is not counted again for each page of the present state.
 */
export const tokenTrades = memoryQuery("tokenTrades", (view, params: TradesParams) => {
  const { asOf } = params
  if (asOf !== null) return { read: rows => tokenTradesAsOf(rows, params, asOf) }
  const fold = view.output(markets)
  const { token: address } = params
  const known = view.output(tokens)
  const token = known.find(idBytes(address))
  const all = printsOf(view, token)
  if (all === 0) return unknown(view, address)
  const held = heldOf(fold, token, view.blockTime, DAY)
  const begun = heldEdges(view, token, [held], known.scale(token))
  const { first_ts } = view.output(tapeOutput).activity()
  // of a token whose first prints are no longer kept, those that are kept have to be counted
  const isKept = (first_ts[token] as number) >= view.keptFrom.raw
  const recalled = isKept ? recalledPage(view, token, params) : null
  const edges = wholeEdges(begun)
  const dexes = dexesOf(view, token)
  if (recalled !== null && edges !== null) {
    const page = { total: all, rows: recalled, dexes }
    const answer = answerOf(view, params, token, page, { held, edges })
    return withUnknownOfTape(view, answer)
  }
  return {
    read: rows =>
      Effect.gen(function* () {
        const day = { held, edges: edges ?? (yield* readEdges(rows, begun)) }
        const page =
          recalled === null
            ? yield* readPage(rows, token, params, isKept ? all : null)
            : { total: all, rows: recalled }
        const answer = answerOf(view, params, token, { ...page, dexes }, day)
        return { ...answer, unknown: yield* readUnknownOfTape(rows, view) }
      })
  }
})

const readPage = (view: RowsView, token: number, params: TradesParams, all: number | null) => {
  const where = printFilters(view, token, params)
  const counted = where === `token = ${token}` ? all : null
  const size = { limit: params.limit, page: params.page, seq: view.seq }
  return findPage(view, token, where, counted, size)
}
