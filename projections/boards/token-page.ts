/** One token: its row, the last 24 hours, its venues and its pools. */
import type { QueryContext, QueryParams, Settled } from "../../engine/projection.ts"
import { fromHex } from "../../src/domain/address.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { MarketFold } from "../markets/fold.ts"
import { HOUR } from "../markets/hours.ts"
import { markets } from "../markets/output.ts"
import { type Window, windowAt } from "../markets/window.ts"
import { pools, tokenColumns } from "../pools/output.ts"
import { pricesOutput as prices } from "../prices/output.ts"
import { askedPosition, asOfRefusal } from "../tape/as-of.ts"
import { tapeOutput } from "../tape/output.ts"
import { unknownToken } from "../tokens/queries.ts"
import { boardsOutput } from "./kept-orders.ts"
import { percent } from "./percent.ts"
import { isSuspect } from "./suspects.ts"
import { TokenView, tokenRows } from "./token-row.ts"

type Memory = Omit<QueryContext, "rows">

const MICRO = 1e6

/** The token of an address, if it has ever traded; -1 otherwise. */
const tradedToken = (view: TokenView, context: Memory, address: string): number => {
  const token = view.facts.tokens.find(fromHex(address))
  if (token < 0) return -1
  return (context.output(tapeOutput).activity().trades[token] ?? 0) > 0 ? token : -1
}

/** The refusal of a token that never traded. */
export const unknown = (context: Memory, address: string): Settled => ({
  refused: unknownToken(context, address).refusal
})

/** The hours of the window, oldest first, also those without a trade. */
const hoursOf = (fold: MarketFold, { since }: Window, token: number) => {
  const slots = new Map<number, number>()
  const c = fold.tokenHours.table.columns
  fold.tokenHours.each(slot => {
    if (c.token[slot] === token) slots.set(c.hour[slot] as number, slot)
  })
  return Array.from({ length: 24 }, (_, i) => {
    const hour = since + i * HOUR
    const slot = slots.get(hour)
    if (slot === undefined) {
      return { hour, trades: 0, buys: 0, sells: 0, buyUsd: 0, sellUsd: 0, makers: 0, close: null }
    }
    const [trades, buys] = [c.trades[slot] as number, c.buys[slot] as number]
    const close = c.close[slot] as number
    return {
      hour,
      trades,
      buys,
      sells: trades - buys,
      buyUsd: (c.buy_usd[slot] as number) / MICRO,
      sellUsd: (c.sell_usd[slot] as number) / MICRO,
      makers: c.makers[slot] as number,
      close: close > 0 ? close : null
    }
  })
}

/** The markets of a token. */
export const marketsOf = (fold: MarketFold, token: number): ReadonlyArray<number> => {
  const { token0, token1 } = fold.index.markets.columns
  const found: Array<number> = []
  for (let market = 0; market < fold.index.markets.count; market++) {
    if (token0[market] === token || token1[market] === token) found.push(market)
  }
  return found
}

const venuesOf = (fold: MarketFold, { ofMarkets }: Window, token: number) => {
  const { venue } = fold.index.markets.columns
  const sums = new Map<number, { trades: number; usd: number }>()
  let total = 0
  for (const market of marketsOf(fold, token)) {
    const trades = ofMarkets.columns.trades[market] ?? 0
    if (trades === 0) continue
    const usd = ofMarkets.columns.usd[market] as number
    const sum = sums.get(venue[market] as number) ?? { trades: 0, usd: 0 }
    sums.set(venue[market] as number, { trades: sum.trades + trades, usd: sum.usd + usd })
    total += usd
  }
  const ids = fold.index.venues.columns.id
  return [...sums]
    .sort(([a, x], [b, y]) => y.usd - x.usd || y.trades - x.trades || a - b)
    .map(([of, { trades, usd }]) => ({
      dex: ids[of] ?? null,
      volUsd: usd / MICRO,
      trades,
      sharePct: percent(usd, total)
    }))
}

/** `{ token }`: the token's row, its hours and its venues. */
export const tokenPage = (context: Memory, params: QueryParams): Settled => {
  const fold = context.output(markets)
  const window = windowAt(fold, context.blockTime)
  const view = new TokenView(context, window)
  const address = String(params["token"])
  const token = tradedToken(view, context, address)
  if (token < 0) return unknown(context, address)
  const { ath, ath_ts } = fold.marks.table.columns
  const highest = ath[token] as number
  return {
    value: {
      chain: context.chain.id,
      sinceHour: window.since,
      token: tokenRows(context, view, [token])[0],
      ath: highest > 0 ? { priceUsd: highest, ts: ath_ts[token] as number } : null,
      firstTradeTs: context.output(tapeOutput).activity().first_ts[token] as number,
      hourly24: hoursOf(fold, window, token),
      venues24h: venuesOf(fold, window, token),
      updatedAt: context.blockTime * 1000
    }
  }
}

