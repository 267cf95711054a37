/** What the routes say of a chain and its tokens, held to plain SQL over the tape. */
import { expect } from "vitest"
import { allChains } from "../../src/domain/chains/registry.ts"
import type { Body } from "./api-server.ts"
import {
  candlesOf,
  changeAfter,
  newestOf,
  presentPrices,
  priceAt,
  printsOf,
  type ReadRows,
  windowAfter
} from "./tape-oracle.ts"

const HOUR = 3600
const DAY = 86_400
const WEEK = 7 * DAY
const MONDAY = 4 * DAY
/** The first Monday, from which weeks count. */
const originOf = (width: number): number => (width === WEEK ? MONDAY : 0)

export interface Served {
  /** the body of an answer; any but 200 is an error */
  readonly get: (path: string) => Promise<Body>
  readonly rows: ReadRows
  readonly chain: number
  readonly key: string
  /** time of the newest block */
  readonly now: number
}

export interface Checked {
  /** its number in the tables */
  readonly id: number
  readonly address: string
}

/** All tokens that were traded since a time. */
export const tradedTokens = async (rows: ReadRows, since = 0): Promise<ReadonlyArray<Checked>> => {
  const found = await rows(
    `SELECT token, address_hi::VARCHAR AS hi, address_lo AS lo FROM ${newestOf("tokens", "token")}
     WHERE token IN (SELECT token0 FROM tape WHERE ts >= ${since}
       UNION SELECT token1 FROM tape WHERE ts >= ${since}) ORDER BY token`
  )
  return found.map(row => {
    const high = BigInt(String(row["hi"])).toString(16).padStart(32, "0")
    const low = Number(row["lo"]).toString(16).padStart(8, "0")
    return { id: row["token"] ?? -1, address: `0x${high}${low}` }
  })
}

/** Whether a token is a dollar that costs $1: then it has not moved, whatever its prints say. */
const isFixed = (chain: number, address: string, priceUsd: unknown): boolean => {
  const anchors = allChains.find(({ id }) => id === chain)?.anchors ?? []
  const own = anchors.find(anchor => anchor.address.toLowerCase() === address)
  return own?.kind === "usd" && priceUsd === 1
}

const sinceOf = (now: number): number => now - (now % HOUR) - 23 * HOUR

/** Pools of a token by venue, and by the shape that boards tell of. */
const poolsOf = async (rows: ReadRows, id: number) => {
  const found = await rows(
    `SELECT coalesce(venue, 'unknown') AS venue, kind, count(*) AS n
     FROM ${newestOf("pools", "pool")} WHERE ${id} IN (${POOL_TOKENS}) GROUP BY 1, 2`
  )
  const shapes: { readonly [shape: string]: ReadonlyArray<string> } = {
    v2: ["uniswap-v2", "solidly"],
    v3: ["uniswap-v3", "pancakeswap-v3", "algebra", "solidly-cl"],
    v4: ["uniswap-v4"]
  }
  const count = (of: (row: Record<string, number>) => boolean) =>
    found.filter(of).reduce((sum, row) => sum + (row["n"] ?? 0), 0)
  const byDex = Object.fromEntries(
    found.map(({ venue }) => [String(venue), count(row => row["venue"] === venue)])
  )
  const ofShape = (shape: string) =>
    count(row => shapes[shape]?.includes(String(row["kind"])) === true)
  return { v2: ofShape("v2"), v3: ofShape("v3"), v4: ofShape("v4"), byDex }
}

const POOL_TOKENS = Array.from({ length: 8 }, (_, i) => `token${i}`).join(", ")

/** What the tables say of a token that traded in the hours since. */
const boardRow = async ({ rows, chain }: Served, { id, address }: Checked, since: number) => {
  const sums = await windowAfter(rows, id, since - 1)
  const [last] = await rows(`SELECT max(ts) AS ts FROM ${printsOf(id)}`)
  const [price] = await rows(`SELECT price FROM ${presentPrices} WHERE token = ${id}`)
  const priceUsd = price?.["price"] ?? null
  const { change, changeSince } = await changeAfter(rows, id, since - 1, since)
  return {
    ...{ address, trades24h: sums["txns"], buys24h: sums["buys"], sells24h: sums["sells"] },
    ...{ buyVolume24h: sums["buyVol"], sellVolume24h: sums["sellVol"] },
    ...{
      traders: Number(sums["makers"]) === 0 ? null : sums["makers"],
      lastTradeTs: last?.["ts"],
      priceUsd
    },
    ...(priceUsd === null
      ? { change24hPct: null, changeSince: null }
      : { change24hPct: isFixed(chain, address, priceUsd) ? 0 : change, changeSince }),
    pools: await poolsOf(rows, id)
  }
}

