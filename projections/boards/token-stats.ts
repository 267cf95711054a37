/**
 * Windows of a token that end with the newest block, exact to the second (spec part 2): whole hours
 * come from memory, the hour in which a window begins from that hour's prints.
 */
import { Effect } from "effect"
import type { QueryContext, QueryParams, Row, Settled } from "../../engine/projection.ts"
import { numberOf, versions } from "../../engine/store/sql.ts"
import { fromHex } from "../../src/domain/address.ts"
import type { MarketFold } from "../markets/fold.ts"
import { DAY, HOUR, hourOf } from "../markets/hours.ts"
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
export interface Held extends Sums {
  /** the first second of the window, and of its first whole hour (or the end, where none is) */
  readonly from: number
  readonly edge: number
  makers: number
  buyers: number
  sellers: number
}

/** Slots of a token's hours, and who traded it: memory is looked through once for all windows. */
export const slotsOf = (fold: MarketFold, token: number) => {
  const hours: Array<number> = []
  for (let hour = fold.hour - DAY; hour <= fold.hour; hour += HOUR) {
    const slot = fold.tokenHours.find(token, hour)
    if (slot >= 0) hours.push(slot)
  }
  return { hours, makers: fold.tokenMakers.of(token) }
}

export const heldOf = (
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
  const isMine = new Uint8Array(fold.index.markets.count)
  const mine = marketsOf(fold, token)
  for (const market of mine) isMine[market] = 1
  const { pool: poolOf } = fold.index.markets.columns
  const found = new Map<number, { trades: number; usd: number; makers: number }>()
  const at = (market: number) => {
    const pool = poolOf[market] as number
    const sum = found.get(pool) ?? { trades: 0, usd: 0, makers: 0 }
    found.set(pool, sum)
    return sum
  }
  const c = fold.marketHours.table.columns
  for (let hour = edge; hour <= fold.hour; hour += HOUR) {
    for (const slot of fold.marketHours.of(hour)) {
      const market = c.market[slot] as number
      if (isMine[market] !== 1) continue
      const sum = at(market)
      sum.trades += c.trades[slot] as number
      sum.usd += c.usd[slot] as number
    }
  }
  const makers = fold.marketMakers.countSince(isMine, from)
  for (const market of mine) {
    if (makers[market] !== 0) at(market).makers += makers[market] as number
  }
  return found
}

/** Prints of a token from one second to another, with their dollars a whole token. */
const printsBetween = (token: number, from: number, to: number, scale: number): string => {
  const unit = Number.isNaN(scale) ? "NULL" : `price / amount * ${scale}`
  // few columns of few relations: planning a statement costs more than what it reads
  const select = `SELECT ts, buy, usd, flags, seq,
      CASE WHEN unscaled = 1 THEN ${unit} ELSE price END AS price`
  const where = `token = ${token} AND ts >= ${from} AND ts < ${to}`
  return `${select} FROM prints WHERE ${where} UNION ALL ${select} FROM prints_tail WHERE ${where}`
}

/** Of the hour in which a window begins: what comes before the window and what is in it. */
const edgeOf = (token: number, { from, edge }: Held, scale: number): string => {
  const minute = Math.ceil(from / 60) * 60
  const counts = "flags = 0 AND price > 0"
  return `SELECT count(*) FILTER (ts >= ${from}) AS trades,
      count(*) FILTER (ts >= ${from} AND buy = 1) AS buys,
      coalesce(sum(usd) FILTER (ts >= ${from} AND buy = 1 AND flags = 0), 0)::DOUBLE AS bought,
      coalesce(sum(usd) FILTER (ts >= ${from} AND buy = 0 AND flags = 0), 0)::DOUBLE AS sold,
      arg_max(price, seq) FILTER (ts < ${from} AND ${counts}) AS before,
      max(price) FILTER (ts >= ${from} AND ts < ${minute} AND ${counts}) AS high,
      min(price) FILTER (ts >= ${from} AND ts < ${minute} AND ${counts}) AS low
    FROM (${printsBetween(token, hourOf(from), edge, scale)})`
}

