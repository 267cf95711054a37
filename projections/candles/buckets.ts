/** Buckets of a series with everything a candle may show, from base tables or from prints. */
import { Effect } from "effect"
import type { QueryContext, ReadError, Row } from "../../engine/query.ts"
import { numberOf } from "../../engine/store/sql.ts"
import type { Stretch } from "./coverage.ts"
import { distinctWallets, WALLET_COLUMNS, type Wallets } from "./distinct-wallets.ts"
import { FEW_PRINTS, foldPrintRows } from "./fold-rows.ts"
import { FEW_BUCKETS, foldVersions } from "./fold-versions.ts"
import { candlesOutput } from "./kept-wallets.ts"
import type { Series } from "./series.ts"
import { type AnyFrame, baseSeconds, bucketSql, bucketStart, type TimeFrame } from "./time-frame.ts"

/** A bucket with prints; prices are null where none of them tells one. */
export interface Bucket {
  readonly t: number
  readonly o: number | null
  readonly h: number | null
  readonly l: number | null
  readonly c: number | null
  /** in what is asked: micro-dollars, or whole quote tokens */
  readonly volume: number
  readonly n: number
  /** micro-dollars of all and of what was bought */
  readonly v: number
  readonly bv: number
  readonly trades: number
  readonly buys: number
  readonly outliers: number
  /** null of prints: it is asked for by itself */
  readonly hash: { readonly hi: number; readonly lo: number } | null
}

const bucketOf = (row: Row): Bucket => {
  const [hi, lo] = [numberOf(row, "hash_hi"), numberOf(row, "hash_lo")]
  return {
    t: Number(row["b"]),
    o: numberOf(row, "o"),
    h: numberOf(row, "h"),
    l: numberOf(row, "l"),
    c: numberOf(row, "c"),
    volume: numberOf(row, "volume") ?? 0,
    n: Number(row["n"]),
    v: numberOf(row, "v") ?? 0,
    bv: numberOf(row, "bv") ?? 0,
    trades: Number(row["trades"]),
    buys: Number(row["buys"]),
    outliers: Number(row["outliers"]),
    hash: hi === null || lo === null ? null : { hi, lo }
  }
}

/** Prints folded to buckets. What is not believed counts where `raw` asks for it. */
const foldPrints = (prints: string, grid: Pick<AnyFrame, "seconds" | "origin">, raw: boolean) => {
  const believed = raw ? "true" : "flags & 1 = 0"
  const counts = (price: string) =>
    `coalesce(${price} > 0 AND ${price} < 'infinity'::DOUBLE AND ${believed}, false)`
  return `SELECT b, arg_min(price, seq) FILTER (counts) AS o, max(price) FILTER (counts) AS h,
      min(price) FILTER (counts) AS l, arg_max(price, seq) FILTER (counts) AS c,
      sum(volume ORDER BY seq) FILTER (counts) AS volume, count(*) FILTER (counts) AS n,
      coalesce(sum(usd) FILTER (is_paid), 0) AS v,
      coalesce(sum(usd) FILTER (is_paid AND buy = 1), 0) AS bv,
      count(*) AS trades, sum(buy) AS buys, count(*) FILTER (flags & 1 = 1) AS outliers
    FROM (SELECT *, ${bucketSql(grid, "ts")} AS b, ${counts("price")} AS counts,
        ${counts("dollars")} AS is_paid FROM (${prints})) GROUP BY b`
}

/** Base buckets whose outliers count too: their prices anew from prints. */
const withOutliers = (
  series: Series,
  base: TimeFrame["base"],
  where: string,
  odd: ReadonlyArray<number>
): string => {
  const seconds = baseSeconds(base)
  const list = odd.join(",")
  const time = { from: odd[0] as number, to: (odd[odd.length - 1] as number) + seconds }
  const prints = `SELECT * FROM (${series.prints(time)})
    WHERE ${bucketSql({ seconds, origin: 0 }, "ts")} IN (${list})`
  return `SELECT * FROM (${series.buckets(base, where)}) WHERE t NOT IN (${list})
    UNION ALL SELECT t, NULL, NULL, NULL, NULL, 0, 0, 0, 0, trades, buys, outliers, hash_hi, hash_lo
      FROM (${series.buckets(base, where)}) WHERE t IN (${list})
    UNION ALL SELECT b, o, h, l, c, volume, n, v, bv, 0, 0, 0, 0, 0
      FROM (${foldPrints(prints, { seconds, origin: 0 }, true)})`
}

const WORD = 2 ** 32