const byAddress = (a: object, b: object): number =>
  (a as Checked).address < (b as Checked).address ? -1 : 1

/** Every row of the board of all tokens, and the price map; answers how many there are. */
export const checkBoard = async (served: Served): Promise<number> => {
  const { get, rows, key, chain, now } = served
  const since = sinceOf(now)
  const board = await get(`/chains/${key}/tokens?includeUnlisted=1&limit=1000`)
  expect(board.sinceHour).toBe(since)
  const expected: Array<Awaited<ReturnType<typeof boardRow>>> = []
  for (const token of await tradedTokens(rows, since)) {
    expected.push(await boardRow(served, token, since))
  }
  const told = board.tokens.map((row: Record<string, unknown>) => ({
    ...{ address: row["address"], trades24h: row["trades24h"], buys24h: row["buys24h"] },
    ...{ sells24h: row["sells24h"], buyVolume24h: row["buyVolume24h"] },
    ...{ sellVolume24h: row["sellVolume24h"], traders: row["traders"] },
    ...{ lastTradeTs: row["lastTradeTs"], priceUsd: row["priceUsd"] },
    ...{ change24hPct: row["change24hPct"], changeSince: row["changeSince"], pools: row["pools"] }
  }))
  expect(told.toSorted(byAddress)).toEqual(expected.toSorted(byAddress))
  for (const row of board.tokens) {
    const { totalSupply, decimals, priceUsd, marketCapUsd } = row
    const isKnown = totalSupply !== null && decimals !== null && priceUsd !== null
    if (!isKnown) expect([row.address, marketCapUsd]).toEqual([row.address, null])
    else {
      const cap = (priceUsd * Number(totalSupply)) / 10 ** decimals
      expect(marketCapUsd / cap).toBeCloseTo(1, 9)
    }
  }
  const { prices } = await get(`/tokens/market?chain=${chain}&limit=1000`)
  const map = board.tokens.map((row: Record<string, unknown>) => [
    row["address"],
    {
      ...{ priceUsd: row["priceUsd"], priceTs: row["priceTs"] },
      ...{ change24hPct: row["change24hPct"], changeSince: row["changeSince"] },
      ...{ volume24h: row["volume24h"], trades24h: row["trades24h"] },
      lastTradeTs: row["lastTradeTs"],
      ...(row["wash"] === true ? { wash: true } : {}),
      ...(row["impostor"] === true ? { impostor: true } : {})
    }
  ])
  expect(prices).toEqual(Object.fromEntries(map))
  return expected.length
}

/** Which tokens move, by price and by who trades them, in the newest two hours of the clock. */
export const checkMovers = async ({ get, rows, key, chain, now }: Served): Promise<void> => {
  const since = sinceOf(now)
  const from = since + 22 * HOUR
  const { tokens } = await get(`/chains/${key}/tokens?includeUnlisted=1&limit=1000`)
  const flagged = new Set(
    tokens.flatMap((row: Record<string, unknown>) =>
      row["wash"] === true || row["impostor"] === true ? [row["address"]] : []
    )
  )
  const changes: Array<readonly [string, number]> = []
  const scores: Array<readonly [string, number]> = []
  for (const { id, address } of await tradedTokens(rows, from)) {
    if (flagged.has(address)) continue
    const makersIn = async (where: string): Promise<number> => {
      const [row] = await rows(
        `SELECT coalesce(sum(n), 0) AS n FROM (SELECT count(DISTINCT (wallet_hi, wallet_lo)) AS n
         FROM ${printsOf(id, where)} WHERE wallet_hi IS NOT NULL GROUP BY ts // ${HOUR})`
      )
      return row?.["n"] ?? 0
    }
    const sums = await windowAfter(rows, id, from - 1)
    const makers = await makersIn(`ts >= ${from}`)
    const [close] = await rows(
      `SELECT arg_max(price, seq) AS price, arg_min(price, seq) AS first
       FROM ${printsOf(id, `ts >= ${from}`)} WHERE ok AND price > 0`
    )
    const [present, before] = [close?.["price"] ?? null, await priceAt(rows, id, from - 1)]
    const usd = (sums["buyVol"] ?? 0) + (sums["sellVol"] ?? 0)
    const moves = (sums["txns"] ?? 0) >= 10 && makers >= 3 && usd >= 1000
    // a token without a price before moves against its first
    const base = before ?? close?.["first"] ?? null
    const price = tokens.find(
      (row: Record<string, unknown>) => row["address"] === address
    )?.priceUsd
    // a token without a price now does not move, whatever its prints did
    if (moves && price !== null && present !== null && base !== null) {
      const isFix = isFixed(chain, address, price)
      changes.push([address, isFix ? 0 : (present / base - 1) * 100])
    }
    const earlier = await makersIn(`ts >= ${since} AND ts < ${from}`)
    if (makers >= 10) scores.push([address, makers / 2 / Math.max(1, earlier / 22)])
  }
  const told = async (route: string, field: string) =>
    (await get(`/chains/${key}/${route}?limit=100`)).tokens.map((row: Record<string, unknown>) => [
      row["address"],
      row[field]
    ])
  const order = (list: Array<readonly [string, number]>) => list.toSorted((a, b) => b[1] - a[1])
  expect(await told("trending", "change2hPct")).toEqual(order(changes).slice(0, 100))
  expect(await told("attention", "attention")).toEqual(order(scores).slice(0, 100))
}

