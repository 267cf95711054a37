/**
 * Windows of a token that end with the newest block, exact to the second (spec part 2): whole hours
 * come from memory, the hour in which a window begins from that hour's prints.
 */

import { Effect } from "effect"
import { keep } from "../../../engine/memory/kept.ts"
import { Newest } from "../../../engine/memory/newest.ts"
import { type FoldsView, memoryQuery, type RowsView } from "../../../engine/query.ts"
import { numberOf, versions } from "../../../engine/store/sql.ts"
import { hourCandlesTable, minuteCandlesTable } from "../../../projections/candles/tables.ts"
import { readCoverage } from "../../../projections/coverage/covered-time.ts"
import { type Change, changeFrom } from "../../../projections/markets/change.ts"
import { DAY, HOUR, hourOf } from "../../../projections/markets/hours.ts"
import { markets } from "../../../projections/markets/output.ts"
import type { MakerCounts } from "../../../projections/markets/token-makers.ts"
import { type Held, heldOf } from "../../../projections/markets/token-windows.ts"
import { pools } from "../../../projections/pools/output.ts"
import { liquidityOf } from "../../../projections/prices/liquidity.ts"
import { tapeOutput } from "../../../projections/tape/output.ts"
import { tokens } from "../../../projections/tokens/output.ts"
import { unknownIn } from "../../../src/domain/covered-time.ts"
import { idBytes } from "../../../src/domain/ids.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"
import { topOf } from "../../../src/math/top.ts"
import { TokenView } from "../boards/token-row.ts"
import { knownWallets, windowWarnings } from "../boards/unknown-wallets.ts"
import { windowOf } from "../boards/window-of.ts"
import { unknown } from "../token-pages/token-page.query.ts"
import { heldEdges, readEdges } from "./held-edges.ts"
import type { Edge, PoolSums } from "./window-edges.ts"

const MICRO = 1e6

const WIDTHS = { m5: 300, h1: HOUR, h6: 6 * HOUR, h24: DAY } as const
type Name = keyof typeof WIDTHS
const NAMES = Object.keys(WIDTHS) as ReadonlyArray<Name>

/** Swaps of pools, in the order in which they are told of first. */
class PoolTotals {
  /** by pool: its place plus one */
  private readonly places: Uint32Array
  readonly pools: Array<number> = []
  readonly trades: Array<number> = []
  readonly usd: Array<number> = []
  readonly makers: Array<number> = []

  constructor(pools: number) {
    this.places = new Uint32Array(pools)
  }

  add(pool: number, trades: number, usd: number, makers: number): void {
    const at = (this.places[pool] as number) - 1
    if (at < 0) {
      this.places[pool] = this.pools.push(pool)
      this.trades.push(trades)
      this.usd.push(usd)
      this.makers.push(makers)
      return
    }
    this.trades[at] = (this.trades[at] as number) + trades
    this.usd[at] = (this.usd[at] as number) + usd
    this.makers[at] = (this.makers[at] as number) + makers
  }
}

/** A look-up costs about as much as looking at so many pairs one after the other. */
const LOOKUP_PART = 1 / 200

/** By market: distinct wallets of the day that ends at a position, of all markets. */
const allMakers = keep(() => new Newest<Uint32Array>())

/** Distinct wallets since the first second of the day in each of a token's markets. */
const marketMakers = (
  context: FoldsView,
  token: number,
  mine: Uint32Array,
  since: number,
  wallets: number
): ((market: number) => number) => {
  const { tokenMakers, marketMakers: makers, index } = context.output(markets)
  // who traded the only market of a token traded the token
  if (mine.length === 1) return () => wallets
  const all = context.kept(allMakers)
  const isCounted = all.find(context.seq) !== undefined
  if (isCounted || wallets * mine.length >= makers.table.count * LOOKUP_PART) {
    const counts = all.at(context.seq, () =>
      makers.countSince(new Uint8Array(index.markets.count).fill(1), since)
    )
    return market => counts[market] ?? 0
  }
  const known = tokenMakers.of(token)
  return market => {
    let count = 0
    for (const { wallet } of known) {
      const slot = makers.find(market, wallet)
      if (slot >= 0 && makers.lastOf(slot) >= since) count++
    }
    return count
  }
}

/**
 * The markets of a token in the last 24 hours to the second, as far as memory tells: its first
 * whole hour is the first of the 24 hours of the clock.
 */
const marketsHeld = (context: FoldsView, token: number, { from }: Held, wallets: number) => {
  const fold = context.output(markets)
  const mine = fold.index.ofToken(token)
  const { pool: poolOf } = fold.index.markets.columns
  const c = windowOf(context).ofMarkets.columns
  const makersOf = marketMakers(context, token, mine, from, wallets)
  const totals = new PoolTotals(context.output(pools).count())
  for (let i = 0; i < mine.length; i++) {
    const market = mine[i] as number
    const trades = c.trades[market] ?? 0
    const makers = makersOf(market)
    if (trades === 0 && makers === 0) continue
    totals.add(poolOf[market] as number, trades, c.usd[market] ?? 0, makers)
  }
  return totals
}

/** The close of the newest hour with a price before an hour; null where there is none. */
const hourBefore = (context: RowsView, token: number, at: number) =>
  Effect.map(
    context.rows(
      `SELECT c FROM (${versions(context, hourCandlesTable, `token = ${token} AND t < ${at} AND n > 0`, "t, seq, c")})
       ORDER BY t DESC, seq DESC LIMIT 1`
    ),
    ([row = {}]) => numberOf(row, "c")
  )

