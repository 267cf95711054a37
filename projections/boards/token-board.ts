/** The board of tokens that traded in the last 24 hours (spec 4.4). */
import type { QueryContext, QueryParams, Settled } from "../../engine/projection.ts"
import { markets } from "../markets/output.ts"
import { windowAt } from "../markets/window.ts"
import { TokenView, tokenRows } from "./token-row.ts"
import { topOf } from "./top.ts"

export const boardSorts = ["volume", "trades", "traders", "change", "mcap"] as const
export type BoardSort = (typeof boardSorts)[number]

/** What a board is sorted by, largest first; nulls are smaller than everything. */
const keyOf = (view: TokenView, sort: BoardSort): ((token: number) => number) => {
  const { trades, makers } = view.window.ofTokens.columns
  const orLeast = (value: number | null): number => value ?? Number.NEGATIVE_INFINITY
  switch (sort) {
    case "volume":
      return token => view.volumeOf(token)
    case "trades":
      return token => trades[token] as number
    case "traders":
      return token => makers[token] as number
    case "change":
      return token => orLeast(view.changeOf(token))
    case "mcap":
      return token => orLeast(view.marketCapOf(token))
  }
}

/** `{ sort, limit, offset, includeUnlisted }` */
export const tokenBoard = (context: Omit<QueryContext, "rows">, params: QueryParams): Settled => {
  const sort = String(params["sort"]) as BoardSort
  const [limit, offset] = [Number(params["limit"]), Number(params["offset"])]
  const window = windowAt(context.output(markets), context.blockTime)
  const view = new TokenView(context, window)
  const { trades } = window.ofTokens.columns
  const traded: Array<number> = []
  for (let token = 0; token < view.facts.tokens.count(); token++) {
    if ((trades[token] ?? 0) > 0) traded.push(token)
  }
  const isAll = params["includeUnlisted"] === true
  const all = view.kept(traded).filter(token => isAll || view.isListed(token))
  const key = keyOf(view, sort)
  const keys = new Map(all.map(token => [token, key(token)]))
  const flagged = new Set(all.filter(token => view.isFlagged(token)))
  const compare = (a: number, b: number): number =>
    Number(flagged.has(a)) - Number(flagged.has(b)) ||
    Math.sign((keys.get(b) as number) - (keys.get(a) as number)) ||
    a - b
  const shown = topOf(all, Math.min(offset + limit, all.length), compare).slice(offset)
  return {
    value: {
      chain: context.chain.id,
      sinceHour: window.since,
      tradersSince: window.since,
      sort,
      offset,
      tokens: tokenRows(context, view, shown),
      total: all.length,
      updatedAt: context.blockTime * 1000
    }
  }
}
