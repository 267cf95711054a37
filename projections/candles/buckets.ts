/**
 * Reads the buckets of a series: from base tables, or from prints in memory or in the database.
 * How they are made of what was read is in `bucket.ts`.
 */

import { Effect } from "effect"
import { keep } from "../../engine/memory/kept.ts"
import { columnNames, pieceOf } from "../../engine/memory/refill.ts"
import type { ReadError, ResultColumns, RowsView } from "../../engine/query.ts"
import { numberOf, versions } from "../../engine/store/sql.ts"
import { partOf } from "../../engine/store/table.ts"
import type { Stretch } from "../../src/domain/covered-time.ts"
import { idsOf, TX_BYTES } from "../../src/domain/ids.ts"
import { SwapHash } from "../../src/math/swap-hash.ts"
import { tapeTable } from "../tape/tables.ts"
import {
  type Bucket,
  type BucketRows,
  Buckets,
  COUNTS,
  countsOf,
  DOLLARS,
  PLAIN,
  PrintBucket,
  pricesOf,
  RATIO
} from "./bucket.ts"
import {
  countWallets,
  drawOf,
  joined,
  type Traders,
  tradersFound,
  type Wallets
} from "./distinct-wallets.ts"
import { addPrints, PRINT_COLUMNS, printsFound } from "./prints.ts"
import type { Base, Series } from "./series.ts"
import { type AnyFrame, bucketSql, type Grid } from "./time-frame.ts"

/** How much is read at once: prints, and base buckets, as many as their time may hold. */
const READ_AT_ONCE = { prints: 100_000, buckets: 100_000 }

/** Which buckets are wanted. */
export interface Wanted {
  /** prices of what is not believed too */
  readonly raw?: boolean
  /** what a plain candle shows, and of buckets with a price only */
  readonly plain?: boolean
}

/** The buckets of a grid, from prints under a condition. */
const madeOfPrints = (
  view: RowsView,
  series: Series,
  grid: Grid,
  { time, where }: { readonly time: Stretch; readonly where?: string },
  raw: boolean,
  most = READ_AT_ONCE.prints
) =>
  Effect.gen(function* () {
    const buckets = new Buckets(grid, series.unit)
    const recent = where === undefined ? series.recent(time) : null
    const before = recent?.since ?? Number.POSITIVE_INFINITY
    const hasRatio = series.unit === "ratio"
    for (let from = 0; from < before; ) {
      const columns = yield* view.columns(
        `SELECT ${PRINT_COLUMNS} FROM (${series.prints(time, before)})
         WHERE seq >= ${from} AND ${where ?? true} ORDER BY seq LIMIT ${most}`
      )
      const prints = printsFound(columns, hasRatio)
      if (columns.count < most) {
        addPrints(buckets, prints, raw)
        break
      }
      // a swap of a token for itself is two prints, which may have been parted
      const seqs = columns.numbers("seq")
      from = seqs[columns.count - 1] as number
      addPrints(buckets, prints, raw, seqs.indexOf(from))
    }
    if (recent !== null) addPrints(buckets, recent.newest, raw)
    return buckets
  })

/** Versions of base rows, with `bare` by which rows of one time differ. */
const baseSql = (
  view: RowsView,
  { key, unit }: Series,
  { table, bare }: Base,
  range: string,
  plain: boolean
) => {
  const where = `${key} AND ${range}`
  const prices = unit === "ratio" ? [...DOLLARS, ...RATIO] : DOLLARS
  const columns = plain ? PLAIN : [...prices, ...COUNTS]
  const own = versions(
    view,
    table,
    plain ? `${where} AND n > 0` : where,
    `${columns.join(", ")}, t, seq, 0 AS bare`
  )
  if (plain || bare === null) return own
  const nothing = prices.map(() => "0").join(", ")
  return `${own} UNION ALL ${versions(view, bare, where, `${nothing}, ${COUNTS.join(", ")}, t, seq, 1`)}`
}