/** Highest and lowest price of a print that counts from a second on; null where none does. */
const rangeSince = (context: RowsView, token: number, from: number, edge: Edge) =>
  Effect.gen(function* () {
    const where = `token = ${token} AND t >= ${Math.ceil(from / 60) * 60} AND n > 0`
    const [row = {}] = yield* context.rows(
      `SELECT max(h) AS high, min(l) AS low FROM (${versions(context, minuteCandlesTable, where, "h, l")})`
    )
    const known = (name: "high" | "low") =>
      [numberOf(row, name), edge[name]].filter(price => price !== null)
    const [highs, lows] = [known("high"), known("low")]
    return highs.length === 0 ? null : { high: Math.max(...highs), low: Math.min(...lows) }
  })

const statsOf = (
  held: Held,
  { makers, buyers, sellers }: MakerCounts,
  edge: Edge,
  change: Change | null
) => {
  const txns = held.trades + edge.trades
  const buys = held.buys + edge.buys
  return {
    change: change?.pct ?? null,
    changeSince: change?.since ?? null,
    txns,
    buys,
    sells: txns - buys,
    buyVol: (held.buyUsd + edge.bought) / MICRO,
    sellVol: (held.sellUsd + edge.sold) / MICRO,
    makers,
    buyers,
    sellers
  }
}

/** Markets that are told of, those with most volume. */
const MOST_MARKETS = 500

/** Adds the swaps of the 24 hours' first part to those of whole hours, by pool. */
const marketRows = (context: RowsView, known: PoolTotals, first: PoolSums) => {
  for (const [pool, { trades, usd }] of first) known.add(pool, trades, usd, 0)
  const { columns, idText } = context.output(pools)
  const venues = columns().venue
  const { pools: ids, trades, usd, makers } = known
  const order = (a: number, b: number): number =>
    (usd[b] as number) - (usd[a] as number) ||
    (trades[b] as number) - (trades[a] as number) ||
    (ids[a] as number) - (ids[b] as number)
  const all = ids.map((_, at) => at)
  return topOf(all, MOST_MARKETS, order).map(at => {
    const pool = ids[at] as number
    return {
      dex: venues[pool] ?? null,
      pool: idText(pool),
      txns24h: trades[at] as number,
      vol24h: (usd[at] as number) / MICRO,
      makers24h: knownWallets(trades[at] as number, makers[at] as number)
    }
  })
}

/** `{ token }` */
export const tokenStats = memoryQuery(
  "tokenStats",
  (context, params: { readonly token: string }) => {
    const fold = context.output(markets)
    const { token: address } = params
    const known = context.output(tokens)
    const token = known.find(idBytes(address))
    const activity = context.output(tapeOutput).activity()
    const total = token < 0 ? 0 : (activity.trades[token] ?? 0)
    if (total === 0) return unknown(context, address)
    const held = NAMES.map(name => heldOf(fold, token, context.blockTime, WIDTHS[name]))
    const day = held[NAMES.indexOf("h24")] as Held
    const makers = fold.tokenMakers.countSince(
      token,
      held.map(({ from }) => from)
    )
    const traders = makers[NAMES.indexOf("h24")]?.makers ?? 0
    const own = marketsHeld(context, token, day, traders)
    const closes = held.map(({ from }) => fold.marks.closeBefore(token, hourOf(from)))
    const { ath, ath_ts } = fold.marks.table.columns
    const seen = fold.marks.seen(token)
    const highest = ath[token] as number
    const view = new TokenView(context, windowOf(context))
    const price = view.priceOf(token)
    const priceTs = view.priceTsOf(token)
    const liquidityUsd = liquidityOf(context, token)
    const firstTradeTs = activity.first_ts[token] as number
    const athTs = ath_ts[token] as number
    const begun = heldEdges(context, token, held, known.scale(token))
    return {
      read: rows =>
        Effect.gen(function* () {
          const windows: { [name: string]: ReturnType<typeof statsOf> } = {}
          const { edges, pools: first } = yield* readEdges(rows, begun)
          for (const [i, name] of NAMES.entries()) {
            const edge = edges[i] as Edge
            const { from } = held[i] as Held
            const close = edge.before ?? closes[i]
            const before =
              close === undefined ? yield* hourBefore(rows, token, hourOf(from)) : close
            const wallets = makers[i] as MakerCounts
            const change = changeFrom(seen, from, before ?? Number.NaN)
            windows[name] = statsOf(held[i] as Held, wallets, edge, view.told(token, change))
          }
          return {
            chain: shownChain(context.chain),
            token: address,
            priceUsd: price,
            priceTs,
            windows,
            liquidityUsd,
            ath: highest > 0 ? { priceUsd: highest, ts: athTs } : null,
            range24h: yield* rangeSince(rows, token, day.from, edges[NAMES.indexOf("h24")] as Edge),
            firstTradeTs,
            totalTxns: total,
            markets: marketRows(rows, own, first),
            ...(own.pools.length > MOST_MARKETS ? { marketsTotal: own.pools.length } : {}),
            unknown: unknownIn(yield* readCoverage(rows, day.from), {
              from: day.from,
              to: context.blockTime + 1
            }),
            ...windowWarnings(windows),
            updatedAt: updatedAt(context)
          }
        })
    }
  }
)
