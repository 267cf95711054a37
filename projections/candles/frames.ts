/**
 * Live candles: every bucket of each subscribed token or pool that changed. After a rollback that
 * are all that a reader may have had to drop: one that he has by a position after the fork may
 * stand as it did at a commit before the fork, of which he was told nothing or has nothing left.
 */
import { Effect } from "effect"
import type { FrameMaker } from "../../engine/frames.ts"
import type { Row, RowsView } from "../../engine/query.ts"
import { numberOf, versions } from "../../engine/store/sql.ts"
import type { TableDef } from "../../engine/store/table.ts"
import { type Undone, undoneAfter } from "../../engine/store/undone.ts"
import { idBytes } from "../../src/domain/ids.ts"
import { shownChain } from "../../src/domain/shown-chain.ts"
import { tokens } from "../tokens/output.ts"
import { bucketsIn } from "./buckets.ts"
import { type Candle, candlesOf } from "./candle.ts"
import { type CandleTopic, candleNames, candleTopicOf } from "./candle-topic.ts"
import { pairSeries, type Series, tokenSeries } from "./series.ts"
import { pairOf } from "./subject.ts"
import { bucketSql, bucketStart, type TimeFrame, timeFrames } from "./time-frame.ts"
import { keptOf } from "./window.ts"

/** Buckets at one position at most that a resume gives; more is a new page of `/candles`. */
const MAX_AT_ONE_POSITION = 5000

interface Wanted {
  readonly key: string
  /** what its frames name */
  readonly named: ReturnType<typeof candleNames>
  readonly frame: TimeFrame
  readonly series: Series
}

/** The series of a known token, or in dollars that of a known pool which prices the token. */
const seriesOf = (view: RowsView, { token, pool }: CandleTopic): Series | null => {
  if (pool === null) {
    const id = token === null ? -1 : view.output(tokens).find(idBytes(token))
    return id < 0 ? null : tokenSeries(view, id)
  }
  const pair = pairOf(view, pool, token)
  return pair === undefined ? null : pairSeries(view, pair, "dollars")
}

/** The series of keys that there are. */
const wantedOf = (view: RowsView, keys: Iterable<string>): ReadonlyArray<Wanted> =>
  [...keys].flatMap(key => {
    const topic = candleTopicOf(key)
    const frame = timeFrames[topic.tf]
    const series = frame === undefined ? null : seriesOf(view, topic)
    if (frame === undefined || series === null) return []
    return [{ key, named: candleNames(topic), frame, series }]
  })

/** Tells series and base tables apart. */
const changeKey = ({ series, frame }: Wanted): string =>
  `${series.baseOf(frame).table.name} ${series.slot}`

/** The oldest base bucket of each series that changed after `since`, by `changeKey`. */
const oldestChanges = (view: RowsView, since: number, wanted: ReadonlyArray<Wanted>) => {
  const byTable = new Map<TableDef, ReadonlyArray<Wanted>>()
  for (const one of wanted) {
    const { table } = one.series.baseOf(one.frame)
    byTable.set(table, [...(byTable.get(table) ?? []), one])
  }
  const selects = [...byTable].map(([table, mine]) => {
    const column = mine[0]?.series.column ?? "token"
    const ids = new Set(mine.map(({ series }) => series.slot))
    const where = `seq > ${since} AND ${column} IN (${[...ids].join(",")})`
    return `SELECT '${table.name}' AS base, ${column} AS slot, min(t) AS t
      FROM (${versions(view, table, where, `${column}, t`)}) GROUP BY slot`
  })
  const keyOf = (row: Row): string => `${row["base"]} ${row["slot"]}`
  return view
    .rows(selects.join(" UNION ALL "))
    .pipe(Effect.map(rows => new Map(rows.map(row => [keyOf(row), Number(row["t"])]))))
}

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
  view: RowsView,
  { key, baseOf }: Series,
  frame: TimeFrame,
  { since, from, undone }: Changes
): string => {
  const lost = undone.map(one => ({ from: bucketStart(frame, one.since), seq: one.seq }))
  const isNew = [`seq > ${since}`, ...lost.map(one => `t >= ${one.from}`)].join(" OR ")
  const again = lost.map(one => `, CASE WHEN t >= ${one.from} THEN ${one.seq} ELSE 0 END`)
  const where = `${key} AND t >= ${from} AND (${isNew}) AND n > 0`
  return `SELECT ${bucketSql(frame)} AS b, max(greatest(seq${again.join("")})) AS seq
    FROM (${versions(view, baseOf(frame).table, where, "t, seq")}) GROUP BY b`
}

