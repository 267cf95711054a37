/** Every figure of boards and totals against plain SQL over the tape, under forks and restarts. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { applySegment, commitPending } from "../../../engine/runner/lane-core.ts"
import {
  advance,
  ask,
  type MarketWorld,
  newest,
  openMarketWorld,
  rows
} from "../../../test/support/market-world.ts"
import { rounds } from "../../../test/support/rounds.ts"
import { seed } from "../../../test/support/seed.ts"
import { presentPrices } from "../../../test/support/tape-oracle.ts"
import { boardSorts } from "./board-sorts.ts"

const HOUR = 3600
const DAY = 86_400

/** The tape with dollars only where the print counts for both tokens. */
const tape = "(SELECT * REPLACE (CASE WHEN flags = 0 THEN usd END AS usd) FROM tape)"
const counted = (usd: string) => `coalesce(sum(${usd}), 0)::DOUBLE`
const known = "wallet_hi IS NOT NULL"
const washSql = `(makers > 0 AND ((known >= 501 AND known >= 100 * makers) OR
  (known >= 30 AND known_usd >= 1e12 AND known >= 30 * makers AND known_usd >= 5e11 * makers)))`

/** Facts by market of the swaps under a condition, grouped by more. */
const marketsSql = (where: string, more = "0") => `
  SELECT *, ${washSql} AS wash FROM (
    SELECT pool, token0, token1, ${more} AS part, count(*) AS trades, ${counted("usd")} AS usd,
      count(*) FILTER (${known}) AS known,
      coalesce(sum(usd) FILTER (${known}), 0)::DOUBLE AS known_usd,
      count(DISTINCT (wallet_hi, wallet_lo)) FILTER (${known}) AS makers
    FROM ${tape} WHERE ${where} GROUP BY ALL)`

const venue = `(SELECT pool, venue FROM ${newest("pools", "pool")})`

const checkDays = (
  world: MarketWorld,
  found: { readonly daily: unknown; readonly wallets: unknown },
  today: number
) =>
  Effect.gen(function* () {
    const days = yield* rows(
      world,
      `SELECT d.day, d.trades - coalesce(w.trades, 0) AS swaps,
         d.usd - coalesce(w.usd, 0) AS usd, tokens, wallets, venues
       FROM (SELECT ts // 86400 * 86400 AS day, count(*) AS trades, ${counted("usd")} AS usd,
           nullif(count(DISTINCT (wallet_hi, wallet_lo)) FILTER (${known}), 0) AS wallets,
           count(DISTINCT coalesce(venue, '-')) AS venues
         FROM ${tape} JOIN ${venue} USING (pool) GROUP BY 1) d
       JOIN (SELECT day, count(DISTINCT token) AS tokens FROM (
         SELECT ts // 86400 * 86400 AS day, token0 AS token FROM tape UNION ALL
         SELECT ts // 86400 * 86400, token1 FROM tape) GROUP BY 1) USING (day)
       LEFT JOIN (SELECT part AS day, sum(trades) AS trades, sum(usd) AS usd FROM
         (${marketsSql("true", "ts // 86400 * 86400")}) WHERE wash GROUP BY 1) w USING (day)
       WHERE day > ${today} - ${14 * DAY} ORDER BY day`
    )
    expect(found.daily).toEqual(
      days.map(({ usd, ...row }) => ({ ...row, volUsd: (usd ?? 0) / 1e6 }))
    )
    const walletsOf = (day: number) => {
      const found = days.find(row => row["day"] === day)
      return found === undefined ? 0 : found["wallets"]
    }
    const [{ block, start } = { block: 0, start: 0 }] = yield* rows(
      world,
      `SELECT min(first_block) AS block, min(first_ts) AS start
       FROM (SELECT * FROM minute_blocks UNION ALL SELECT * FROM minute_blocks_tail)`
    )
    const isOlder = Number(block) > 1 && today - DAY < Number(start)
    expect(found.wallets).toEqual({
      day: today,
      today: walletsOf(today),
      yesterday: isOlder ? null : walletsOf(today - DAY)
    })
  })