/** Totals, hours, days and venues of a chain on which nothing is left out as wash trading. */
export const checkTotals = async ({ get, rows, key, now }: Served): Promise<void> => {
  const since = sinceOf(now)
  const tape = "(SELECT * REPLACE (CASE WHEN flags = 0 THEN usd END AS usd) FROM tape)"
  const usd = `coalesce(sum(usd), 0)::DOUBLE / 1e6 AS "volUsd"`
  const found = await get(`/chains/${key}/overview`)
  const [sum] = await rows(`SELECT ${usd}, count(*) AS swaps FROM ${tape} WHERE ts >= ${since}`)
  const { volUsd, swaps, excluded } = found.last24h
  expect({ volUsd, swaps, excluded }).toEqual({
    ...sum,
    excluded: { volUsd: 0, swaps: 0, markets: 0 }
  })
  const hours = await rows(
    `SELECT ts // ${HOUR} * ${HOUR} AS hour, ${usd}, count(*) AS swaps FROM ${tape}
     WHERE ts >= ${since} GROUP BY 1 ORDER BY 1`
  )
  expect(found.hourly24.filter((hour: { swaps: number }) => hour.swaps > 0)).toEqual(hours)
  const venue = `(SELECT pool, venue FROM ${newestOf("pools", "pool")})`
  const days = await rows(
    `SELECT day, swaps, "volUsd", tokens, wallets, venues FROM (
       SELECT ts // ${DAY} * ${DAY} AS day, count(*) AS swaps, ${usd},
         nullif(count(DISTINCT (wallet_hi, wallet_lo)) FILTER (wallet_hi IS NOT NULL), 0) AS wallets,
         count(DISTINCT coalesce(venue, '-')) AS venues
       FROM ${tape} JOIN ${venue} USING (pool) GROUP BY 1)
     JOIN (SELECT day, count(DISTINCT token) AS tokens FROM (
       SELECT ts // ${DAY} * ${DAY} AS day, token0 AS token FROM tape UNION ALL
       SELECT ts // ${DAY} * ${DAY}, token1 FROM tape) GROUP BY 1) USING (day)
     WHERE day > ${now - (now % DAY) - 14 * DAY} ORDER BY day`
  )
  expect(found.daily).toEqual(days)
  expect(found.coverage).toEqual({ recentAt: now, stale: true })
}

