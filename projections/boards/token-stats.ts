/**
 * Windows of a token that end with the newest block, exact to the second (spec part 2): whole hours
 * come from memory, the hour in which a window begins from that hour's prints.
 */
import { Effect } from "effect"
import type { QueryContext, QueryParams, Row, Settled } from "../../engine/projection.ts"
import { numberOf, versions } from "../../engine/store/sql.ts"
import { fromHex } from "../../src/domain/address.ts"
import { DAY, HOUR, type MarketFold } from "../markets/fold.ts"
import { markets } from "../markets/output.ts"
import { pools } from "../pools/output.ts"
import { pricesOutput } from "../prices/output.ts"
import { tapeOutput } from "../tape/output.ts"
import { tokens } from "../tokens/output.ts"
import { liquidityOf } from "./liquidity.ts"
import { marketsOf, unknown } from "./token-page.ts"

type Memory = Omit<QueryContext, "rows">

const MICRO = 1e6

const WIDTHS = { m5: 300, h1: HOUR, h6: 6 * HOUR, h24: DAY } as const
type Name = keyof typeof WIDTHS
const NAMES = Object.keys(WIDTHS) as ReadonlyArray<Name>

/** Sums of prints. */
interface Sums {
  trades: number
  buys: number
  buyUsd: number
  sellUsd: number
}

/** What memory tells of a window: sums of its whole hours, and who traded in it. */
interface Held extends Sums {
  /** the first second of the window, and of its first whole hour (or the end, where none is) */
  readonly from: number
  readonly edge: number
  makers: number
  buyers: number
  sellers: number
}

/** Slots of a token's hours, and who traded it: memory is looked through once for all windows. */
const slotsOf = (fold: MarketFold, token: number) => {
  const hours: Array<number> = []
  const { token: ofHour } = fold.tokenHours.table.columns
  fold.tokenHours.each(slot => {
    if (ofHour[slot] === token) hours.push(slot)
  })
  return { hours, makers: fold.tokenMakers.of(token) }
}

const heldOf = (
  { tokenHours }: MarketFold,
  { hours, makers }: ReturnType<typeof slotsOf>,
  now: number,
  width: number
): Held => {
  const from = now - width + 1
  const edge = Math.min(Math.ceil(from / HOUR) * HOUR, now + 1)
  const zero = { trades: 0, buys: 0, buyUsd: 0, sellUsd: 0, makers: 0, buyers: 0, sellers: 0 }
  const held: Held = { from, edge, ...zero }
  const c = tokenHours.table.columns
  for (const slot of hours) {
    if ((c.hour[slot] as number) < edge) continue
    held.trades += c.trades[slot] as number
    held.buys += c.buys[slot] as number
    held.buyUsd += c.buy_usd[slot] as number
    held.sellUsd += c.sell_usd[slot] as number
  }
  for (const { bought, sold } of makers) {
    if (Math.max(bought, sold) < from) continue
    held.makers++
    if (bought >= from) held.buyers++
    if (sold >= from) held.sellers++
  }
  return held
}

/** The markets of a token in the last 24 hours to the second, as far as memory tells. */
const marketsHeld = (fold: MarketFold, token: number, { from, edge }: Held) => {
  const mine = new Set(marketsOf(fold, token))
  const { pool: poolOf } = fold.index.markets.columns
  const found = new Map<number, { trades: number; usd: number; makers: number }>()
  const at = (market: number) => {
    const pool = poolOf[market] as number
    const sum = found.get(pool) ?? { trades: 0, usd: 0, makers: 0 }
    found.set(pool, sum)
    return sum
  }
  const c = fold.marketHours.table.columns
  fold.marketHours.each(slot => {
    const market = c.market[slot] as number
    if ((c.hour[slot] as number) < edge || !mine.has(market)) return
    const sum = at(market)
    sum.trades += c.trades[slot] as number
    sum.usd += c.usd[slot] as number
  })
  const { market: marketOf } = fold.marketMakers.table.columns
  fold.marketMakers.each(slot => {
    const market = marketOf[slot] as number
    if (mine.has(market) && fold.marketMakers.lastOf(slot) >= from) at(market).makers++
  })
  return found
}