/** Pools of which a token is one, in slot order. */
const poolsOf = (context: Memory, token: number): ReadonlyArray<number> => {
  const { columns, count } = context.output(pools)
  const sides = tokenColumns.map(name => columns()[name])
  const found: Array<number> = []
  for (let pool = 0; pool < count(); pool++) {
    if (sides.some(side => side[pool] === token)) found.push(pool)
  }
  return found
}

/** The day of each pool of a token: sums of its markets in which the token is. */
const poolDays = (fold: MarketFold, window: Window, token: number) => {
  const { pool } = fold.index.markets.columns
  const c = window.ofMarkets.columns
  const found = new Map<number, { trades: number; usd: number; makers: number; suspect: boolean }>()
  for (const market of marketsOf(fold, token)) {
    const of = pool[market] as number
    const sum = found.get(of) ?? { trades: 0, usd: 0, makers: 0, suspect: false }
    found.set(of, {
      trades: sum.trades + (c.trades[market] ?? 0),
      usd: sum.usd + (c.usd[market] ?? 0),
      makers: sum.makers + (c.makers[market] ?? 0),
      suspect: sum.suspect || isSuspect(window, market)
    })
  }
  return found
}

/** `{ token, limit, offset, asOf }`: the token's pools, most volume first, suspect ones last. */
export const tokenPools = (context: Memory, params: QueryParams): Settled => {
  const fold = context.output(markets)
  const window = windowAt(fold, context.blockTime)
  const view = new TokenView(context, window)
  const address = String(params["token"])
  const token = view.facts.tokens.find(fromHex(address))
  if (token < 0) return unknown(context, address)
  const { columns, idText } = context.output(pools)
  const facts = columns()
  const days = poolDays(fold, window, token)
  const own = context.output(prices).poolPrices()
  const orNull = (value: number | undefined): number | null =>
    value !== undefined && value > 0 ? value : null
  const nothing = { trades: 0, usd: 0, makers: 0, suspect: false }
  const sideOf = (of: number) => ({
    address: view.facts.flags.addressOf(of),
    symbol: view.facts.tokens.columns().symbol[of] ?? null,
    ...(view.isImpostor(of) ? { impostor: true } : {})
  })
  const all = poolsOf(context, token).map(pool => {
    const { trades, usd, makers, suspect } = days.get(pool) ?? nothing
    const tokensOf = tokenColumns.map(name => facts[name][pool] as number).filter(of => of !== NONE)
    const fee = facts.fee[pool] as number
    const row = {
      pool: idText(pool),
      dex: facts.venue[pool] ?? null,
      kind: facts.kind[pool] ?? null,
      feePct: fee < 0 ? null : fee / 10_000,
      token0: tokensOf[0] === undefined ? null : sideOf(tokensOf[0]),
      token1: tokensOf[1] === undefined ? null : sideOf(tokensOf[1]),
      tokens: tokensOf.map(of => view.facts.flags.addressOf(of)),
      priceUsd: orNull(own.price[pool]),
      depthUsd: orNull(own.depth_usd[pool]),
      txns24h: trades,
      vol24h: usd / MICRO,
      makers24h: makers,
      ...(suspect ? { suspect: true } : {})
    }
    return { id: pool, row }
  })
  const [limit, offset] = [Number(params["limit"]), Number(params["offset"])]
  const sorted = all.sort(
    (a, b) =>
      Number(a.row.suspect ?? false) - Number(b.row.suspect ?? false) ||
      b.row.vol24h - a.row.vol24h ||
      (b.row.depthUsd ?? 0) - (a.row.depthUsd ?? 0)
  )
  const asOf = askedPosition(params["asOf"]) ?? context.seq
  const order = poolOrder(
    context,
    token,
    asOf,
    sorted.map(({ id }) => id)
  )
  if (order === undefined) return { refused: asOfRefusal(asOf, context.seq) }
  const rows = new Map(sorted.map(({ id, row }) => [id, row]))
  return {
    value: {
      chain: context.chain.id,
      token: address,
      offset,
      asOf,
      total: order.length,
      pools: [...order.slice(offset, offset + limit)].map(id => rows.get(id)),
      updatedAt: context.blockTime * 1000
    }
  }
}

/** The pools of a token in the order of a position; undefined where that is not known. */
const poolOrder = (
  context: Memory,
  token: number,
  asOf: number,
  present: ReadonlyArray<number>
): Uint32Array | undefined => {
  const kept = context.output(boardsOutput)
  const board = `pools ${token}`
  const known = kept.get(board, asOf)
  if (known !== undefined || asOf !== context.seq) return known?.ids
  const none = { keys: new Float64Array(0), flagged: new Uint8Array(0) }
  return kept.keep(board, asOf, { ids: Uint32Array.from(present), ...none }).ids
}
