/** The pools of a token by pages. */

import { descending, withLast } from "../../../engine/memory/descending.ts"
import { type FoldsView, memoryQuery } from "../../../engine/query.ts"
import { withUnknown } from "../../../projections/coverage/covered-time.ts"
import { markets } from "../../../projections/markets/output.ts"
import { pools, tokenColumns } from "../../../projections/pools/output.ts"
import { pricesOutput as prices } from "../../../projections/prices/output.ts"
import { asOfRefusal } from "../../../projections/tape/as-of.ts"
import { idBytes } from "../../../src/domain/ids.ts"
import { rulesOf } from "../../../src/rules/rule-sets.ts"
import { NONE } from "../../../streams/batch/id-table.ts"
import { keptOrders, type Order, sortedOrders } from "../boards/kept-orders.ts"
import { isSuspect } from "../boards/suspects.ts"
import { TokenView } from "../boards/token-row.ts"
import { knownWallets, walletWarnings } from "../boards/unknown-wallets.ts"
import { windowOf } from "../boards/window-of.ts"
import { unknown } from "./token-page.query.ts"

const MICRO = 1e6
/** A token with so many pools has them found and sorted by other means. */
const MANY = 2048

/** The place of a number in an ascending list, -1 where it is not in it. */
const placeOf = (list: Uint32Array, wanted: number): number => {
  let [low, high] = [0, list.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const value = list[middle] as number
    if (value === wanted) return middle
    if (value < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** By pool: where it stood among the pools asked for last in which it is; of others nothing. */
let places = new Uint32Array(0)

/** Tells where pools stand in an ascending list, -1 for nowhere; in a long one without search. */
const placesIn = (ids: Uint32Array): ((pool: number) => number) => {
  if (ids.length < MANY) return pool => placeOf(ids, pool)
  const size = (ids.at(-1) as number) + 1
  if (places.length < size) places = new Uint32Array(size + (size >> 2))
  for (let place = 0; place < ids.length; place++) places[ids[place] as number] = place
  return pool => {
    const place = places[pool] ?? 0
    return ids[place] === pool ? place : -1
  }
}

/** The day of each pool of a token, by place: sums of its markets in which the token is. */
const poolDays = (context: FoldsView, token: number, ids: Uint32Array) => {
  const window = windowOf(context)
  const rules = rulesOf(context.chain)
  const { pool } = context.output(markets).index.markets.columns
  const c = window.ofMarkets.columns
  const sums = () => new Float64Array(ids.length)
  const days = { trades: sums(), usd: sums(), makers: sums(), suspect: new Uint8Array(ids.length) }
  const placeOfPool = placesIn(ids)
  for (const market of context.output(markets).index.ofToken(token)) {
    if (!((c.trades[market] ?? 0) > 0)) continue
    const place = placeOfPool(pool[market] as number)
    if (place < 0) continue
    days.trades[place] = (days.trades[place] as number) + (c.trades[market] as number)
    days.usd[place] = (days.usd[place] as number) + (c.usd[market] as number)
    days.makers[place] = (days.makers[place] as number) + (c.makers[market] as number)
    if (isSuspect(window, market, rules)) days.suspect[place] = 1
  }
  return days
}

type Days = ReturnType<typeof poolDays>

const positive = (value: number | undefined): number | null =>
  value !== undefined && value > 0 ? value : null

/** Places of pools, deepest first; of many the order is kept, as few depths change at a time. */
const byDepth = (context: FoldsView, token: number, ids: Uint32Array): Uint32Array => {
  const { poolLiquidOf } = context.output(prices)
  const depthOf = (place: number): number => poolLiquidOf(ids[place] as number)
  const all = ids.map((_, place) => place)
  if (ids.length < MANY) return descending(all, Float64Array.from(all, depthOf))
  const sorted = context.kept(sortedOrders).get(`pools of ${token} by depth`)
  return sorted.of(all, ids.length, depthOf)
}

/** Suspect ones last, then by volume, then by depth; of equal ones the first seen first. */
const orderOf = (
  context: FoldsView,
  token: number,
  ids: Uint32Array,
  { usd, suspect }: Days
): Order => {
  const all = byDepth(context, token, ids)
  const volumes = usd.map(micro => micro / MICRO)
  // most pools of a token with many have no volume: they stay in their order
  const traded = all.filter(place => (volumes[place] as number) > 0)
  const order = new Uint32Array(all.length)
  order.set(descending(traded, volumes))
  order.set(
    all.filter(place => !((volumes[place] as number) > 0)),
    traded.length
  )
  return withLast(order, suspect).map(place => ids[place] as number)
}

/** The pools of a token in the order of a position; undefined where that is not known. */
const orderAt = (
  context: FoldsView,
  token: number,
  asOf: number,
  present: () => Order
): Order | undefined => {
  const kept = context.kept(keptOrders)
  const board = `pools ${token}`
  const known = kept.get(board, asOf)
  if (known !== undefined || asOf !== context.seq) return known
  return kept.keep(board, asOf, present())
}

const rowsOf = (
  context: FoldsView,
  view: TokenView,
  ids: Uint32Array,
  days: Days,
  shown: ReadonlyArray<number>
) => {
  const { columns, idText } = context.output(pools)
  const facts = columns()
  const { poolPriceOf, poolLiquidOf } = context.output(prices)
  const sideOf = (of: number) => ({
    address: view.facts.tokens.addressOf(of),
    symbol: view.facts.tokens.columns().symbol[of] ?? null,
    ...(view.isImpostor(of) ? { impostor: true } : {})
  })
  return shown.map(pool => {
    const place = placeOf(ids, pool)
    const tokensOf = tokenColumns
      .map(name => facts[name][pool] as number)
      .filter(token => token !== NONE)
    const fee = facts.fee[pool] as number
    return {
      pool: idText(pool),
      dex: facts.venue[pool] ?? null,
      kind: facts.kind[pool] ?? null,
      feePct: fee < 0 ? null : fee / 10_000,
      token0: tokensOf[0] === undefined ? null : sideOf(tokensOf[0]),
      token1: tokensOf[1] === undefined ? null : sideOf(tokensOf[1]),
      tokens: tokensOf.map(token => view.facts.tokens.addressOf(token)),
      priceUsd: positive(poolPriceOf(pool)),
      depthUsd: positive(poolLiquidOf(pool)),
      txns24h: days.trades[place] ?? 0,
      vol24h: (days.usd[place] ?? 0) / MICRO,
      makers24h: knownWallets(days.trades[place] ?? 0, days.makers[place] ?? 0),
      ...(days.suspect[place] === 1 ? { suspect: true } : {})
    }
  })
}

export type PoolsParams = {
  readonly token: string
  readonly limit: number
  readonly offset: number
  /** position whose order is wanted; null for the present one */
  readonly asOf: number | null
}

/** The token's pools, most volume first, suspect ones last. */
export const tokenPools = memoryQuery("tokenPools", (context, params: PoolsParams) => {
  const view = new TokenView(context, windowOf(context))
  const { token: address } = params
  const token = view.facts.tokens.find(idBytes(address))
  if (token < 0) return unknown(context, address)
  const ids = context.output(pools).ofToken(token)
  const days = poolDays(context, token, ids)
  const { limit, offset } = params
  const asOf = params.asOf ?? context.seq
  const order = orderAt(context, token, asOf, () => orderOf(context, token, ids, days))
  if (order === undefined) return { refused: asOfRefusal(asOf, context.seq) }
  const shown = [...order.subarray(offset, offset + limit)]
  return withUnknown(context, view.window.since, {
    token: address,
    offset,
    asOf,
    total: order.length,
    pools: rowsOf(context, view, ids, days, shown),
    ...walletWarnings(context)
  })
})
