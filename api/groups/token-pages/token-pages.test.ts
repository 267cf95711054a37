/** Pages, pools, search and movers against plain SQL over the tape. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import {
  advance,
  ask,
  type MarketWorld,
  newest,
  openMarketWorld,
  rows
} from "../../../test/support/market-world.ts"
import { isLong } from "../../../test/support/rounds.ts"
import { seed } from "../../../test/support/seed.ts"

const HOUR = 3600
const hourOf = "ts // 3600 * 3600"
const makers = "count(DISTINCT (wallet_hi, wallet_lo)) FILTER (wallet_hi IS NOT NULL)"

/** The prints of a token by its id. */
const prints = (token: number, where: string) => `
  SELECT bought0 = 1 AS buy, ts, wallet_hi, wallet_lo, pool, price0 AS price, flags & 1 = 0 AS ok,
    CASE WHEN flags & 1 = 0 THEN usd END AS usd, seq FROM tape WHERE token0 = ${token} AND ${where}
  UNION ALL SELECT bought0 = 0, ts, wallet_hi, wallet_lo, pool, price1, flags & 2 = 0,
    CASE WHEN flags & 2 = 0 THEN usd END, seq FROM tape WHERE token1 = ${token} AND ${where}`

const checkPage = (world: MarketWorld, token: number, address: string, since: number) =>
  Effect.gen(function* () {
    const found = yield* ask(world, "tokenPage", { token: address })
    const hours = yield* rows(
      world,
      `SELECT ${hourOf} AS hour, count(*) AS trades, count(*) FILTER (buy) AS buys,
         count(*) FILTER (NOT buy) AS sells,
         coalesce(sum(usd) FILTER (buy), 0)::DOUBLE / 1e6 AS "buyUsd",
         coalesce(sum(usd) FILTER (NOT buy), 0)::DOUBLE / 1e6 AS "sellUsd",
         nullif(${makers}, 0) AS makers,
         arg_max(price, seq) FILTER (ok AND price > 0) AS close
       FROM (${prints(token, `ts >= ${since}`)}) GROUP BY 1 ORDER BY 1`
    )
    expect(found.hourly24.filter((row: { trades: number }) => row.trades > 0)).toEqual(hours)
    expect(found.hourly24.map((row: { hour: number }) => row.hour)).toEqual(
      Array.from({ length: 24 }, (_, i) => since + i * HOUR)
    )
    const [all] = yield* rows(
      world,
      `SELECT max(price) FILTER (ok AND price > 0) AS ath, min(ts) AS first,
         min(ts) FILTER (ok AND price > 0) AS priced FROM (${prints(token, "true")})`
    )
    expect([found.ath?.priceUsd ?? null, found.firstTradeTs]).toEqual([
      all?.["ath"] ?? null,
      all?.["first"]
    ])
    const venues = yield* rows(
      world,
      `SELECT venue AS dex, count(*) AS trades,
         coalesce(sum(CASE WHEN flags = 0 THEN usd END), 0)::DOUBLE / 1e6 AS "volUsd"
       FROM tape JOIN ${newest("pools", "pool")} USING (pool)
       WHERE ts >= ${since} AND (tape.token0 = ${token} OR tape.token1 = ${token})
       GROUP BY 1 ORDER BY 3 DESC, 2 DESC`
    )
    expect(found.venues24h.map(({ sharePct: _, ...row }: Record<string, unknown>) => row)).toEqual(
      venues
    )
  })