/** Of the versions of each row, by its time and whether it is `bare`, the newest; by time. */
const newestOf = ({ count, numbers }: ResultColumns): ReadonlyArray<number> => {
  const [times, bare, seqs] = [numbers("t"), numbers("bare"), numbers("seq")]
  const newest = new Map<number, number>()
  for (let row = 0; row < count; row++) {
    const key = (times[row] as number) * 2 + (bare[row] as number)
    const known = newest.get(key)
    if (known === undefined || (seqs[known] as number) < (seqs[row] as number)) newest.set(key, row)
  }
  return [...newest].sort(([a], [b]) => a - b).map(([, row]) => row)
}

/** Prices with outliers of the base buckets that have some: of all prints of theirs. */
const withOutliers = (
  view: RowsView,
  series: Series,
  seconds: number,
  starts: ReadonlyArray<number>,
  most: number
) => {
  const grid = { seconds, origin: 0 }
  const [first] = starts
  if (first === undefined) return Effect.succeed(new Buckets(grid, series.unit))
  const time = { from: first, to: (starts.at(-1) as number) + seconds }
  const where = `${bucketSql(grid, "ts")} IN (${starts.join(",")})`
  return madeOfPrints(view, series, grid, { time, where }, true, most)
}

const rowsOf = ({ numbers }: ResultColumns, { unit }: Series, plain: boolean): BucketRows => ({
  dollars: pricesOf(plain ? PLAIN : DOLLARS, numbers),
  ratio: unit === "ratio" ? pricesOf(RATIO, numbers) : undefined,
  counts: plain ? undefined : countsOf(numbers)
})

/** When the oldest row of a window begins; its end where no row does. */
const oldestIn = (view: RowsView, { key }: Series, base: Base, { from, to }: Stretch) => {
  const where = `${key} AND t >= ${from} AND t < ${to}`
  const all = [base.table, ...(base.bare === null ? [] : [base.bare])]
  const rows = all.map(one => versions(view, one, where, "t")).join(" UNION ALL ")
  const oldest = view.rows(`SELECT min(t) AS t FROM (${rows})`)
  return Effect.map(oldest, ([row]) => (row === undefined ? to : (numberOf(row, "t") ?? to)))
}

/** The buckets of a window that have prints, oldest first. */
export const bucketsIn = (
  view: RowsView,
  series: Series,
  frame: AnyFrame,
  window: Stretch,
  { raw = false, plain = false }: Wanted,
  most = READ_AT_ONCE
): Effect.Effect<ReadonlyArray<Bucket>, ReadError> =>
  Effect.gen(function* () {
    if (frame.base === null) {
      return (yield* madeOfPrints(view, series, frame, { time: window }, raw, most.prints)).list
    }
    const base = series.baseOf(frame)
    const buckets = new Buckets(frame, series.unit)
    const { rolledUp: seconds = frame.seconds } = base
    const into =
      seconds === frame.seconds ? buckets : new Buckets({ seconds, origin: 0 }, series.unit)
    const stretch = base.seconds * most.buckets
    const isLong = window.to - window.from > stretch
    const begin = isLong ? yield* oldestIn(view, series, base, window) : window.from
    for (let from = begin; from < window.to; from += stretch) {
      const range = `t >= ${from} AND t < ${Math.min(window.to, from + stretch)}`
      const columns = yield* view.columns(baseSql(view, series, base, range, plain))
      const rows = rowsOf(columns, series, plain)
      const newest = newestOf(columns)
      const t = columns.numbers("t")
      const odd = newest.filter(row => raw && (rows.counts?.outliers[row] as number) > 0)
      const starts = [...new Set(odd.map(row => t[row] as number))]
      const instead = yield* withOutliers(view, series, base.seconds, starts, most.prints)
      let replaced = Number.NaN
      for (const row of newest) {
        const start = t[row] as number
        into.addCounts(start, rows, row)
        const place = instead.placeOf(start)
        if (place === undefined) into.addPrices(start, rows, row)
        // a base bucket may have two rows
        else if (start !== replaced) into.addPrices(start, instead, place)
        if (place !== undefined) replaced = start
      }
    }
    if (into !== buckets) into.addTo(buckets)
    return buckets.list
  })

