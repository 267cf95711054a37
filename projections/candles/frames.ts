/** Live candles: every bucket of each subscribed `token:tf` that changed. */
import { Effect } from "effect"
import type { FrameMaker } from "../../engine/projection.ts"
import type { QueryContext } from "../../engine/query.ts"
import { numberOf, versions } from "../../engine/store/sql.ts"
import { fromHex } from "../../src/domain/address.ts"
import { tokens } from "../tokens/output.ts"
import { bucketsIn } from "./buckets.ts"
import { type Candle, candlesOf } from "./candle.ts"
import { type Series, tokenSeries } from "./series.ts"
import { bucketSql, bucketStart, type TimeFrame, timeFrames } from "./time-frame.ts"

/** Buckets at one position at most that a resume gives; more is a new page of `/candles`. */
const MAX_AT_ONE_POSITION = 5000

interface Wanted {
  readonly key: string
  readonly address: string
  readonly tf: string
  readonly frame: TimeFrame
  readonly token: number
}

/** The keys of tokens and time frames that there are. */
const wantedOf = (context: QueryContext, keys: Iterable<string>): ReadonlyArray<Wanted> => {
  const { find } = context.output(tokens)
  return [...keys].flatMap(key => {
    const [address = "", tf = ""] = key.split(":")
    const frame = timeFrames[tf]
    const token = find(fromHex(address))
    return frame === undefined || token < 0 ? [] : [{ key, address, tf, frame, token }]
  })
}

/** The oldest minute that each token's candles changed in after `since`. */
const oldestChanges = (context: QueryContext, since: number, wanted: ReadonlyArray<Wanted>) => {
  const ids = [...new Set(wanted.map(({ token }) => token))].join(",")
  const where = `seq > ${since} AND token IN (${ids})`
  return context
    .rows(
      `SELECT token, min(t) AS t FROM (
         SELECT token, t FROM candles_1m_tail WHERE ${where}
         UNION ALL SELECT token, t FROM candles_1m WHERE ${where}) GROUP BY token`
    )
    .pipe(Effect.map(rows => new Map(rows.map(row => [Number(row["token"]), Number(row["t"])]))))
}

/** Buckets that changed after `since`, with the position of the newest commit that did. */
const changedSql = ({ key, baseOf }: Series, frame: TimeFrame, since: number, from = 0): string => `
  SELECT ${bucketSql(frame)} AS b, max(seq) AS seq
  FROM (${versions(baseOf(frame).table, `${key} AND t >= ${from} AND seq > ${since} AND n > 0`)})
  GROUP BY b`

/**
 * The candles that changed after `since`, as they are now, each with the position of the newest
 * commit that changed it; by position, then by time. None of them starts before `from`. At least
 * `limit` where there are so many: those of one position are never parted.
 */
const candlesChanged = (
  context: QueryContext,
  { frame, token }: Wanted,
  from: number,
  since: number,
  limit: number
) =>
  Effect.gen(function* () {
    const series = tokenSeries(context, token)
    const changed = yield* context.rows(
      `SELECT b, seq FROM (${changedSql(series, frame, since, from)})
       QUALIFY rank() OVER (ORDER BY seq) <= ${limit} ORDER BY seq, b`
    )
    const starts = changed.map(({ b }) => Number(b))
    if (starts.length === 0) return []
    const first = Math.max(from, Math.min(...starts))
    const window = { from: first, to: Math.max(...starts) + frame.seconds }
    const found = yield* bucketsIn(context, series, frame, window, { plain: true })
    const byStart = new Map(candlesOf(found).map(candle => [candle.t, candle]))
    return changed.map(({ b, seq }) => ({
      candle: byStart.get(Number(b)) as Candle,
      seq: Number(seq)
    }))
  })

/** The newest position after `since` at which more than `most` candles changed; null for none. */
const largestChange = (
  context: QueryContext,
  { frame, token }: Wanted,
  since: number,
  most: number
) =>
  context
    .rows(
      `SELECT max(seq) AS seq FROM (SELECT seq
         FROM (${changedSql(tokenSeries(context, token), frame, since)})
         GROUP BY seq HAVING count(*) > ${most})`
    )
    .pipe(Effect.map(rows => numberOf(rows[0] ?? {}, "seq")))

/** A frame says when its bucket changed, so that an undo voids it only where it must. */
const framesOf = (
  context: QueryContext,
  wanted: Wanted,
  oldest: number,
  since: number,
  limit: number
) =>
  candlesChanged(context, wanted, bucketStart(wanted.frame, oldest), since, limit).pipe(
    Effect.map(found =>
      found.map(({ candle, seq }) => ({
        key: wanted.key,
        seq,
        body: JSON.stringify({
          type: "candle",
          channel: "candles",
          chain: context.chain.id,
          token: wanted.address,
          tf: wanted.tf,
          seq,
          at: context.blockTime,
          candle
        })
      }))
    )
  )

export const candleFrames: FrameMaker = {
  channel: "candles",
  frames: (context, since, keys, limit) =>
    Effect.gen(function* () {
      const wanted = wantedOf(context, keys)
      if (wanted.length === 0) return []
      const changes = yield* oldestChanges(context, since, wanted)
      const frames = yield* Effect.forEach(wanted, one => {
        const oldest = changes.get(one.token)
        return oldest === undefined
          ? Effect.succeed([])
          : framesOf(context, one, oldest, since, limit)
      })
      return frames.flat()
    }),
  oldest: (context, since, key) =>
    Effect.forEach(wantedOf(context, [key]), wanted =>
      largestChange(context, wanted, since, MAX_AT_ONE_POSITION)
    ).pipe(Effect.map(([position]) => position ?? since))
}