const checkPools = (world: MarketWorld, token: number, address: string, since: number) =>
  Effect.gen(function* () {
    const found = yield* ask(world, "tokenPools", { token: address, limit: 500, offset: 0 })
    const expected = yield* rows(
      world,
      `SELECT p.venue AS dex, count(t.ts) AS txns24h,
         coalesce(sum(CASE WHEN flags = 0 THEN usd END), 0)::DOUBLE / 1e6 AS vol24h,
         CASE WHEN count(t.ts) > 0 THEN nullif(${makers}, 0) ELSE 0 END AS makers24h,
         p.fee / 10000 AS "feePct"
       FROM ${newest("pools", "pool")} p
       LEFT JOIN (SELECT * FROM tape WHERE ts >= ${since}) t ON t.pool = p.pool
       WHERE p.token0 = ${token} OR p.token1 = ${token} GROUP BY p.pool, p.venue, p.fee`
    )
    const plain = found.pools.map((row: Record<string, unknown>) => ({
      dex: row["dex"],
      txns24h: row["txns24h"],
      vol24h: row["vol24h"],
      makers24h: row["makers24h"],
      feePct: row["feePct"]
    }))
    const order = (list: ReadonlyArray<unknown>) => list.map(row => JSON.stringify(row)).sort()
    expect(order(plain)).toEqual(order(expected))
    expect(found.total).toBe(expected.length)
    const volumes = found.pools
      .filter((row: { suspect?: true }) => !row.suspect)
      .map((row: { vol24h: number }) => row.vol24h)
    expect(volumes).toEqual(volumes.toSorted((a: number, b: number) => b - a))
  })

/** What the tape says of a token in the seconds after `from`. */
const windowRows = (world: MarketWorld, token: number, from: number, price: number | null) =>
  Effect.gen(function* () {
    const of = (where: string) => `count(DISTINCT (wallet_hi, wallet_lo)) FILTER (${where})`
    const known = "wallet_hi IS NOT NULL"
    const [sums = {}] = yield* rows(
      world,
      `SELECT count(*) AS txns, count(*) FILTER (buy) AS buys, count(*) FILTER (NOT buy) AS sells,
         coalesce(sum(usd) FILTER (buy), 0)::DOUBLE / 1e6 AS "buyVol",
         coalesce(sum(usd) FILTER (NOT buy), 0)::DOUBLE / 1e6 AS "sellVol",
         ${of(known)} AS makers, ${of(`${known} AND buy`)} AS buyers,
         ${of(`${known} AND NOT buy`)} AS sellers
       FROM (${prints(token, `ts > ${from}`)})`
    )
    const [{ before } = { before: null }] = yield* rows(
      world,
      `SELECT arg_max(price, seq) AS before FROM (${prints(token, `ts <= ${from}`)})
       WHERE ok AND price > 0`
    )
    const [{ last = null, lastTs = 0, first = null, ts = null } = {}] = yield* rows(
      world,
      `SELECT arg_max(price, seq) AS last, arg_max(ts, seq) AS "lastTs",
         arg_min(price, seq) AS first, arg_min(ts, seq) AS ts
       FROM (${prints(token, "true")}) WHERE ok AND price > 0`
    )
    // the hour of the newest print lies a day and more before the window
    const isOld = (Math.floor(Number(lastTs) / 3600) + 1) * 3600 <= from + 1 - 86_400
    if (price === null || last === null || isOld) {
      return { change: null, changeSince: null, ...sums }
    }
    const change = ((last ?? 1) / (before ?? first ?? 1) - 1) * 100
    return { change, changeSince: before === null ? ts : from + 1, ...sums }
  })