/** The close of prints before a time that is no base bucket's start. */
const closeWithin = (view: RowsView, series: Series, time: Stretch, raw: boolean) => {
  const grid = { seconds: time.to - time.from, origin: time.from }
  return Effect.map(
    madeOfPrints(view, series, grid, { time }, raw),
    ({ list: [bucket] }) => bucket?.c ?? null
  )
}

/** When a bucket begins that has a price, and its last one; null where that is not kept. */
interface Close {
  readonly t: number
  readonly c: number | null
}

/** The newest base bucket with a price that begins before a time; null where there is none. */
const newestPriced = (
  view: RowsView,
  series: Series,
  { table, seconds, rolledUp = seconds }: Base,
  end: number,
  raw: boolean
): Effect.Effect<Close | null, ReadError> =>
  Effect.gen(function* () {
    /** Whether parts of a bucket have outliers, which once they are rolled up nobody can part. */
    const isOddIn = ({ from, to }: Stretch) => {
      if (rolledUp === seconds) return Effect.succeed(false)
      const odd = `${series.key} AND t >= ${from} AND t < ${to} AND outliers > 0`
      const some = view.rows(`${versions(view, table, odd, "t")} LIMIT 1`)
      return Effect.map(some, rows => rows.length > 0)
    }
    const [close, count] = series.unit === "ratio" ? ["rc", "rn"] : ["c", "n"]
    const wanted = raw ? `(${count} > 0 OR outliers > 0)` : `${count} > 0`
    const where = `${series.key} AND t < ${end} AND ${wanted}`
    const [row] = yield* view.rows(
      `${versions(view, table, where, `t, ${close} AS c, outliers, seq`)} ORDER BY t DESC, seq DESC LIMIT 1`
    )
    if (row === undefined) return null
    const from = Number(row["t"])
    const t = from - (from % rolledUp)
    const time = { from: t, to: Math.min(t + rolledUp, end) }
    const isOdd = raw && (Number(row["outliers"]) > 0 || (yield* isOddIn(time)))
    return { t, c: isOdd ? yield* closeWithin(view, series, time, true) : numberOf(row, "c") }
  })

const HOURS = { base: "candles_1h" } as const

/**
 * The newest price before `from`, at or after which all is kept that the frame is made of, and when
 * its bucket begins; null where there is none. Of minutes that left the hours tell.
 */
export const closeBefore = (
  view: RowsView,
  series: Series,
  frame: AnyFrame,
  from: number,
  raw: boolean
) =>
  Effect.gen(function* () {
    const base = series.baseOf(frame)
    const end = frame.base === null ? from - (from % base.seconds) : from
    if (end < from) {
      const close = yield* closeWithin(view, series, { from: end, to: from }, raw)
      if (close !== null) return { t: end, c: close }
    }
    const { minutes } = view.keptFrom
    const newest =
      (yield* newestPriced(view, series, base, end, raw)) ??
      (frame.base === HOURS.base || minutes === 0
        ? null
        : yield* newestPriced(view, series, series.baseOf(HOURS), minutes, raw))
    return newest === null || newest.c === null ? null : { t: newest.t, c: newest.c }
  })

/** The buckets of a window, as they were read. */
export interface Page {
  readonly view: RowsView
  readonly series: Series
  readonly frame: AnyFrame
  readonly window: Stretch
  readonly buckets: ReadonlyArray<Bucket>
}

/** Prints of buckets, whether they have a price or not. */
export const tradesOf = (buckets: ReadonlyArray<Bucket>): number =>
  buckets.reduce((sum, { trades }) => sum + trades, 0)

/** Prints that wallets are counted of, or that a hash below a minute is made of, at most. */
export const MOST_PRINTS = 200_000
/** Of more prints wallets are counted of one in so many of them, at most. */
export const MOST_SAMPLED = 100

