/** What plain SQL over the tape says of one token. */
type Row = Readonly<Record<string, number>>
export type ReadRows = (sql: string) => Promise<ReadonlyArray<Row>>

const MAKERS = "count(DISTINCT (wallet_hi, wallet_lo)) FILTER (wallet_hi IS NOT NULL"
const SUMS = `count(*) AS txns, count(*) FILTER (buy) AS buys, count(*) FILTER (NOT buy) AS sells,
  coalesce(sum(usd) FILTER (buy), 0)::DOUBLE / 1e6 AS "buyVol",
  coalesce(sum(usd) FILTER (NOT buy), 0)::DOUBLE / 1e6 AS "sellVol",
  ${MAKERS}) AS makers, ${MAKERS} AND buy) AS buyers, ${MAKERS} AND NOT buy) AS sellers`

/** The newest version of each key. */
export const newestOf = (table: string, key: string): string =>
  `(SELECT * FROM (SELECT * FROM ${table} UNION ALL SELECT * FROM ${table}_tail)
    QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1)`

/**
 * What each token costs at present, and the dollars behind that: its row tells it in the token that
 * quotes it, or in dollars.
 */
export const presentPrices = `(
  SELECT own.token, own.price * CASE WHEN own.quote IS NULL THEN 1 ELSE quote.price END AS price,
    own.depth * CASE WHEN own.quote IS NULL THEN 1 ELSE quote.price END AS depth_usd
  FROM ${newestOf("token_prices", "token")} own
    LEFT JOIN ${newestOf("token_prices", "token")} quote ON quote.token = own.quote)`

/**
 * Prints of a token by its id: `usd` only where the print is believed, `told` as it says. A token
 * whose decimals are not known has no price; they must not be told late.
 */
export const printsOf = (token: number, where = "true"): string => `(
  SELECT seq, ts, block, log_index, pool, wallet_hi, wallet_lo, flags, bought0 = 1 AS buy,
    CASE WHEN unscaled & 1 = 0 THEN price0 END AS price, flags & 1 = 0 AS ok,
    CASE WHEN flags & 1 = 0 THEN usd END AS usd,
    usd AS told
  FROM tape WHERE token0 = ${token} AND ${where} UNION ALL
  SELECT seq, ts, block, log_index, pool, wallet_hi, wallet_lo, flags, bought0 = 0,
    CASE WHEN unscaled & 2 = 0 THEN price1 END, flags & 2 = 0,
    CASE WHEN flags & 2 = 0 THEN usd END, usd
  FROM tape WHERE token1 = ${token} AND ${where})`

/** Sums of the prints after a second. */
export const windowAfter = async (rows: ReadRows, token: number, from: number): Promise<Row> => {
  const [row = {}] = await rows(`SELECT ${SUMS} FROM ${printsOf(token, `ts > ${from}`)}`)
  return row
}

/** The newest price up to a second; null where there was none. */
export const priceAt = async (rows: ReadRows, token: number, at: number) => {
  const [row] = await rows(
    `SELECT arg_max(price, seq) AS price FROM ${printsOf(token, `ts <= ${at}`)}
     WHERE ok AND price > 0`
  )
  return row?.["price"] ?? null
}

/**
 * How the newest price of a print that counts compares with the newest up to a second, or with the
 * first of all; and from when that counts, where the window begins at `since`.
 */
export const changeAfter = async (rows: ReadRows, token: number, at: number, since: number) => {
  const [seen] = await rows(
    `SELECT arg_max(price, seq) AS last, arg_min(price, seq) AS first, arg_min(ts, seq) AS ts
     FROM ${printsOf(token)} WHERE ok AND price > 0`
  )
  const before = await priceAt(rows, token, at)
  if (seen === undefined || seen["last"] === null) return { change: null, changeSince: null }
  const { last = 0, first = 0, ts = 0 } = seen
  return {
    change: (last / (before ?? first) - 1) * 100,
    changeSince: before === null ? ts : since
  }
}

/** Candles of a width whose buckets begin at a multiple of it after `origin`, oldest first. */
export const candlesOf = (rows: ReadRows, token: number, width: number, origin = 0) =>
  rows(
    `SELECT (ts - ${origin}) // ${width} * ${width} + ${origin} AS t, arg_min(price, seq) AS o,
       max(price) AS h, min(price) AS l, arg_max(price, seq) AS c, sum(usd)::DOUBLE / 1e6 AS v,
       count(*) AS n
     FROM ${printsOf(token)} WHERE ok AND price > 0 AND usd IS NOT NULL GROUP BY 1 ORDER BY 1`
  )