const foldBuckets = (buckets: string, frame: TimeFrame): string =>
  `SELECT ${bucketSql(frame)} AS b, arg_min(o, t) FILTER (n > 0) AS o, max(h) AS h, min(l) AS l,
    arg_max(c, t) FILTER (n > 0) AS c, sum(volume ORDER BY t) AS volume, sum(n) AS n, sum(v) AS v,
    sum(bv) AS bv, sum(trades) AS trades, sum(buys) AS buys, sum(outliers) AS outliers,
    sum(hash_hi) % ${WORD} AS hash_hi, sum(hash_lo) % ${WORD} AS hash_lo
  FROM (${buckets}) GROUP BY b ORDER BY b`

/** Base buckets with prints that are not believed. */
const oddBuckets = (
  context: QueryContext,
  series: Series,
  base: TimeFrame["base"],
  where: string
) =>
  context
    .rows(`SELECT DISTINCT t FROM (${series.buckets(base, where)}) WHERE outliers > 0 ORDER BY t`)
    .pipe(Effect.map(rows => rows.map(row => Number(row["t"]))))

const PRINT_COLUMNS = "ts, seq, buy, usd, flags, dollars, price, volume"

/** The prints of a window; null where they are more than `few`. */
const fewPrints = (context: QueryContext, series: Series, window: Stretch, few: number) =>
  context
    .rows(`SELECT ${PRINT_COLUMNS} FROM (${series.prints(window)}) LIMIT ${few + 1}`)
    .pipe(Effect.map(rows => (rows.length > few ? null : rows)))

/** The buckets of a window that have prints, oldest first; of `few` rows folded in memory. */
export const bucketsIn = (
  context: QueryContext,
  series: Series,
  frame: AnyFrame,
  window: Stretch,
  raw: boolean,
  few = { buckets: FEW_BUCKETS, prints: FEW_PRINTS }
) =>
  Effect.gen(function* () {
    if (frame.base === null) {
      const recalled = few.prints > 0 ? series.recalled(window, frame, raw) : null
      if (recalled !== null) return recalled
      const prints = yield* fewPrints(context, series, window, few.prints)
      if (prints !== null) return foldPrintRows(prints, frame, raw)
      const sql = `${foldPrints(series.prints(window), frame, raw)} ORDER BY b`
      return (yield* context.rows(sql)).map(bucketOf)
    }
    const base = series.baseOf(frame)
    const where = `t >= ${window.from} AND t < ${window.to}`
    const odd = raw ? yield* oddBuckets(context, series, base, where) : []
    if (odd.length === 0 && (window.to - window.from) / baseSeconds(base) <= few.buckets) {
      const { isWhole } = series
      return foldVersions(yield* context.columns(series.versions(base, where)), frame, { isWhole })
    }
    const buckets =
      odd.length === 0 ? series.buckets(base, where) : withOutliers(series, base, where, odd)
    return (yield* context.rows(foldBuckets(buckets, frame))).map(bucketOf)
  })

/** The close of prints before a time that is no base bucket's start. */
const closeWithin = (context: QueryContext, series: Series, time: Stretch, raw: boolean) =>
  context
    .rows(foldPrints(series.prints(time), { seconds: time.to - time.from, origin: time.from }, raw))
    .pipe(Effect.map(([row]) => (row === undefined ? null : numberOf(row, "c"))))

/** The newest base bucket before `from` with a price, and its close; null where there is none. */
export const closeBefore = (
  context: QueryContext,
  series: Series,
  frame: AnyFrame,
  from: number,
  raw: boolean
) =>
  Effect.gen(function* () {
    const base = frame.base === null ? "candles_1m" : series.baseOf(frame)
    const width = baseSeconds(base)
    const start = from - (from % 60)
    if (frame.base === null && start < from) {
      const close = yield* closeWithin(context, series, { from: start, to: from }, raw)
      if (close !== null) return { t: start, c: close }
    }
    const end = frame.base === null ? start : from
    const [row] = yield* context.rows(series.before(base, end, raw))
    if (row === undefined) return null
    const t = Number(row["t"])
    const close =
      raw && Number(row["outliers"]) > 0
        ? yield* closeWithin(context, series, { from: t, to: t + width }, true)
        : numberOf(row, "c")
    return close === null ? null : { t, c: close }
  })

/** Prints that wallets are counted of, or that a hash below a minute is made of, at most. */
export const MOST_PRINTS = 200_000
/** Of more prints wallets are counted of one in so many of them, at most. */
export const MOST_SAMPLED = 100

/** Distinct wallets of a stretch's prints. */
const countedWallets = (
  context: QueryContext,
  series: Series,
  frame: AnyFrame,
  window: Stretch
): Effect.Effect<ReadonlyMap<number, Wallets>, ReadError> => {
  const recalled = series.recalledWallets(window, frame)
  if (recalled !== null) return Effect.succeed(recalled)
  const sql = `SELECT ${WALLET_COLUMNS} FROM (${series.prints(window)}) WHERE wallet_hi IS NOT NULL`
  return Effect.map(context.columns(sql), prints => distinctWallets(prints, frame))
}

