/** The board of tokens that traded in the last 24 hours (spec 4.4). */

import { withLast } from "../../../engine/memory/descending.ts"
import { type FoldsView, memoryQuery } from "../../../engine/query.ts"
import { jsonWithUnknown } from "../../../projections/coverage/covered-time.ts"
import { asOfRefusal } from "../../../projections/tape/as-of.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"
import { rulesOf, versionOf } from "../../../src/rules/rule-sets.ts"
import type { BoardSort } from "./board-sorts.ts"
import { keptOrders, type Order, sortedOrders } from "./kept-orders.ts"
import { byVolume, flaggedBy, listedBy, tradedIn } from "./position-facts.ts"
import { TokenView } from "./token-row.ts"
import { toldRows } from "./told-rows.ts"
import { windowOf } from "./window-of.ts"

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
      return token => orLeast(view.changeOf(token)?.pct ?? null)
    case "mcap":
      return token => orLeast(view.marketCapOf(token))
    case "new":
      return token => view.firstTradeOf(token)
  }
}

/** Those of some tokens that `shown` is 1 for, in their order. */
const those = (tokens: Uint32Array, shown: Uint8Array): Uint32Array => {
  const kept = new Uint32Array(tokens.length)
  let size = 0
  for (const token of tokens) if (shown[token] === 1) kept[size++] = token
  return kept.slice(0, size)
}

/** The tokens of a board in its order: flagged ones last, of equal ones the first seen first. */
const orderOf = (
  context: FoldsView,
  view: TokenView,
  sort: BoardSort,
  includeUnlisted: boolean
): Order => {
  const count = view.facts.tokens.count()
  const traded = tradedIn(context)
  const kept = view.kept(traded)
  const listed = includeUnlisted ? null : listedBy(context, view)
  const shown = new Uint8Array(count)
  for (let i = 0; i < kept.length; i++) {
    const token = kept[i] as number
    if (listed === null || listed[token] === 1) shown[token] = 1
  }
  const flagged = flaggedBy(context, view)
  if (sort === "volume") return withLast(those(byVolume(context), shown), flagged)
  const sorted = context.kept(sortedOrders).get(`${sort} ${includeUnlisted}`)
  return withLast(sorted.of(those(traded, shown), count, keyOf(view, sort)), flagged)
}

export type BoardParams = {
  readonly sort: BoardSort
  readonly limit: number
  readonly offset: number
  readonly includeUnlisted: boolean
  readonly rules: string | null
  /** position whose order is wanted; null for the present one */
  readonly asOf: number | null
}

/** The present figures of the tokens, in the order of `asOf`. */
export const tokenBoard = memoryQuery("tokenBoard", (context, params: BoardParams) => {
  const { sort, limit, offset, includeUnlisted } = params
  const rules = versionOf(params.rules)
  const asOf = params.asOf ?? context.seq
  const window = windowOf(context)
  const view = new TokenView(context, window, rulesOf(context.chain, rules))
  const kept = context.kept(keptOrders)
  const board = `tokens ${sort} ${includeUnlisted} ${rules}`
  const known = kept.get(board, asOf)
  if (known === undefined && asOf !== context.seq) {
    return { refused: asOfRefusal(asOf, context.seq) }
  }
  const order = known ?? kept.keep(board, asOf, orderOf(context, view, sort, includeUnlisted))
  const shown = [...order.subarray(offset, offset + limit)]
  const before = {
    chain: shownChain(context.chain),
    sinceHour: window.since,
    tradersSince: window.since,
    sort,
    offset,
    rules,
    asOf
  }
  const after = { total: order.length, updatedAt: updatedAt(context) }
  return jsonWithUnknown(context, window.since, unknown =>
    toldRows(context, view, shown, [
      `${JSON.stringify(before).slice(0, -1)},"tokens":[`,
      `],${JSON.stringify({ ...after, unknown }).slice(1)}`
    ])
  )
})