/** Wallets of a stretch's prints: of one wallet in `every`, each for so many. */
const countedWallets = (
  { view, series, frame }: Page,
  window: Stretch,
  every: number
): Effect.Effect<ReadonlyMap<number, Wallets>, ReadError> => {
  const draw = drawOf(every)
  const recent = series.recentTraders(window, draw)
  const counted = (traders: Traders): ReadonlyMap<number, Wallets> => {
    const byStart = countWallets(traders, frame)
    if (every === 1) return byStart
    const times = ({ buyers, sellers }: Wallets): Wallets => ({
      buyers: buyers * every,
      sellers: sellers * every
    })
    return new Map([...byStart].map(([t, wallets]) => [t, times(wallets)]))
  }
  if (recent?.since === 0) return Effect.succeed(counted(recent.newest))
  return Effect.map(view.columns(series.traders(window, draw, recent?.since)), prints => {
    const older = tradersFound(prints, draw)
    return counted(recent === null ? older : joined(older, recent.newest))
  })
}

/** Counts of buckets, by what names the swaps of each: whoever asks again need not read them. */
const keptWallets = keep(() => new Map<string, Wallets | undefined>())
/** some 200 bytes each */
const MOST_KEPT = 1 << 15

/**
 * Distinct wallets that bought and sold, by bucket. Where `every` is above 1 it is an estimate from
 * one in so many of them, drawn by their last word: the same in every answer. Of n
 * wallets its error is about sqrt((every - 1) / n).
 */
export const walletsIn = (
  page: Page,
  every = 1
): Effect.Effect<ReadonlyMap<number, Wallets>, ReadError> =>
  Effect.gen(function* () {
    const { view, series, frame, window, buckets } = page
    // buckets that are made of prints have no hash
    if (frame.base === null) return yield* countedWallets(page, window, every)
    const kept = view.kept(keptWallets)
    const named = buckets.map(({ t, hash }) => ({
      t,
      name: `${series.key} ${frame.seconds} ${every} ${t} ${hash.hi} ${hash.lo}`
    }))
    const byStart = new Map<number, Wallets>()
    const take = (t: number, wallets: Wallets | undefined): void => {
      if (wallets !== undefined) byStart.set(t, wallets)
    }
    const missing = named.filter(({ name }) => !kept.has(name))
    // before the read, while which others may have what is kept make room
    for (const { t, name } of named) take(t, kept.get(name))
    const [first, last] = [missing[0], missing.at(-1)]
    if (first !== undefined && last !== undefined) {
      const from = Math.max(window.from, first.t)
      const to = Math.min(window.to, last.t + frame.seconds)
      const counted = yield* countedWallets(page, { from, to }, every)
      for (const { t, name } of missing) {
        const wallets = counted.get(t)
        kept.set(name, wallets)
        take(t, wallets)
      }
    }
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break
      kept.delete(oldest)
    }
    return byStart
  })

/** What a swap's hash is made of, and its bucket. */
const hashedTable = partOf(tapeTable, ["block", "ts", "log_index", "tx"])

/** The hash of each of the buckets of a window; null where that takes too many prints to read. */
export const hashesIn = ({
  view,
  series,
  frame,
  window,
  buckets
}: Page): Effect.Effect<ReadonlyMap<number, Bucket["hash"]> | null, ReadError> => {
  const byStart = (all: ReadonlyArray<Bucket>) => new Map(all.map(({ t, hash }) => [t, hash]))
  if (frame.base !== null) return Effect.succeed(byStart(buckets))
  if (tradesOf(buckets) > MOST_PRINTS) return Effect.succeed(null)
  const sql = `SELECT ${columnNames(hashedTable)} FROM (${series.prints(window)})`
  return Effect.map(view.columns(sql), columns => {
    const { count, columns: c } = pieceOf(hashedTable, columns)
    const hashed = new Buckets(frame, series.unit)
    const print = new PrintBucket()
    const hash = new SwapHash()
    const { txBytes } = idsOf(view.chain)
    for (let row = 0; row < count; row++) {
      const end = (row + 1) * TX_BYTES
      hash.take(c.tx, end - txBytes, end, c.block[row] as number, c.log_index[row] as number)
      print.setHash(hash)
      hashed.addCounts(c.ts[row] as number, print, 0)
    }
    return byStart(hashed.list)
  })
}