/**
 * Frames of the candles that changed, as they are now, each with the position of the newest commit
 * that changed it, so that an undo voids it only where it must; by position, then by time. At least
 * `limit` where there are so many: those of one position are never parted.
 */
const framesOf = (
  view: RowsView,
  { key, named, frame, series }: Wanted,
  changes: Changes,
  limit: number
) =>
  Effect.gen(function* () {
    const changed = yield* view.rows(
      `SELECT b, seq FROM (${changedSql(view, series, frame, changes)}) WHERE seq > ${changes.since}
       QUALIFY rank() OVER (ORDER BY seq) <= ${limit} ORDER BY seq, b`
    )
    const starts = changed.map(({ b }) => Number(b))
    if (starts.length === 0) return []
    const first = Math.max(changes.from, Math.min(...starts))
    const window = { from: first, to: Math.max(...starts) + frame.seconds }
    const buckets = yield* bucketsIn(view, series, frame, window, { plain: true })
    const byStart = new Map(candlesOf(buckets).map(candle => [candle.t, candle]))
    const about = { type: "candle", channel: "candles", chain: shownChain(view.chain), ...named }
    return changed.map(row => {
      const seq = Number(row["seq"])
      const candle = byStart.get(Number(row["b"])) as Candle
      return { key, seq, body: JSON.stringify({ ...about, seq, at: view.blockTime, candle }) }
    })
  })

/** The newest position after `since` at which more than `most` candles changed; null for none. */
const largestChange = (view: RowsView, { frame, series }: Wanted, since: number, most: number) =>
  view
    .rows(
      `SELECT max(seq) AS seq FROM (SELECT seq
         FROM (${changedSql(view, series, frame, { since, from: 0, undone: [] })})
         GROUP BY seq HAVING count(*) > ${most})`
    )
    .pipe(Effect.map(rows => numberOf(rows[0] ?? {}, "seq")))

/**
 * The newest position at which a bucket may have changed whose minutes left; null for none. Hours
 * tell of it: the last minute of one changes with it.
 */
const newestLeft = (view: RowsView, { frame, series }: Wanted) => {
  const kept = keptOf(view, frame)
  if (kept === 0) return Effect.succeed(null)
  const { table } = series.baseOf({ base: "candles_1h" })
  const before = versions(view, table, `${series.key} AND t < ${kept}`, "seq")
  return view
    .rows(`SELECT max(seq) AS seq FROM (${before})`)
    .pipe(Effect.map(rows => numberOf(rows[0] ?? {}, "seq")))
}

export const candleFrames: FrameMaker = {
  channel: "candles",
  named: key => candleNames(candleTopicOf(key)),
  frames: (view, { since, keys, limit }) =>
    Effect.gen(function* () {
      const wanted = wantedOf(view, keys)
      if (wanted.length === 0) return []
      const undone = yield* undoneAfter(view.rows, since)
      const changed = yield* oldestChanges(view, since, wanted)
      const lost = undone.at(-1)?.since ?? Number.POSITIVE_INFINITY
      const frames = yield* Effect.forEach(wanted, one => {
        const oldest = Math.min(changed.get(changeKey(one)) ?? Number.POSITIVE_INFINITY, lost)
        if (oldest === Number.POSITIVE_INFINITY) return Effect.succeed([])
        const from = bucketStart(one.frame, oldest)
        return framesOf(view, one, { since, from, undone }, limit)
      })
      return frames.flat()
    }),
  oldest: (view, since, key) =>
    Effect.gen(function* () {
      const [wanted] = wantedOf(view, [key])
      if (wanted === undefined) return since
      const large = yield* largestChange(view, wanted, since, MAX_AT_ONE_POSITION)
      return Math.max(large ?? since, (yield* newestLeft(view, wanted)) ?? since)
    })
}