const checkOverview = (world: MarketWorld) =>
  Effect.gen(function* () {
    const { blockTime } = world.core.committed
    const since = blockTime - (blockTime % HOUR) - 23 * HOUR
    const today = blockTime - (blockTime % DAY)
    const found = yield* ask(world, "overview", { days: 14, own: false, stale: false })
    const clean = `(SELECT t.*, v.venue FROM ${tape} t JOIN ${venue} v USING (pool)
      JOIN (${marketsSql(`ts >= ${since}`)}) m
        ON m.pool = t.pool AND m.token0 IS NOT DISTINCT FROM t.token0
        AND m.token1 IS NOT DISTINCT FROM t.token1
      WHERE t.ts >= ${since} AND NOT m.wash)`
    const [sum] = yield* rows(
      world,
      `SELECT count(*) AS swaps, ${counted("usd")} AS usd, count(DISTINCT venue) AS named,
         (SELECT count(DISTINCT token) FROM (SELECT token0 AS token FROM ${clean}
           UNION ALL SELECT token1 FROM ${clean})) AS tokens
       FROM ${clean}`
    )
    const [out] = yield* rows(
      world,
      `SELECT count(*) AS markets, coalesce(sum(trades), 0) AS swaps, ${counted("usd")} AS usd
       FROM (${marketsSql(`ts >= ${since}`)}) WHERE wash`
    )
    expect(found.last24h).toEqual({
      volUsd: (sum?.["usd"] ?? 0) / 1e6,
      swaps: sum?.["swaps"],
      tokens: sum?.["tokens"],
      venues: found.venues24h.length,
      sinceHour: since,
      excluded: {
        volUsd: (out?.["usd"] ?? 0) / 1e6,
        swaps: out?.["swaps"],
        markets: out?.["markets"]
      }
    })
    const hours = yield* rows(
      world,
      `SELECT ts // 3600 * 3600 AS hour, count(*) AS swaps, ${counted("usd")} AS usd
       FROM ${clean} GROUP BY ALL ORDER BY hour`
    )
    expect(found.hourly24.length).toBe(24)
    expect(found.hourly24[0].hour).toBe(since)
    expect(found.hourly24.filter((row: { swaps: number }) => row.swaps > 0)).toEqual(
      hours.map(row => ({
        hour: row["hour"],
        volUsd: (row["usd"] ?? 0) / 1e6,
        swaps: row["swaps"]
      }))
    )
    yield* checkDays(world, found, today)
    return out?.["markets"] ?? 0
  })

const checkVenues = (world: MarketWorld, days: number) =>
  Effect.gen(function* () {
    const { blockTime } = world.core.committed
    const since = blockTime - (blockTime % DAY) - (days - 1) * DAY
    const found = yield* ask(world, "venueShares", { days })
    const expected = yield* rows(
      world,
      `SELECT venue, part AS day, sum(trades) FILTER (NOT wash) AS trades,
         coalesce(sum(usd) FILTER (NOT wash), 0) AS usd
       FROM (${marketsSql(`ts >= ${since}`, "ts // 86400 * 86400")}) JOIN ${venue} USING (pool)
       GROUP BY ALL ORDER BY day`
    )
    const flat = found.venues.flatMap(
      (row: { dex: string | null; series: ReadonlyArray<Record<string, number>> }) =>
        row.series.map(item => [row.dex, item["day"], item["trades"], item["volUsd"]])
    )
    const order = (list: ReadonlyArray<ReadonlyArray<unknown>>) => list.map(String).sort()
    expect(order(flat)).toEqual(
      order(
        expected.map(row => [row["venue"], row["day"], row["trades"] ?? 0, (row["usd"] ?? 0) / 1e6])
      )
    )
    expect(found.totals.trades).toBe(expected.reduce((sum, row) => sum + (row["trades"] ?? 0), 0))
    expect([found.since, found.days]).toEqual([since, days])
  })

const sides = (where: string) => `
  SELECT token0 AS token, bought0 = 1 AS buy, ts, wallet_hi, wallet_lo,
    CASE WHEN flags & 1 = 0 THEN usd END AS usd FROM tape WHERE ${where}
  UNION ALL SELECT token1, bought0 = 0, ts, wallet_hi, wallet_lo,
    CASE WHEN flags & 2 = 0 THEN usd END FROM tape WHERE ${where}`

/** The first two tokens of the market: an anchor is never washed. */
const ANCHORS = "'T0', 'T1'"

/** Prices of prints that count. */
const priced = `SELECT token0 AS token, price0 AS price, ts, seq FROM tape
    WHERE flags & 1 = 0 AND unscaled & 1 = 0 AND price0 > 0
  UNION ALL SELECT token1, price1, ts, seq FROM tape
    WHERE flags & 2 = 0 AND unscaled & 2 = 0 AND price1 > 0`

/** The newest of them against the newest before the window, or the first of all. */
const changeOf = (row: Record<string, number | null>, since: number) => {
  const { price = null, base = null, newest: last = null, first = 0, first_ts = 0 } = row
  if (price === null || last === null) return { change24hPct: null, changeSince: null }
  return {
    change24hPct: (last / ((base ?? first) as number) - 1) * 100,
    changeSince: base === null ? first_ts : since
  }
}