const checkStats = (world: MarketWorld, token: number, address: string) =>
  Effect.gen(function* () {
    const found = yield* ask(world, "tokenStats", { token: address })
    const { blockTime } = world.core.committed
    const widths = { m5: 300, h1: HOUR, h6: 6 * HOUR, h24: 24 * HOUR }
    for (const [name, width] of Object.entries(widths)) {
      const expected = yield* windowRows(world, token, blockTime - width, found.priceUsd)
      expect({ [name]: found.windows[name] }).toEqual({ [name]: expected })
    }
    const from = blockTime - 24 * HOUR
    const [range = {}] = yield* rows(
      world,
      `SELECT max(price) AS high, min(price) AS low FROM (${prints(token, `ts > ${from}`)})
       WHERE ok AND price > 0`
    )
    expect(found.range24h).toEqual(range["high"] === null ? null : range)
    const [{ total } = { total: 0 }] = yield* rows(
      world,
      `SELECT count(*) AS total FROM (${prints(token, "true")})`
    )
    expect(found.totalTxns).toBe(total)
    const expected = yield* rows(
      world,
      `SELECT venue AS dex, count(*) AS txns24h,
         coalesce(sum(CASE WHEN flags = 0 THEN usd END), 0)::DOUBLE / 1e6 AS vol24h,
         nullif(${makers}, 0) AS makers24h
       FROM tape JOIN ${newest("pools", "pool")} p USING (pool)
       WHERE ts > ${from} AND (tape.token0 = ${token} OR tape.token1 = ${token})
       GROUP BY pool, venue ORDER BY vol24h DESC, txns24h DESC, pool`
    )
    expect(found.markets.map(({ pool: _, ...row }: Record<string, unknown>) => row)).toEqual(
      expected
    )
  })

/** Makers of the two hours, hour by hour, and of the 22 before. */
const checkAttention = (world: MarketWorld, since: number) =>
  Effect.gen(function* () {
    const found = yield* ask(world, "attention", { limit: 500 })
    const from = since + 22 * HOUR
    const expected = yield* rows(
      world,
      `SELECT symbol, sum(n) FILTER (hour >= ${from}) AS now,
         coalesce(sum(n) FILTER (hour < ${from}), 0) AS earlier FROM (
           SELECT token, ${hourOf} AS hour, ${makers} AS n FROM (
             SELECT token0 AS token, ts, wallet_hi, wallet_lo FROM tape WHERE ts >= ${since}
             UNION ALL SELECT token1, ts, wallet_hi, wallet_lo FROM tape WHERE ts >= ${since})
           GROUP BY 1, 2)
       JOIN ${newest("tokens", "token")} USING (token) GROUP BY 1 HAVING now >= 10`
    )
    const score = new Map(
      expected.map(row => [
        String(row["symbol"]),
        (row["now"] ?? 0) / 2 / Math.max(1, (row["earlier"] ?? 0) / 22)
      ])
    )
    for (const row of found.tokens) expect(row.attention).toBe(score.get(row.symbol))
    return found.tokens.length as number
  })

describe("token pages", () => {
  it("say what plain SQL over the tape says", async () => {
    console.log(`token pages: SEED=${seed}`)
    await Effect.gen(function* () {
      const world = yield* openMarketWorld(`${seed}/pages`)
      for (let round = 0; round < 8; round++) {
        yield* advance(world, round, r => r.integer(1, 80))
        // in the short run it grows as far, and is asked at three times
        if (!isLong && ![1, 4, 7].includes(round)) continue
        const { blockTime } = world.core.committed
        const since = blockTime - (blockTime % HOUR) - 23 * HOUR
        const tokens = yield* rows(
          world,
          `SELECT token, symbol FROM ${newest("tokens", "token")} WHERE token IN
            (SELECT token0 FROM tape UNION SELECT token1 FROM tape) ORDER BY token`
        )
        for (const { token = 0, symbol } of tokens) {
          const search = yield* ask(world, "tokenSearch", { q: String(symbol), limit: 5 })
          expect(search.tokens[0].symbol).toBe(symbol)
          const { address } = search.tokens[0]
          expect((yield* ask(world, "tokenSearch", { q: address, limit: 5 })).total).toBe(1)
          yield* checkPage(world, token, address, since)
          yield* checkPools(world, token, address, since)
          yield* checkStats(world, token, address)
        }
        yield* checkAttention(world, since)
        const trending = yield* ask(world, "trending", { limit: 500 })
        const changes = trending.tokens.map((row: { change2hPct: number }) => row.change2hPct)
        expect(changes).toEqual(changes.toSorted((a: number, b: number) => b - a))
      }
    }).pipe(Effect.scoped, Effect.runPromise)
  })
})
