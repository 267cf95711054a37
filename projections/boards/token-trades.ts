/** The trades of a token by pages (spec 4.5), with what memory counts of them. */
import { Effect } from "effect"
import type { QueryContext, QueryParams, Settled } from "../../engine/projection.ts"
import { fromHex } from "../../src/domain/address.ts"
import { DAY } from "../markets/hours.ts"
import { markets } from "../markets/output.ts"
import { askedPosition } from "../tape/as-of.ts"
import { tapeOutput } from "../tape/output.ts"
import { findPage, printFilters, printOf, tokenTradesAsOf } from "../tape/queries.ts"
import { tokens } from "../tokens/output.ts"
import { windowOf } from "./board-memory.ts"
import { marketsOf, unknown } from "./token-page.ts"
import { heldOf, slotsOf } from "./token-windows.ts"
import { type Edge, edgesOf } from "./window-edges.ts"

type Memory = Omit<QueryContext, "rows" | "columns">

const MICRO = 1e6

/** Ids of the venues that a token was ever traded on. */
const dexesOf = (context: Memory, token: number): ReadonlyArray<string> => {
  const fold = context.output(markets)
  const { venue } = fold.index.markets.columns
  const { id } = fold.index.venues.columns
  const names = new Set<string | null | undefined>()
  for (const market of marketsOf(context, token)) names.add(id[venue[market] as number])
  return [...names].filter(name => typeof name === "string").sort()
}

/**
 * `{ token, side, dex, min, wallet, limit, page, asOf }`, `min` as its text. What a token's prints
 * come to, which may be millions, is not counted again for each page of the present state.
 */
export const tokenTrades = (context: Memory, params: QueryParams): Settled => {
  const asOf = askedPosition(params["asOf"])
  if (asOf !== null) return { read: rows => tokenTradesAsOf(rows, params, asOf) }
  const fold = context.output(markets)
  const address = String(params["token"])
  const known = context.output(tokens)
  const token = known.find(fromHex(address))
  const all = token < 0 ? 0 : (context.output(tapeOutput).activity().trades[token] ?? 0)
  if (all === 0) return unknown(context, address)
  const day = heldOf(fold, slotsOf(context, token), context.blockTime, DAY)
  const dexes = dexesOf(context, token)
  const scale = known.scale(token)
  const perDay = windowOf(context).ofTokens.columns.trades[token] ?? 0
  const [limit, page] = [Number(params["limit"]), Number(params["page"])]
  return {
    read: rows =>
      Effect.gen(function* () {
        const { seq } = rows
        const where = printFilters(rows, token, params)
        const counted = where === `token = ${token}` ? all : null
        const size = { limit, page, seq }
        const { total, rows: found } = yield* findPage(rows, token, where, counted, size)
        const { edges } = yield* edgesOf(rows, token, [day], scale, perDay)
        const edge = edges[0] as Edge
        const buys = day.buys + edge.buys
        return {
          trades: found.map(row => printOf(rows, token, row)),
          total,
          page,
          pageSize: limit,
          dexes,
          stats24h: {
            buys,
            sells: day.trades + edge.trades - buys,
            buyUsd: (day.buyUsd + edge.bought) / MICRO,
            sellUsd: (day.sellUsd + edge.sold) / MICRO
          },
          asOf: seq
        }
      })
  }
}
