/**
 * Recounts an hour from the tape beside what the folds made of it while it came: how many markets
 * have other sums than their swaps, and how many tokens another candle than their prints. From the
 * tape's rows: what swaps of the log come to in dollars follows from all of the log before them.
 */
import { Effect } from "effect"
import { keep } from "../../../engine/memory/kept.ts"
import type { ReadError, RowsView } from "../../../engine/query.ts"
import { newestOf, versions } from "../../../engine/store/sql.ts"
import { hourCandlesTable } from "../../../projections/candles/tables.ts"
import { HOUR } from "../../../projections/markets/hours.ts"
import { marketHoursTable, marketsTable } from "../../../projections/markets/tables.ts"
import { printsTable, tapeTable } from "../../../projections/tape/tables.ts"

export interface HourCheck {
  /** start of the hour, Unix seconds */
  readonly hour: number
  /** markets with other trades or dollars than their swaps come to */
  readonly hourlyDiff: number
  /** tokens with another candle than their prints make */
  readonly candleDiff: number
}

const PAIR = "least(token0, token1) AS a, greatest(token0, token1) AS b"

const differingMarkets = (view: RowsView, hour: number): string => {
  const hours = newestOf(view, marketHoursTable, `hour = ${hour}`, "slot")
  const markets = newestOf(view, marketsTable, "true", "market")
  return `WITH live AS (SELECT pool, ${PAIR}, trades, usd FROM ${hours} h JOIN
      (SELECT market, pool, token0, token1 FROM ${markets}) m USING (market)),
    told AS (SELECT pool, ${PAIR}, count(*) AS trades,
        sum(CASE WHEN flags = 0 THEN coalesce(usd, 0) ELSE 0 END)::BIGINT AS usd
      FROM ${tapeTable.name} WHERE ts >= ${hour} AND ts < ${hour + HOUR} GROUP BY ALL)
    SELECT count(*) AS n FROM live FULL JOIN told ON live.pool = told.pool
        AND live.a IS NOT DISTINCT FROM told.a AND live.b IS NOT DISTINCT FROM told.b
      WHERE live.trades IS DISTINCT FROM told.trades OR live.usd IS DISTINCT FROM told.usd`
}

/** Tokens without decimals when they traded have candles of later prices: they are left out. */
const differingCandles = (view: RowsView, hour: number): string => {
  const prints = versions(
    view,
    printsTable,
    `ts >= ${hour} AND ts < ${hour + HOUR}`,
    "token, seq, usd, price, flags & 1 AS outlier, unscaled & 1 AS unscaled"
  )
  const columns = ["o", "h", "l", "c", "v", "n"]
  const differs = columns.map(name => `live.${name} IS DISTINCT FROM told.${name}`).join(" OR ")
  return `WITH sold AS (${prints}),
    live AS (SELECT * FROM ${newestOf(view, hourCandlesTable, `t = ${hour}`, "token")} WHERE n > 0),
    told AS (SELECT token, arg_min(price, seq) AS o, max(price) AS h, min(price) AS l,
        arg_max(price, seq) AS c, sum(usd)::BIGINT AS v, count(*) AS n
      FROM sold WHERE outlier = 0 AND usd IS NOT NULL AND price IS NOT NULL GROUP BY token)
    SELECT count(*) AS n FROM live FULL JOIN told ON live.token = told.token
      WHERE (${differs}) AND coalesce(live.token, told.token) NOT IN
        (SELECT token FROM sold WHERE unscaled = 1)`
}

/** The check of the hour that was asked for last: its rows are final, but for a rollback. */
const checked = keep(() => ({ last: null as HourCheck | null }))

/** Checks an hour that is over; once, however often it is asked for. */
export const checkHour = (view: RowsView, hour: number): Effect.Effect<HourCheck, ReadError> =>
  Effect.gen(function* () {
    const known = view.kept(checked)
    if (known.last?.hour === hour) return known.last
    const [markets] = yield* view.rows(differingMarkets(view, hour))
    const [candles] = yield* view.rows(differingCandles(view, hour))
    const check: HourCheck = {
      hour,
      hourlyDiff: Number(markets?.["n"] ?? 0),
      candleDiff: Number(candles?.["n"] ?? 0)
    }
    known.last = check
    return check
  })