/** Distinct wallets that bought and sold, by bucket; counted once of buckets that are over. */
export const walletsIn = (
  context: QueryContext,
  series: Series,
  frame: AnyFrame,
  window: Stretch
): Effect.Effect<ReadonlyMap<number, Wallets>, ReadError> =>
  Effect.gen(function* () {
    const kept = context.output(candlesOutput)
    const name = `${series.name} ${frame.seconds}`
    // what comes later is not before it, or is told of
    kept.answeredAt(context.blockTime)
    const over = {
      from: window.from,
      to: Math.min(window.to, bucketStart(frame, context.blockTime))
    }
    const known = kept.of(name, over)
    const missing =
      known === null
        ? [window]
        : [
            { from: window.from, to: known.from },
            { from: known.to, to: window.to }
          ]
    const found = new Map<number, Wallets>()
    for (const stretch of missing) {
      if (stretch.from >= stretch.to) continue
      const counted = yield* countedWallets(context, series, frame, stretch)
      for (const [t, one] of counted) found.set(t, one)
    }
    kept.keep(name, frame, over, found)
    if (known === null) return found
    for (const [t, one] of known.counts) if (t >= known.from && t < known.to) found.set(t, one)
    return found
  })

/**
 * About how many wallets bought and sold, by bucket, from one in `every` of them, drawn by a hash
 * of their address: the same in every answer. Of n wallets the error is about
 * sqrt((every - 1) / n).
 */
export const estimatedWallets = (
  context: QueryContext,
  series: Series,
  frame: AnyFrame,
  window: Stretch,
  every: number
): Effect.Effect<ReadonlyMap<number, Wallets>, ReadError> => {
  const sql = `SELECT ${WALLET_COLUMNS} FROM (${series.prints(window)})
    WHERE wallet_hi IS NOT NULL AND hash(wallet_hi, wallet_lo) % ${every} = 0`
  return Effect.map(context.columns(sql), prints => {
    const found = new Map<number, Wallets>()
    for (const [t, { buyers, sellers }] of distinctWallets(prints, frame)) {
      found.set(t, { buyers: buyers * every, sellers: sellers * every })
    }
    return found
  })
}

/** A 32-bit word of a transaction's hash. */
const wordSql = (half: string, shift: number): string =>
  `((${half} >> ${shift}) & 4294967295::UHUGEINT)::UBIGINT`

const WORDS = ["tx_hi", "tx_lo"]
  .flatMap(half => [96, 64, 32, 0].map(shift => wordSql(half, shift)))
  .concat(["(block % 4294967296)::UBIGINT", "log_index::UBIGINT"])
  .join(", ")

/** What `swap-hash.ts` does, for one of the two words. */
const hashSql = (seed: number, factor: number): string => {
  const product = (h: string, word: string, by: number) =>
    `((xor(${h}, ${word}) * ${by}::UBIGINT) % 4294967296::UBIGINT)`
  const step = product("h", "w", factor)
  return `list_reduce([${seed}::UBIGINT, ${WORDS}],
    lambda h, w: xor(${step}, ${step} >> 15))`
}

/** One step of the end of the hash, for both words. */
const settled = (from: string, shift: number, factor: number): string => {
  const step = (h: string) =>
    `(xor(${h}, ${h} >> ${shift}) * ${factor}::UBIGINT) % 4294967296::UBIGINT AS ${h}`
  return `SELECT b, ${step("hi")}, ${step("lo")} FROM (${from})`
}

/** The hash of each bucket, from its prints. */
export const hashesIn = (
  context: QueryContext,
  series: Series,
  frame: AnyFrame,
  window: Stretch
) => {
  const words = `SELECT ${bucketSql(frame, "p.ts")} AS b,
      ${hashSql(0x243f6a88, 0x9e3779b1)} AS hi, ${hashSql(0x85a308d3, 0x85ebca77)} AS lo
    FROM (${series.prints(window)}) p JOIN
      (SELECT seq, tx_hi, tx_lo FROM tape WHERE ts >= ${window.from} AND ts < ${window.to}) x
      ON x.seq = p.seq`
  const last = settled(settled(words, 16, 0x85ebca6b), 13, 0xc2b2ae35)
  const sum = (h: string) => `sum(xor(${h}, ${h} >> 16)) % ${WORD} AS ${h}`
  return context
    .rows(`SELECT b, ${sum("hi")}, ${sum("lo")} FROM (${last}) GROUP BY b`)
    .pipe(
      Effect.map(
        rows =>
          new Map(
            rows.map(row => [Number(row["b"]), { hi: Number(row["hi"]), lo: Number(row["lo"]) }])
          )
      )
    )
}
