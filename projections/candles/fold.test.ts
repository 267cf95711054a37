/** Buckets folded in memory, beside what DuckDB makes of the prints. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { RowsView } from "../../engine/query.ts"
import { compact, compactionFloor } from "../../engine/store/compaction.ts"
import type { Stretch } from "../../src/domain/covered-time.ts"
import { advance, contextOf, openMarketWorld } from "../../test/support/market-world.ts"
import { isLong } from "../../test/support/rounds.ts"
import { pricesOutput } from "../prices/output.ts"
import { tapeOutput } from "../tape/output.ts"
import { tokens } from "../tokens/output.ts"
import { bucketsIn, walletsIn } from "./buckets.ts"
import type { Wallets } from "./distinct-wallets.ts"
import { type Pair, pairSeries, type Series, tokenSeries } from "./series.ts"
import { type AnyFrame, bucketSql, frameOf } from "./time-frame.ts"

const ROUNDS = isLong ? 12 : 3
/** Of tokens and pairs that are asked in each round of npm test. */
const SERIES = 24

/** So little that most of what is asked for takes several reads. */
const LITTLE = { prints: 3, buckets: 400 }

const pairsOf = (view: RowsView) => {
  const { baseOf } = view.output(pricesOutput)
  return Effect.map(
    view.rows(`SELECT DISTINCT market, pool, token0, token1 FROM
      (SELECT * FROM markets UNION ALL SELECT * FROM markets_tail)
      WHERE token0 IS NOT NULL AND token1 IS NOT NULL ORDER BY market`),
    rows =>
      rows.map(row => {
        const number = (name: string) => Number(row[name])
        const [token0, token1] = [number("token0"), number("token1")]
        const base = baseOf(token0, token1)
        const quote = base === token0 ? token1 : token0
        return { pair: number("market"), pool: number("pool"), base, quote } satisfies Pair
      })
  )
}

const byTime = (found: ReadonlyMap<number, Wallets>) =>
  [...found].map(([b, one]) => ({ b, ...one })).sort((one, other) => one.b - other.b)

/** Distinct wallets by bucket as DuckDB counts them: of one wallet in `every`, so many times. */
const distinctOf = (
  view: RowsView,
  series: Series,
  frame: AnyFrame,
  window: Stretch,
  every: number
) => {
  const drawn = every === 1 ? "true" : `wallet_lo % ${every} = 0`
  const wallet = every === 1 ? "(wallet_hi, wallet_lo)" : "wallet_lo"
  const distinct = (side: number) => `${every} * count(DISTINCT ${wallet}) FILTER (buy = ${side})`
  return Effect.map(
    view.rows(
      `SELECT ${bucketSql(frame, "ts")} AS b, ${distinct(1)} AS buyers, ${distinct(0)} AS sellers
       FROM (${series.prints(window)}) WHERE wallet_hi IS NOT NULL AND ${drawn}
       GROUP BY b ORDER BY b`
    ),
    rows =>
      rows.map(row => ({
        b: Number(row["b"]),
        buyers: Number(row["buyers"]),
        sellers: Number(row["sellers"])
      }))
  )
}

/** The buckets of a window as DuckDB folds its prints; hashes are not theirs to tell. */
const foldedBy = (
  view: RowsView,
  series: Series,
  frame: AnyFrame,
  window: Stretch,
  raw: boolean
) => {
  const counts = (price: string) =>
    `coalesce(${price} > 0 AND ${price} < 'infinity'::DOUBLE AND (${raw} OR flags & 1 = 0), false)`
  const sql = `SELECT b AS t,
      arg_min(price, seq) FILTER (counts) AS o, max(price) FILTER (counts) AS h,
      min(price) FILTER (counts) AS l, arg_max(price, seq) FILTER (counts) AS c,
      coalesce(sum(volume ORDER BY seq) FILTER (counts), 0) AS volume,
      count(*) FILTER (counts) AS n, coalesce(sum(usd) FILTER (is_paid), 0) AS v,
      coalesce(sum(usd) FILTER (is_paid AND buy = 1), 0) AS bv, count(*) AS trades,
      sum(buy) AS buys, count(*) FILTER (flags & 1 = 1) AS outliers
    FROM (SELECT *, ${bucketSql(frame, "ts")} AS b, ${counts("price")} AS counts,
        ${counts("dollars")} AS is_paid FROM (${series.prints(window)})) GROUP BY b ORDER BY b`
  return Effect.map(view.rows(sql), rows =>
    rows.map(row =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, value === null ? null : Number(value)])
      )
    )
  )
}