/** A row for each window of what the hour it begins in tells. */
export const edgesOf = (
  context: QueryContext,
  token: number,
  held: ReadonlyArray<Held>,
  scale: number
) =>
  context
    .rows(
      held
        .map((one, w) => `SELECT ${w} AS w, * FROM (${edgeOf(token, one, scale)})`)
        .join(" UNION ALL ")
    )
    .pipe(Effect.map(rows => held.map((_, w) => rows.find(row => Number(row["w"]) === w) ?? {})))

/**
 * The newest price before an hour as memory tells it, null where there was none; undefined where
 * memory knows a later one only.
 */
const closeBefore = (
  fold: MarketFold,
  token: number,
  hours: ReadonlyArray<number>,
  at: number
): number | null | undefined => {
  const c = fold.tokenHours.table.columns
  let [newest, close] = [0, Number.NaN]
  for (const slot of hours) {
    const hour = c.hour[slot] as number
    if (hour >= at || hour <= newest || !((c.close[slot] as number) > 0)) continue
    newest = hour
    close = c.close[slot] as number
  }
  if (newest > 0) return close
  const { columns, count } = fold.marks.table
  if (token >= count || Number.isNaN(columns.base[token])) return null
  return (columns.base_hour[token] as number) < at ? (columns.base[token] as number) : undefined
}

/** The close of the newest minute with a price before a second; null where there is none. */
const minuteBefore = (context: QueryContext, token: number, at: number) =>
  Effect.map(
    context.rows(
      `SELECT c FROM (${versions("candles_1m", `token = ${token} AND t < ${at} AND n > 0`, "t, seq, c")})
       ORDER BY t DESC, seq DESC LIMIT 1`
    ),
    ([row = {}]) => numberOf(row, "c")
  )

/** Highest and lowest price of a print that counts from a second on; null where none does. */
const rangeSince = (context: QueryContext, token: number, from: number, edge: Row) =>
  Effect.gen(function* () {
    const where = `token = ${token} AND t >= ${Math.ceil(from / 60) * 60} AND n > 0`
    const [row = {}] = yield* context.rows(
      `SELECT max(h) AS high, min(l) AS low FROM (${versions("candles_1m", where, "h, l")})`
    )
    const known = (name: string) =>
      [numberOf(row, name), numberOf(edge, name)].filter(price => price !== null)
    const [highs, lows] = [known("high"), known("low")]
    return highs.length === 0 ? null : { high: Math.max(...highs), low: Math.min(...lows) }
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
    // an hour of the tape at most: whether the other token's side is an outlier stands there alone
    const rows = yield* context.rows(
      `SELECT pool, count(*) AS trades,
         coalesce(sum(usd) FILTER (flags = 0), 0)::DOUBLE AS usd FROM tape
       WHERE ts >= ${from} AND ts < ${edge} AND (token0 = ${token} OR token1 = ${token})
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
  const closes = held.map(({ from }) => closeBefore(fold, token, slots.hours, hourOf(from)))
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
        const edges = yield* edgesOf(rows, token, held, scale)
        for (const [i, name] of NAMES.entries()) {
          const edge = edges[i] ?? {}
          const at = hourOf((held[i] as Held).from)
          const close = numberOf(edge, "before") ?? closes[i]
          const before = close === undefined ? yield* minuteBefore(rows, token, at) : close
          windows[name] = windowOf(held[i] as Held, edge, price, before)
        }
        return {
          chain: context.chain.id,
          token: address,
          priceUsd: price,
          windows,
          liquidityUsd,
          ath: highest > 0 ? { priceUsd: highest, ts: athTs } : null,
          range24h: yield* rangeSince(rows, token, day.from, edges[NAMES.indexOf("h24")] ?? {}),
          firstTradeTs,
          totalTxns: total,
          markets: yield* marketRows(rows, token, day, own),
          updatedAt: context.blockTime * 1000
        }
      })
  }
}