const printsBetween = (token: number, from: number, to: number, scale: number): string => {
  const where = `token = ${token} AND ts >= ${from} AND ts < ${to}`
  const unit = Number.isNaN(scale) ? "NULL" : `price / amount * ${scale}`
  return `SELECT ts, pool, buy, usd, flags, seq,
      CASE WHEN unscaled = 1 THEN ${unit} ELSE price END AS price
    FROM (SELECT * FROM prints WHERE ${where} UNION ALL SELECT * FROM prints_tail WHERE ${where})`
}

/** One select of several, each with its place as `w`. */
const eachOf = (held: ReadonlyArray<Held>, select: (one: Held) => string): string =>
  held.map((one, w) => `SELECT ${w} AS w, * FROM (${select(one)})`).join(" UNION ALL ")

/** Rows by their place `w`; an empty row where there is none. */
const byPlace = (rows: ReadonlyArray<Row>, count: number): ReadonlyArray<Row> =>
  Array.from({ length: count }, (_, w) => rows.find(row => Number(row["w"]) === w) ?? {})

/** Sums of the part of each window before its first whole hour. */
const edgeSums = (context: QueryContext, token: number, held: ReadonlyArray<Held>, scale: number) =>
  context
    .rows(
      `SELECT w, count(*) AS trades, count(*) FILTER (buy = 1) AS buys,
         coalesce(sum(usd) FILTER (buy = 1 AND flags = 0), 0)::DOUBLE AS bought,
         coalesce(sum(usd) FILTER (buy = 0 AND flags = 0), 0)::DOUBLE AS sold
       FROM (${eachOf(held, ({ from, edge }) => printsBetween(token, from, edge, scale))})
       GROUP BY w`
    )
    .pipe(Effect.map(rows => byPlace(rows, held.length)))

/** The newest price of a print that counts before each window; null where there is none. */
const pricesBefore = (
  context: QueryContext,
  token: number,
  held: ReadonlyArray<Held>,
  scale: number
) =>
  Effect.gen(function* () {
    const minuteOf = ({ from }: Held): number => from - (from % 60)
    const prints = yield* context.rows(
      `SELECT w, arg_max(price, seq) AS price
       FROM (${eachOf(held, one => printsBetween(token, minuteOf(one), one.from, scale))})
       WHERE flags = 0 AND price > 0 GROUP BY w`
    )
    const before = (one: Held): string =>
      `SELECT c FROM (${versions("candles_1m", `token = ${token} AND t < ${minuteOf(one)} AND n > 0`)})
       ORDER BY t DESC, seq DESC LIMIT 1`
    const candles = byPlace(yield* context.rows(eachOf(held, before)), held.length)
    return byPlace(prints, held.length).map(
      (row, w) => numberOf(row, "price") ?? numberOf(candles[w] ?? {}, "c")
    )
  })

/** Highest and lowest price of a print that counts from a second on; null where none does. */
const rangeSince = (context: QueryContext, token: number, from: number, scale: number) =>
  Effect.gen(function* () {
    const minute = Math.ceil(from / 60) * 60
    const where = `token = ${token} AND t >= ${minute} AND n > 0`
    const [row = {}] = yield* context.rows(
      `SELECT max(high) AS high, min(low) AS low FROM (
         SELECT max(h) AS high, min(l) AS low FROM (${versions("candles_1m", where)})
         UNION ALL SELECT max(price), min(price)
           FROM (${printsBetween(token, from, minute, scale)}) WHERE flags = 0 AND price > 0)`
    )
    const [high, low] = [numberOf(row, "high"), numberOf(row, "low")]
    return high === null || low === null ? null : { high, low }
  })

