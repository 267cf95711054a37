/**
 * The newest candles of the tokens that trade, in memory, as of the newest commit: what most
 * readers ask for is answered without a word to the database. Knows what it does not hold, and
 * then says so.
 */
import type { Candle } from "./candle.ts"
import { CandleRing, candleAt } from "./candle-ring.ts"
import { RowPool } from "./row-pool.ts"
import { baseSeconds, bucketCeil, bucketStart, type TimeFrame, timeFrames } from "./time-frame.ts"

/** Rows that there is room for at most, of all tokens together, 56 bytes each. */
const MAX_ROWS = 1_800_000
/** What is left of them once the quietest tokens were forgotten. */
const LEFT = 0.85

/** A frame folded from the base: its closed buckets. */
interface Coarse {
  readonly frame: TimeFrame
  readonly closed: CandleRing
}

/**
 * The candles of one token from one base table. What a transaction writes waits beside them, and
 * joins them when it is next looked at after the commit: so a commit costs nothing here.
 */
class Series {
  readonly base: CandleRing
  readonly coarse: ReadonlyArray<Coarse>
  private readonly waiting: CandleRing
  /** the transaction that wrote what waits */
  private transaction = 0
  /** a reader wanted it since tokens were last forgotten */
  isAsked = false

  /** Holds every bucket from `from` on. */
  constructor(pool: RowPool, frames: ReadonlyArray<TimeFrame>, from: number) {
    this.base = new CandleRing(pool, from)
    this.waiting = new CandleRing(pool, 0)
    this.coarse = frames.map(frame => ({
      frame,
      closed: new CandleRing(pool, from === 0 ? 0 : bucketCeil(frame, from))
    }))
  }

  /** Takes a row of the open transaction: its newest bucket again, or a later one. */
  take(source: Float64Array, at: number, open: number): void {
    this.settle(open)
    this.transaction = open
    this.waiting.put(source, at)
  }

  /** Takes in what waits, where the transaction that wrote it is no longer the open one. */
  settle(open: number): this {
    const { waiting } = this
    if (waiting.isEmpty || this.transaction === open) return this
    // one transaction wrote more than is ever kept
    if (waiting.from > 0) this.startAt(waiting.from)
    waiting.drain(this.put)
    waiting.from = 0
    return this
  }

  /** Holds nothing before `from` any more. */
  private startAt(from: number): void {
    this.base.clear()
    this.base.from = from
    for (const { frame, closed } of this.coarse) {
      closed.clear()
      closed.from = bucketCeil(frame, from)
    }
  }

  get lastTime(): number {
    return this.waiting.lastTime ?? this.base.lastTime ?? 0
  }

  private readonly put = (source: Float64Array, at: number): void => {
    const last = this.base.lastTime
    const t = source[at] as number
    if (last !== null && t > last) {
      for (const { frame, closed } of this.coarse) {
        const bucket = bucketStart(frame, last)
        if (bucketStart(frame, t) === bucket || bucket < closed.from) continue
        const folded = this.base.fold(frame, bucket)
        if (folded !== null) closed.put(folded, 0)
      }
    }
    this.base.put(source, at)
  }

  clear(): void {
    this.base.clear()
    this.waiting.clear()
    for (const { closed } of this.coarse) closed.clear()
  }
}

/** The candles of all tokens from one base table. */
class Table {
  private readonly pool: RowPool
  private readonly width: number
  private readonly frames: ReadonlyArray<TimeFrame>
  private series: Array<Series | undefined> = []
  /** number of the open transaction */
  private open = 1

  constructor(pool: RowPool, base: TimeFrame["base"]) {
    this.pool = pool
    this.width = baseSeconds(base)
    this.frames = Object.values(timeFrames).filter(
      one => one.base === base && one.seconds !== this.width
    )
  }

