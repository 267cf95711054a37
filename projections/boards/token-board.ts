/** The board of tokens that traded in the last 24 hours (spec 4.4). */
import type { QueryContext, QueryParams, Settled } from "../../engine/projection.ts"
import { rulesOf, versionOf } from "../flags/rule-sets.ts"
import { markets } from "../markets/output.ts"
import { windowAt } from "../markets/window.ts"
import { askedPosition, asOfRefusal } from "../tape/as-of.ts"
import { boardsOutput, type Order } from "./kept-orders.ts"
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

/** The tokens of a board with what they are sorted by. */
const orderOf = (view: TokenView, sort: BoardSort, includeUnlisted: boolean): Order => {
  const { trades } = view.window.ofTokens.columns
  const traded: Array<number> = []
  for (let token = 0; token < view.facts.tokens.count(); token++) {
    if ((trades[token] ?? 0) > 0) traded.push(token)
  }
  const all = view.kept(traded).filter(token => includeUnlisted || view.isListed(token))
  return {
    ids: Uint32Array.from(all),
    keys: Float64Array.from(all, keyOf(view, sort)),
    flagged: Uint8Array.from(all, token => (view.isFlagged(token) ? 1 : 0))
  }
}

/** The tokens of a page. */
const pageOf = ({ ids, keys, flagged }: Order, offset: number, limit: number) => {
  const places = Array.from(ids, (_, place) => place)
  const compare = (a: number, b: number): number =>
    (flagged[a] as number) - (flagged[b] as number) ||
    Math.sign((keys[b] as number) - (keys[a] as number)) ||
    a - b
  return topOf(places, Math.min(offset + limit, ids.length), compare)
    .slice(offset)
    .map(place => ids[place] as number)
}

/**
 * `{ sort, limit, offset, includeUnlisted, rules, asOf }`: the present figures of the tokens; their
 * order is that of `asOf` where it is given.
 */
export const tokenBoard = (context: Omit<QueryContext, "rows">, params: QueryParams): Settled => {
  const sort = String(params["sort"]) as BoardSort
  const [limit, offset] = [Number(params["limit"]), Number(params["offset"])]
  const includeUnlisted = params["includeUnlisted"] === true
  const rules = versionOf(params["rules"])
  const asOf = askedPosition(params["asOf"]) ?? context.seq
  const window = windowAt(context.output(markets), context.blockTime)
  const view = new TokenView(context, window, rulesOf(rules))
  const kept = context.output(boardsOutput)
  const board = `tokens ${sort} ${includeUnlisted} ${rules}`
  const known = kept.get(board, asOf)
  if (known === undefined && asOf !== context.seq) {
    return { refused: asOfRefusal(asOf, context.seq) }
  }
  const order = known ?? kept.keep(board, asOf, orderOf(view, sort, includeUnlisted))
  return {
    value: {
      chain: context.chain.id,
      sinceHour: window.since,
      tradersSince: window.since,
      sort,
      offset,
      rules,
      asOf,
      tokens: tokenRows(context, view, pageOf(order, offset, limit)),
      total: order.ids.length,
      updatedAt: context.blockTime * 1000
    }
  }
}