/** A bucket without its hash; sums of doubles with the digits that their order leaves. */
const plain = (isWhole: boolean) => (bucket: { readonly [name: string]: unknown }) => {
  const { hash: _, volume, ...rest } = bucket
  return { ...rest, volume: isWhole ? volume : Number(volume).toPrecision(12) }
}

it("candles are the same folded in memory as by the database", () =>
  Effect.gen(function* () {
    const world = yield* openMarketWorld("few rows")
    const { r } = world
    let traded = 0
    /** reads of what came before memory begins, all of which is merged */
    let baseReads = 0
    for (let round = 0; round < ROUNDS; round++) {
      yield* advance(world, round, random => random.integer(5, 40))
      const { store } = world.core
      const floor = round < 2 || r.boolean(0.3) ? yield* compactionFloor(store, 0) : null
      if (floor !== null) yield* compact(store, floor, { minTailRows: 1, share: 0 })
      const rest = contextOf(world)
      // now and then nothing is remembered, as after a start
      if (round === 0 || r.boolean(0.3)) rest.output(tapeOutput).recent.clear()
      const view: RowsView = {
        ...rest,
        columns: sql => {
          if (/FROM prints_rows/.test(sql) && !/UNION ALL/.test(sql)) baseReads++
          return rest.columns(sql)
        }
      }
      const all = Array.from({ length: view.output(tokens).count() }, (_, token) =>
        tokenSeries(view, token, r.pick([undefined, 1, 3, 20]))
      )
      for (const pair of yield* pairsOf(view)) {
        all.push(pairSeries(view, pair, "dollars"), pairSeries(view, pair, "ratio"))
      }
      for (const series of isLong ? all : r.shuffle(all).slice(0, SERIES)) {
        const frame = frameOf(r.pick(["1s", "30s", "1m", "15m", "1h", "1d", "1w"]))
        // base buckets hold whole minutes and hours
        const width = frame.base === null ? 1 : 3600
        const from = view.blockTime - r.integer(60, 200_000)
        const window = { from: from - (from % width), to: view.blockTime + 1 }
        const raw = r.boolean(0.3)
        const found = yield* bucketsIn(view, series, frame, window, { raw })
        const whole = plain(series.unit === "dollars")
        const expected = yield* foldedBy(view, series, frame, window, raw)
        expect(found.map(bucket => whole({ ...bucket }))).toEqual(expected.map(whole))
        const little = yield* bucketsIn(view, series, frame, window, { raw }, LITTLE)
        expect(little).toEqual(found)
        const wallets = yield* walletsIn({ view, series, frame, window, buckets: found })
        expect(byTime(wallets)).toEqual(yield* distinctOf(view, series, frame, window, 1))
        const every = r.integer(2, 4)
        const some = yield* walletsIn({ view, series, frame, window, buckets: found }, every)
        expect(byTime(some)).toEqual(yield* distinctOf(view, series, frame, window, every))
        traded += found.reduce((sum, { trades }) => sum + trades, 0)
      }
    }
    expect(traded).toBeGreaterThan(0)
    expect(baseReads).toBeGreaterThan(0)

    const view = contextOf(world)
    const asked: Array<string> = []
    const columns: RowsView["columns"] = sql => {
      asked.push(sql)
      return view.columns(sql)
    }
    const sinceEver = { from: 0, to: view.blockTime + 1 }
    const series = tokenSeries(view, 0)
    const args = [series, frameOf("1m"), sinceEver, {}] as const
    expect((yield* bucketsIn({ ...view, columns }, ...args)).length).toBeGreaterThan(0)
    // of the years before its first row nothing is asked
    expect(asked.length).toBe(1)
  }).pipe(Effect.scoped, Effect.runPromise))