const windowOf = (held: Held, edge: Row, price: number | null, before: number | null) => {
  const txns = held.trades + Number(edge["trades"] ?? 0)
  const buys = held.buys + Number(edge["buys"] ?? 0)
  return {
    change: price === null || before === null ? null : (price / before - 1) * 100,
    txns,
    buys,
    sells: txns - buys,
    buyVol: (held.buyUsd + Number(edge["bought"] ?? 0)) / MICRO,
    sellVol: (held.sellUsd + Number(edge["sold"] ?? 0)) / MICRO,
    makers: held.makers,
    buyers: held.buyers,
    sellers: held.sellers
  }
}

/** Adds the swaps of the 24 hours' first part to those of whole hours, by pool. */
const marketRows = (
  context: QueryContext,
  token: number,
  held: Held,
  known: ReturnType<typeof marketsHeld>
) =>
  Effect.gen(function* () {
    const { from, edge } = held
    const rows = yield* context.rows(
      `SELECT pool, count(*) AS trades,
         coalesce(sum(usd) FILTER (flags = 0), 0)::DOUBLE AS usd FROM (
           SELECT pool, usd, t.flags FROM tape t SEMI JOIN
             (${printsBetween(token, from, edge, Number.NaN)}) p ON t.seq = p.seq)
       GROUP BY pool`
    )
    for (const row of rows) {
      const pool = Number(row["pool"])
      const sum = known.get(pool) ?? { trades: 0, usd: 0, makers: 0 }
      known.set(pool, {
        ...sum,
        trades: sum.trades + Number(row["trades"]),
        usd: sum.usd + Number(row["usd"])
      })
    }
    const { columns, idText } = context.output(pools)
    return [...known]
      .sort(([a, x], [b, y]) => y.usd - x.usd || y.trades - x.trades || a - b)
      .map(([pool, { trades, usd, makers }]) => ({
        dex: columns().venue[pool] ?? null,
        pool: idText(pool),
        txns24h: trades,
        vol24h: usd / MICRO,
        makers24h: makers
      }))
  })

/** `{ token }` */
export const tokenStats = (context: Memory, params: QueryParams): Settled => {
  const fold = context.output(markets)
  const address = String(params["token"])
  const known = context.output(tokens)
  const token = known.find(fromHex(address))
  const activity = context.output(tapeOutput).activity()
  const total = token < 0 ? 0 : (activity.trades[token] ?? 0)
  if (total === 0) return unknown(context, address)
  const slots = slotsOf(fold, token)
  const held = NAMES.map(name => heldOf(fold, slots, context.blockTime, WIDTHS[name]))
  const day = held[NAMES.indexOf("h24")] as Held
  const own = marketsHeld(fold, token, day)
  const { ath, ath_ts } = fold.marks.table.columns
  const highest = ath[token] as number
  const recipePrice = context.output(pricesOutput).tokenPrices().price[token] ?? Number.NaN
  const price = recipePrice > 0 ? recipePrice : null
  const liquidityUsd = liquidityOf(context, token)
  const firstTradeTs = activity.first_ts[token] as number
  const athTs = ath_ts[token] as number
  const scale = known.scale(token)
  return {
    read: rows =>
      Effect.gen(function* () {
        const windows: { [name: string]: ReturnType<typeof windowOf> } = {}
        const edges = yield* edgeSums(rows, token, held, scale)
        const before = yield* pricesBefore(rows, token, held, scale)
        for (const [i, name] of NAMES.entries()) {
          windows[name] = windowOf(held[i] as Held, edges[i] ?? {}, price, before[i] ?? null)
        }
        return {
          chain: context.chain.id,
          token: address,
          priceUsd: price,
          windows,
          liquidityUsd,
          ath: highest > 0 ? { priceUsd: highest, ts: athTs } : null,
          range24h: yield* rangeSince(rows, token, day.from, scale),
          firstTradeTs,
          totalTxns: total,
          markets: yield* marketRows(rows, token, day, own),
          updatedAt: context.blockTime * 1000
        }
      })
  }
}