/** Windows to the second, all-time high, first trade and markets of a token. */
export const checkStats = async (served: Served, { id, address }: Checked): Promise<void> => {
  const { get, rows, chain, now } = served
  const stats = await get(`/tokens/stats/${address}?chain=${chain}`)
  const widths = { m5: 300, h1: HOUR, h6: 6 * HOUR, h24: DAY }
  for (const [name, width] of Object.entries(widths)) {
    const sums = await windowAfter(rows, id, now - width)
    const isKnown = stats.priceUsd !== null
    const moved = await changeAfter(rows, id, now - width, now - width + 1)
    const isFix = moved.change !== null && isFixed(chain, address, stats.priceUsd)
    const change = isFix ? { ...moved, change: 0 } : moved
    expect({ address, [name]: stats.windows[name] }).toEqual({
      address,
      [name]: { ...(isKnown ? change : { change: null, changeSince: null }), ...sums }
    })
  }
  const [all] = await rows(
    `SELECT count(*) AS n, min(ts) AS first, max(price) FILTER (ok AND price > 0) AS ath
     FROM ${printsOf(id)}`
  )
  expect([stats.totalTxns, stats.firstTradeTs]).toEqual([all?.["n"], all?.["first"]])
  expect(stats.ath?.priceUsd ?? null).toBe(all?.["ath"])
  const markets = await rows(
    `SELECT count(*) AS txns24h, coalesce(sum(CASE WHEN flags = 0 THEN usd END), 0)::DOUBLE / 1e6
       AS vol24h,
       nullif(count(DISTINCT (wallet_hi, wallet_lo)) FILTER (wallet_hi IS NOT NULL), 0)
         AS makers24h
     FROM ${printsOf(id, `ts > ${now - DAY}`)} GROUP BY pool ORDER BY 2 DESC, 1 DESC, pool`
  )
  const told = stats.markets.map((row: Record<string, number>) => ({
    txns24h: row["txns24h"],
    vol24h: row["vol24h"],
    makers24h: row["makers24h"]
  }))
  expect(told).toEqual(markets)
}

/** A page of a token's trades under a filter; answers how many pages there are. */
export const checkPage = async (
  { get, rows, chain }: Served,
  { id, address }: Checked,
  page: { readonly number: number; readonly query?: string; readonly where?: string }
): Promise<number> => {
  const { number, query = "", where = "true" } = page
  const path = `/tokens/trades/${address}?chain=${chain}&limit=500&page=${number}${query}`
  const found = await get(path)
  const [{ n = 0 } = {}] = await rows(`SELECT count(*) AS n FROM ${printsOf(id)} WHERE ${where}`)
  expect([path, found.total]).toEqual([path, n])
  const expected = await rows(
    `SELECT ts, log_index AS "logIndex", told::DOUBLE / 1e6 AS usd, buy
     FROM ${printsOf(id)} WHERE ${where} ORDER BY seq DESC LIMIT 500 OFFSET ${(number - 1) * 500}`
  )
  const told = found.trades.map((row: Record<string, unknown>) => ({
    ...{ ts: row["ts"], logIndex: row["logIndex"], usd: row["usd"], buy: row["side"] === "buy" }
  }))
  expect([path, told]).toEqual([path, expected])
  return Math.ceil(n / 500)
}

/** The whole tape of a token by cursors, newest first. */
export const checkTape = async (
  { get, rows, key }: Served,
  { id, address }: Checked
): Promise<void> => {
  const seen: Array<string> = []
  for (let before = ""; ; ) {
    const found = await get(`/chains/${key}/token/${address}/trades?limit=500${before}`)
    for (const row of found.trades) seen.push(`${row.block}:${row.logIndex}`)
    if (found.nextBefore === null) break
    before = `&before=${found.nextBefore}`
  }
  const expected = await rows(`SELECT block, log_index FROM ${printsOf(id)} ORDER BY seq DESC`)
  expect(seen).toEqual(expected.map(row => `${row["block"]}:${row["log_index"]}`))
}

/** Candles and chart of a frame, the newest buckets and those before them. */
export const checkCandles = async (
  { get, rows, chain }: Served,
  { id, address }: Checked,
  tf: string,
  width: number
): Promise<void> => {
  const expected = await candlesOf(rows, id, width, originOf(width))
  const query = `chain=${chain}&tf=${tf}&limit=${width === 1 ? 1000 : 5000}`
  const found = await get(`/candles?token=${address}&${query}`)
  const within = (from: number, to: number) => expected.filter(({ t = 0 }) => t >= from && t < to)
  expect([address, tf, found.candles]).toEqual([address, tf, within(found.from, found.to)])
  if (width < 60) return
  const chart = await get(`/tokens/chart/${address}?${query}`)
  expect(chart.candles).toEqual(found.candles)
  const former = await get(`/candles?token=${address}&${query}&to=${found.from}`)
  expect([tf, former.candles]).toEqual([tf, within(former.from, found.from)])
}
