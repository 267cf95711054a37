/** Buckets of a series with everything a candle may show, from base tables or from prints. */
import { Effect } from "effect"
import type { QueryContext, ReadError, ResultColumns } from "../../engine/query.ts"
import { numberOf } from "../../engine/store/sql.ts"
import type { Stretch } from "./coverage.ts"
import { distinctWallets, WALLET_COLUMNS, type Wallets } from "./distinct-wallets.ts"
import { type Bucket, BucketFold, type Grid } from "./fold.ts"
import { candlesOutput } from "./output.ts"
import type { Series } from "./series.ts"
import { type AnyFrame, baseSeconds, bucketSql, bucketStart } from "./time-frame.ts"

const WORD = 2 ** 32

/** Prints read at once. */
const READ_PRINTS = 100_000
/** Base buckets read at once, as many as their time may hold. */
const READ_BUCKETS = 100_000

/** How much is read at once. */
export const READ_AT_ONCE = { prints: READ_PRINTS, buckets: READ_BUCKETS }

const PRINT_COLUMNS = "ts, seq, buy, usd, flags, dollars, price, volume"

/** The buckets of a grid, from prints under a condition. */
const foldedPrints = (
  context: QueryContext,
  series: Series,
  grid: Grid,
  { time, where = "true" }: { readonly time: Stretch; readonly where?: string },
  raw: boolean,
  most: number
) =>
  Effect.gen(function* () {
    const fold = new BucketFold(grid, series.isWhole)
    for (let from = 0; ; ) {
      const found = yield* context.columns(
        `SELECT ${PRINT_COLUMNS} FROM (${series.prints(time)}) WHERE seq >= ${from} AND ${where}
         ORDER BY seq LIMIT ${most}`
      )
      if (found.count < most) {
        fold.prints(found, found.count, raw)
        return fold.buckets
      }
      // a swap of a token for itself is two prints, which may have been parted
      const seqs = found.numbers("seq")
      from = seqs[found.count - 1] as number
      fold.prints(found, seqs.indexOf(from), raw)
    }
  })

/** Base buckets with prints that are not believed, with these: from prints. */
const withOutliers = (
  context: QueryContext,
  series: Series,
  width: number,
  versions: ResultColumns,
  most: number
) =>
  Effect.gen(function* () {
    const grid = { seconds: width, origin: 0 }
    const base = new BucketFold(grid, series.isWhole)
    base.versions(versions)
    const odd = base.buckets.filter(({ outliers }) => outliers > 0).map(({ t }) => t)
    const [first] = odd
    if (first === undefined) return new Map<number, Bucket>()
    const time = { from: first, to: (odd.at(-1) as number) + width }
    const where = `${bucketSql(grid, "ts")} IN (${odd.join(",")})`
    const found = yield* foldedPrints(context, series, grid, { time, where }, true, most)
    return new Map(found.map(bucket => [bucket.t, bucket]))
  })

/** The buckets of a window that have prints, oldest first. */
export const bucketsIn = (
  context: QueryContext,
  series: Series,
  frame: AnyFrame,
  window: Stretch,
  raw: boolean,
  most = READ_AT_ONCE
): Effect.Effect<ReadonlyArray<Bucket>, ReadError> =>
  Effect.gen(function* () {
    if (frame.base === null) {
      return (
        series.recalled(window, frame, raw) ??
        (yield* foldedPrints(context, series, frame, { time: window }, raw, most.prints))
      )
    }
    const base = series.baseOf(frame)
    const width = baseSeconds(base)
    const fold = new BucketFold(frame, series.isWhole)
    const stretch = width * most.buckets
    for (let { from } = window; from < window.to; from += stretch) {
      const to = Math.min(window.to, from + stretch)
      const found = yield* context.columns(series.versions(base, `t >= ${from} AND t < ${to}`))
      if (!raw) fold.versions(found)
      else {
        const instead = yield* withOutliers(context, series, width, found, most.prints)
        fold.versions(found, { instead })
      }
    }
    return fold.buckets
  })

/** The close of prints before a time that is no base bucket's start. */
const closeWithin = (context: QueryContext, series: Series, time: Stretch, raw: boolean) => {
  const grid = { seconds: time.to - time.from, origin: time.from }
  return Effect.map(
    foldedPrints(context, series, grid, { time }, raw, READ_PRINTS),
    ([bucket]) => bucket?.c ?? null
  )
}

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
    const kept = context.output(candlesOutput).kept
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
