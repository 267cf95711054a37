/**
 * Live candles: every bucket of each subscribed `token:tf` that changed. After a rollback that are
 * all that a reader may have had to drop: one that he has by a position after the fork may stand as
 * it did at a commit before the fork, of which he was told nothing or has nothing left.
 */
import { Effect } from "effect"
import type { FrameMaker } from "../../engine/projection.ts"
import type { QueryContext, Row } from "../../engine/query.ts"
import { numberOf, versions } from "../../engine/store/sql.ts"
import { type Undone, undoneAfter } from "../../engine/store/undone.ts"
import { fromHex } from "../../src/domain/address.ts"
import { tokens } from "../tokens/output.ts"
import { bucketsIn } from "./buckets.ts"
import { type Candle, candlesOf } from "./candle.ts"
import { keptOf } from "./kept-from.ts"
import { type Series, tokenSeries } from "./series.ts"
import { hourCandlesTable, minuteCandlesTable } from "./tables.ts"
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

/** By a frame's base: its table. */
const baseTables = { candles_1m: minuteCandlesTable, candles_1h: hourCandlesTable } as const

/** The oldest base bucket of each token that changed after `since`, by frame's base and token. */
const oldestChanges = (context: QueryContext, since: number, wanted: ReadonlyArray<Wanted>) => {
  const bases = [...new Set(wanted.map(({ frame }) => frame.base))]
  const selects = bases.map(base => {
    const mine = wanted.filter(({ frame }) => frame.base === base).map(({ token }) => token)
    const where = `seq > ${since} AND token IN (${[...new Set(mine)].join(",")})`
    return `SELECT '${base}' AS base, token, min(t) AS t
      FROM (${versions(baseTables[base], where, "token, t")}) GROUP BY token`
  })
  return context
    .rows(selects.join(" UNION ALL "))
    .pipe(Effect.map(rows => new Map(rows.map(row => [changeKey(row), Number(row["t"])]))))
}

const changeKey = ({ base, token }: Row): string => `${base} ${token}`

/** What is asked for: what changed after a position, none of it before a time. */
interface Changes {
  readonly since: number
  /** Unix seconds, a bucket's start */
  readonly from: number
  /** what rollbacks after `since` took back */
  readonly undone: ReadonlyArray<Undone>
}

/**
 * Buckets that changed after a position, with the position of the newest commit that did: of what
 * was taken back the commit after which it stands again.
 */
const changedSql = (
  { key, baseOf }: Series,
  frame: TimeFrame,
  { since, from, undone }: Changes
): string => {
  const lost = undone.map(one => ({ from: bucketStart(frame, one.since), seq: one.seq }))
  const isNew = [`seq > ${since}`, ...lost.map(one => `t >= ${one.from}`)].join(" OR ")
  const again = lost.map(one => `, CASE WHEN t >= ${one.from} THEN ${one.seq} ELSE 0 END`)
  const where = `${key} AND t >= ${from} AND (${isNew}) AND n > 0`
  return `SELECT ${bucketSql(frame)} AS b, max(greatest(seq${again.join("")})) AS seq
    FROM (${versions(baseOf(frame).table, where, "t, seq")}) GROUP BY b`
}

/**
 * The candles that changed, as they are now, each with the position of the newest commit that
 * changed it; by position, then by time. At least `limit` where there are so many: those of one
 * position are never parted.
 */
const candlesChanged = (
  context: QueryContext,
  { frame, token }: Wanted,
  changes: Changes,
  limit: number
) =>
  Effect.gen(function* () {
    const series = tokenSeries(context, token)
    const changed = yield* context.rows(
      `SELECT b, seq FROM (${changedSql(series, frame, changes)}) WHERE seq > ${changes.since}
       QUALIFY rank() OVER (ORDER BY seq) <= ${limit} ORDER BY seq, b`
    )
    const starts = changed.map(({ b }) => Number(b))
    if (starts.length === 0) return []
    const first = Math.max(changes.from, Math.min(...starts))
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
         FROM (${changedSql(tokenSeries(context, token), frame, { since, from: 0, undone: [] })})
         GROUP BY seq HAVING count(*) > ${most})`
    )
    .pipe(Effect.map(rows => numberOf(rows[0] ?? {}, "seq")))

/**
 * The newest position at which a bucket may have changed whose minutes left; null for none. Hours
 * tell of it: the last minute of one changes with it.
 */
const newestLeft = (context: QueryContext, { frame, token }: Wanted) => {
  const kept = keptOf(context, frame)
  if (kept === 0) return Effect.succeed(null)
  const before = versions(hourCandlesTable, `token = ${token} AND t < ${kept}`, "seq")
  return context
    .rows(`SELECT max(seq) AS seq FROM (${before})`)
    .pipe(Effect.map(rows => numberOf(rows[0] ?? {}, "seq")))
}

/** A frame says when its bucket changed, so that an undo voids it only where it must. */
const framesOf = (context: QueryContext, wanted: Wanted, changes: Changes, limit: number) =>
  candlesChanged(context, wanted, changes, limit).pipe(
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
  frames: (context, { since, keys, limit }) =>
    Effect.gen(function* () {
      const wanted = wantedOf(context, keys)
      if (wanted.length === 0) return []
      const undone = yield* undoneAfter(context.rows, since)
      const changed = yield* oldestChanges(context, since, wanted)
      const lost = undone.at(-1)?.since ?? Number.POSITIVE_INFINITY
      const frames = yield* Effect.forEach(wanted, one => {
        const key = changeKey({ base: one.frame.base, token: one.token })
        const oldest = Math.min(changed.get(key) ?? Number.POSITIVE_INFINITY, lost)
        if (oldest === Number.POSITIVE_INFINITY) return Effect.succeed([])
        const from = bucketStart(one.frame, oldest)
        return framesOf(context, one, { since, from, undone }, limit)
      })
      return frames.flat()
    }),
  oldest: (context, since, key) =>
    Effect.gen(function* () {
      const [wanted] = wantedOf(context, [key])
      if (wanted === undefined) return since
      const large = yield* largestChange(context, wanted, since, MAX_AT_ONE_POSITION)
      return Math.max(large ?? since, (yield* newestLeft(context, wanted)) ?? since)
    })
}