/** What the tape says of every token that traded since a time. */
const boardRows = (world: MarketWorld, since: number) =>
  rows(
    world,
    `SELECT *, ${washSql} AND symbol NOT IN (${ANCHORS}) AS wash
       FROM (SELECT token, count(*) AS trades,
           count(*) FILTER (buy) AS buys, coalesce(sum(usd) FILTER (buy), 0)::DOUBLE AS bought,
           coalesce(sum(usd) FILTER (NOT buy), 0)::DOUBLE AS sold,
           count(*) FILTER (${known}) AS known,
           coalesce(sum(usd) FILTER (${known}), 0)::DOUBLE AS known_usd,
           count(DISTINCT (wallet_hi, wallet_lo)) FILTER (${known}) AS makers, max(ts) AS last
         FROM (${sides(`ts >= ${since}`)}) GROUP BY token)
       LEFT JOIN (SELECT token, arg_max(c, t) AS base FROM ${newest("candles_1h", "token, t")}
         WHERE t < ${since} GROUP BY token) USING (token)
       LEFT JOIN ${presentPrices} USING (token)
       LEFT JOIN (SELECT token, arg_max(price, seq) AS newest, arg_min(price, seq) AS first,
           arg_min(ts, seq) AS first_ts FROM (${priced}) GROUP BY token) USING (token)
       JOIN (SELECT token, min(ts) AS first_trade FROM (${sides("true")}) GROUP BY token)
         USING (token)
       JOIN (SELECT token, symbol FROM ${newest("tokens", "token")}) USING (token)
       ORDER BY token`
  )

const checkBoard = (world: MarketWorld) =>
  Effect.gen(function* () {
    const { blockTime } = world.core.committed
    const since = blockTime - (blockTime % HOUR) - 23 * HOUR
    const expected = yield* boardRows(world, since)
    for (const sort of boardSorts) {
      const params = { sort, limit: 1000, offset: 0, includeUnlisted: true }
      const found = yield* ask(world, "tokenBoard", params)
      expect(found.total).toBe(expected.length)
      const bySymbol = (a: { symbol?: unknown }, b: { symbol?: unknown }) =>
        String(a.symbol) < String(b.symbol) ? -1 : 1
      const figures = found.tokens.map((row: Record<string, unknown>) => ({
        symbol: row["symbol"],
        volume24h: row["volume24h"],
        buyVolume24h: row["buyVolume24h"],
        sellVolume24h: row["sellVolume24h"],
        trades24h: row["trades24h"],
        buys24h: row["buys24h"],
        sells24h: row["sells24h"],
        traders: row["traders"],
        firstTradeTs: row["firstTradeTs"],
        lastTradeTs: row["lastTradeTs"],
        priceUsd: row["priceUsd"],
        change24hPct: row["change24hPct"],
        changeSince: row["changeSince"],
        wash: row["wash"] ?? false
      }))
      expect(figures.toSorted(bySymbol)).toEqual(
        expected
          .map(row => ({
            symbol: row["symbol"],
            volume24h: ((row["bought"] ?? 0) + (row["sold"] ?? 0)) / 1e6,
            buyVolume24h: (row["bought"] ?? 0) / 1e6,
            sellVolume24h: (row["sold"] ?? 0) / 1e6,
            trades24h: row["trades"],
            buys24h: row["buys"],
            sells24h: (row["trades"] ?? 0) - (row["buys"] ?? 0),
            traders: row["makers"],
            firstTradeTs: row["first_trade"],
            lastTradeTs: row["last"],
            priceUsd: row["price"] ?? null,
            ...changeOf(row, since),
            wash: row["wash"]
          }))
          .toSorted(bySymbol)
      )
      const by = {
        ...{ volume: "volume24h", trades: "trades24h", traders: "traders" },
        ...{ change: "change24hPct", mcap: "marketCapUsd", new: "firstTradeTs" }
      }[sort]
      const clean = found.tokens.filter(
        (row: { wash?: true; impostor?: true }) => !row.wash && !row.impostor
      )
      const values = clean.map((row: Record<string, number | null>) => row[by] ?? -Infinity)
      expect(values).toEqual(values.toSorted((a: number, b: number) => b - a))
      expect(found.tokens.slice(0, clean.length)).toEqual(clean)
      const page = yield* ask(world, "tokenBoard", { ...params, limit: 3, offset: 2 })
      expect(page.tokens).toEqual(found.tokens.slice(2, 5))
    }
    return expected.filter(row => row["wash"]).length
  })

describe("boards and totals", () => {
  it("say what plain SQL over the tape says", async () => {
    const name = `${seed}/boards`
    console.log(`boards: SEED=${seed}`)
    const seen = await Effect.gen(function* () {
      const world = yield* openMarketWorld(name)
      const { r } = world
      const found = { markets: 0, tokens: 0 }
      for (let round = 0; round < rounds(14); round++) {
        yield* advance(world, round, random => random.integer(1, 100))
        if (round === rounds(10) - 1) {
          // so many at a time that some markets are wash trading by the rules
          const { log, core } = world
          yield* applySegment(core, log.append(world.events("main", 1, 5200)))
          yield* commitPending(core)
        }
        found.markets += yield* checkOverview(world)
        yield* checkVenues(world, r.pick([1, 2, 7, 30]))
        found.tokens += yield* checkBoard(world)
      }
      return found
    }).pipe(Effect.scoped, Effect.runPromise)
    expect(seen.markets).toBeGreaterThan(0)
  })
})