  /** Takes a row of the open transaction. `isFirst`: the token has no older bucket. */
  take(token: number, isFirst: boolean, source: Float64Array, at: number): void {
    const known = this.series[token]
    const series = known ?? new Series(this.pool, this.frames, isFirst ? 0 : (source[at] as number))
    this.series[token] = series
    series.take(source, at, this.open)
  }

  commit(): void {
    this.open++
  }

  /** All tokens held. */
  tokens(): ReadonlyArray<Quiet> {
    return this.series.flatMap((one, token) =>
      one === undefined
        ? []
        : [{ table: this, token, isAsked: one.isAsked, until: one.lastTime + this.width }]
    )
  }

  forget(token: number): void {
    this.series[token]?.clear()
    this.series[token] = undefined
  }

  forgetAll(): void {
    for (const one of this.series) one?.clear()
    this.series = []
    this.open++
  }

  /** The readers so far do not count any more. */
  unask(): void {
    for (const one of this.series) if (one !== undefined) one.isAsked = false
  }

  of(token: number): Series | undefined {
    const series = this.series[token]
    if (series === undefined) return undefined
    series.isAsked = true
    return series.settle(this.open)
  }
}

/** A token that may be forgotten. */
interface Quiet {
  readonly table: Table
  readonly token: number
  readonly isAsked: boolean
  /** end of its newest bucket: so minutes go before hours, of which there are few */
  readonly until: number
}

export class RecentCandles {
  private readonly maxRows: number
  private readonly pool = new RowPool()
  private readonly tables = {
    candles_1m: new Table(this.pool, "candles_1m"),
    candles_1h: new Table(this.pool, "candles_1h")
  }

  constructor(maxRows = MAX_ROWS) {
    this.maxRows = maxRows
  }

  /**
   * Takes a row of the open transaction, `WIDTH` doubles: a token's newest bucket again, or a later
   * one. `isFirst`: the token never traded before it.
   */
  take(
    base: TimeFrame["base"],
    token: number,
    isFirst: boolean,
    source: Float64Array,
    at: number
  ): void {
    this.tables[base].take(token, isFirst, source, at)
  }

  /** What was taken since the last commit counts now. */
  commit(): void {
    const { candles_1m: minutes, candles_1h: hours } = this.tables
    minutes.commit()
    hours.commit()
    if (this.pool.rows > this.maxRows) this.forgetQuiet()
  }

  /** Forgets tokens that nobody asked for and that have not traded for longest, then others. */
  private forgetQuiet(): void {
    const tables = Object.values(this.tables)
    const tokens = tables
      .flatMap(one => one.tokens())
      .sort((a, b) => Number(a.isAsked) - Number(b.isAsked) || a.until - b.until)
    for (const { table, token } of tokens) {
      if (this.pool.rows <= this.maxRows * LEFT) break
      table.forget(token)
    }
    for (const one of tables) one.unask()
  }

  /** The tables were reloaded or rolled back. */
  forget(): void {
    this.tables.candles_1m.forgetAll()
    this.tables.candles_1h.forgetAll()
  }

  /** All candles of `[from, to)`, oldest first; null where memory does not hold them all. */
  between(frame: TimeFrame, token: number, from: number, to: number): Array<Candle> | null {
    const series = this.tables[frame.base].of(token)
    if (series === undefined) return null
    const { base } = series
    const coarse = series.coarse.find(one => one.frame === frame)
    const list: Array<Candle> = []
    if (coarse === undefined) {
      if (from < base.from) return null
      base.read(from, to, list)
      return list
    }
    if (from < coarse.closed.from) return null
    coarse.closed.read(from, to, list)
    const open = bucketStart(frame, base.lastTime ?? 0)
    if (open < from) return list
    const folded = base.fold(frame, open)
    if (folded !== null && open < to) list.push(candleAt(folded, 0))
    return list
  }

  /** The close of the newest bucket before `from`; undefined where memory does not hold it. */
  closeBefore(frame: TimeFrame, token: number, from: number): number | null | undefined {
    const base = this.tables[frame.base].of(token)?.base
    return base?.closeBefore(from)
  }
}
