/** Reads of candles: one window of one token (spec 4.5). */
import { Effect } from "effect"
import { type QueryContext, rowsQuery } from "../../engine/query.ts"
import { numberOf, versions } from "../../engine/store/sql.ts"
import { printsOf } from "../tape/output.ts"
import { tokens } from "../tokens/output.ts"
import { requireToken, unknownToken } from "../tokens/queries.ts"
import { READ_AT_ONCE } from "./buckets.ts"
import type { Candle } from "./candle.ts"
import { candlesOfCopies } from "./copied-candles.ts"
import { readCoverage, unknownIn } from "./coverage.ts"
import { carried, fillBuckets } from "./fill.ts"
import { BucketFold } from "./fold.ts"
import { baseSeconds, bucketSql, type TimeFrame, timeFrames } from "./time-frame.ts"
import { type CandlesParams, candlesAnswer, refuseReversed, windowAsked } from "./window.ts"

const VERSION_COLUMNS = "t, o, h, l, c, v, n, seq, 0 AS bare"

/** Candles of `[from, to)`, oldest first. */
const candlesBetween = (
  context: QueryContext,
  frame: TimeFrame,
  token: number,
  from: number,
  to: number
) =>
  Effect.gen(function* () {
    const fold = new BucketFold(frame, true)
    const stretch = baseSeconds(frame.base) * READ_AT_ONCE.buckets
    for (let start = from; start < to; start += stretch) {
      const end = Math.min(to, start + stretch)
      const where = `token = ${token} AND t >= ${start} AND t < ${end} AND n > 0`
      const found = yield* context.columns(versions(frame.base, where, VERSION_COLUMNS))
      fold.versions(found, { sums: ["v"], hash: false })
    }
    return fold.buckets.map(
      ({ t, o, h, l, c, v, n }) => ({ t, o, h, l, c, v: v / 1e6, n }) as Candle
    )
  })

/** Buckets that changed after `since`, with the position of the newest commit that did. */
const changedSql = (frame: TimeFrame, token: number, since: number, from = 0): string => `
  SELECT ${bucketSql(frame)} AS b, max(seq) AS seq
  FROM (${versions(
    frame.base,
    `token = ${token} AND t >= ${from} AND seq > ${since} AND n > 0`
  )}) GROUP BY b`

/**
 * The candles that changed after `since`, as they are now, each with the position of the newest
 * commit that changed it; by position, then by time. None of them starts before `from`. At least
 * `limit` where there are so many: those of one position are never parted.
 */
export const candlesChanged = (
  context: QueryContext,
  frame: TimeFrame,
  token: number,
  from: number,
  since: number,
  limit: number
) =>
  Effect.gen(function* () {
    const changed = yield* context.rows(
      `SELECT b, seq FROM (${changedSql(frame, token, since, from)})
       QUALIFY rank() OVER (ORDER BY seq) <= ${limit} ORDER BY seq, b`
    )
    const starts = changed.map(({ b }) => Number(b))
    if (starts.length === 0) return []
    const first = Math.max(from, Math.min(...starts))
    const end = Math.max(...starts) + frame.seconds
    const found = yield* candlesBetween(context, frame, token, first, end)
    const byStart = new Map(found.map(candle => [candle.t, candle]))
    return changed.map(({ b, seq }) => ({
      candle: byStart.get(Number(b)) as Candle,
      seq: Number(seq)
    }))
  })

/** The newest position after `since` at which more than `most` candles changed; null for none. */
export const largestChange = (
  context: QueryContext,
  frame: TimeFrame,
  token: number,
  since: number,
  most: number
) =>
  context
    .rows(
      `SELECT max(seq) AS seq FROM (
         SELECT seq FROM (${changedSql(frame, token, since)}) GROUP BY seq HAVING count(*) > ${most})`
    )
    .pipe(Effect.map(rows => numberOf(rows[0] ?? {}, "seq")))

/** The newest bucket with a price before `from`; null where the token had not traded. */
const closeBefore = (context: QueryContext, frame: TimeFrame, token: number, from: number) =>
  context
    .rows(
      `SELECT t, c FROM (${versions(frame.base, `token = ${token} AND t < ${from} AND n > 0`)})
       ORDER BY t DESC, seq DESC LIMIT 1`
    )
    .pipe(
      Effect.map(([row]) =>
        row === undefined ? null : { t: Number(row["t"]), c: Number(row["c"]) }
      )
    )

/** Of a token without any print nothing is known. */
export const refuseUntraded = (context: QueryContext, token: number, address: string) =>
  printsOf(context, token) === 0 ? Effect.fail(unknownToken(context, address)) : Effect.void

const UNSCALED =
  "the token has told no decimals: its trades have no price a token, and there are no candles " +
  "without one; its trades are listed"

/** What is said of a token that trades, and has no candles. */
export const candleWarnings = (
  context: QueryContext,
  token: number
): { readonly warnings?: ReadonlyArray<string> } =>
  Number.isNaN(context.output(tokens).scale(token)) ? { warnings: [UNSCALED] } : {}

const fromRows = (context: QueryContext, params: CandlesParams) =>
  Effect.gen(function* () {
    const { token: address } = params
    const frame = timeFrames[params.tf] as TimeFrame
    const token = yield* requireToken(context, address)
    yield* refuseReversed(params)
    const window = windowAsked(context, params)
    const { from, to, openEnd } = window
    let list: ReadonlyArray<Candle> = yield* candlesBetween(context, frame, token, from, to)
    if (list.length === 0) yield* refuseUntraded(context, token, address)
    const warned = candleWarnings(context, token)
    const isFilled = params.fill && warned.warnings === undefined
    if (!isFilled) return { ...candlesAnswer(context, params, window, list), ...warned }
    const previous = yield* closeBefore(context, frame, token, from)
    const coverage = yield* readCoverage(context, previous?.t ?? from)
    const span = { from, to: Math.min(to, openEnd) }
    list = fillBuckets(list, frame, span, carried(previous, from, coverage), coverage)
    return candlesAnswer(context, params, window, list, unknownIn(coverage, span))
  })

export const candlesQuery = rowsQuery("candles", fromRows, candlesOfCopies)
