/** The trades of a token by pages (spec 4.5), with what memory counts of them. */
import { Effect } from "effect"
import type { QueryContext, QueryParams, Settled } from "../../engine/projection.ts"
import { fromHex } from "../../src/domain/address.ts"
import type { MarketFold } from "../markets/fold.ts"
import { DAY } from "../markets/hours.ts"
import { markets } from "../markets/output.ts"
import { askedPosition } from "../tape/as-of.ts"
import { tapeOutput } from "../tape/output.ts"
import { findPage, printFilters, printOf, tapeRows, tokenTradesAsOf } from "../tape/queries.ts"
import { tokens } from "../tokens/output.ts"
import { marketsOf, unknown } from "./token-page.ts"
import { edgesOf, heldOf, slotsOf } from "./token-stats.ts"

const MICRO = 1e6

/** Ids of the venues that a token was ever traded on. */
const dexesOf = (fold: MarketFold, token: number): ReadonlyArray<string> => {
  const { venue } = fold.index.markets.columns
  const { id } = fold.index.venues.columns
  const names = new Set(marketsOf(fold, token).map(market => id[venue[market] as number]))
  return [...names].filter(name => typeof name === "string").sort()
}

/**
 * `{ token, side, dex, min, wallet, limit, page, asOf }`, `min` as its text. What a token's prints
 * come to, which may be millions, is not counted again for each page of the present state.
 */
export const tokenTrades = (context: Omit<QueryContext, "rows">, params: QueryParams): Settled => {
  const asOf = askedPosition(params["asOf"])
  if (asOf !== null) return { read: rows => tokenTradesAsOf(rows, params, asOf) }
  const fold = context.output(markets)
  const address = String(params["token"])
  const known = context.output(tokens)
  const token = known.find(fromHex(address))
  const all = token < 0 ? 0 : (context.output(tapeOutput).activity().trades[token] ?? 0)
  if (all === 0) return unknown(context, address)
  const day = heldOf(fold, slotsOf(fold, token), context.blockTime, DAY)
  const dexes = dexesOf(fold, token)
  const scale = known.scale(token)
  const [limit, page] = [Number(params["limit"]), Number(params["page"])]
  return {
    read: rows =>
      Effect.gen(function* () {
        const { seq } = rows
        const where = printFilters(rows, token, params)
        const counted = where === `token = ${token}` ? all : null
        const { total, seqs } = yield* findPage(rows, where, counted, { limit, page, seq })
        const found = yield* tapeRows(rows, seqs)
        const [edge = {}] = yield* edgesOf(rows, token, [day], scale)
        const buys = day.buys + Number(edge["buys"] ?? 0)
        return {
          trades: found.map(row => printOf(rows, token, row)),
          total,
          page,
          pageSize: limit,
          dexes,
          stats24h: {
            buys,
            sells: day.trades + Number(edge["trades"] ?? 0) - buys,
            buyUsd: (day.buyUsd + Number(edge["bought"] ?? 0)) / MICRO,
            sellUsd: (day.sellUsd + Number(edge["sold"] ?? 0)) / MICRO
          },
          asOf: seq
        }
      })
  }
}
