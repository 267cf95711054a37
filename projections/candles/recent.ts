/**
 * The newest candles of the tokens that trade, in memory, as of the newest commit: what most
 * readers ask for is answered without a word to the database. Knows what it does not hold, and
 * then says so.
 */
import type { Candle } from "./candle.ts"
import { CandleRing, WIDTH } from "./candle-ring.ts"
import { bucketCeil, bucketStart, type TimeFrame, timeFrames } from "./time-frame.ts"

/** Rows held of all tokens together from one base table at most, 56 bytes each. */
const MAX_ROWS = 1_200_000

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
  private waiting = new Float64Array(0)
  private count = 0
  /** the transaction that wrote what waits */
  private transaction = 0

  /** Holds every bucket from `from` on. */
  constructor(frames: ReadonlyArray<TimeFrame>, from: number) {
    this.base = new CandleRing(from)
    this.coarse = frames.map(frame => ({
      frame,
      closed: new CandleRing(from === 0 ? 0 : bucketCeil(frame, from))
    }))
  }

  /** Rows that there is room for. */
  get rows(): number {
    let rows = this.base.capacity + this.waiting.length / WIDTH
    for (const { closed } of this.coarse) rows += closed.capacity
    return rows
  }

  /** Place of a row of the open transaction to write: its newest bucket again, or a later one. */
  next(t: number, open: number): { readonly rows: Float64Array; readonly at: number } {
    this.settle(open)
    this.transaction = open
    const isNew = this.count === 0 || this.waiting[(this.count - 1) * WIDTH] !== t
    if (isNew) this.count++
    if (this.count * WIDTH > this.waiting.length) {
      const grown = new Float64Array(Math.max(1, (this.count - 1) * 2) * WIDTH)
      grown.set(this.waiting)
      this.waiting = grown
    }
    return { rows: this.waiting, at: (this.count - 1) * WIDTH }
  }

  /** Takes in what waits, where the transaction that wrote it is no longer the open one. */
  settle(open: number): this {
    if (this.count === 0 || this.transaction === open) return this
    for (let i = 0; i < this.count; i++) this.put(this.waiting, i * WIDTH)
    this.count = 0
    // what a backfill has left is too large to keep for every token
    if (this.waiting.length > 16 * WIDTH) this.waiting = new Float64Array(WIDTH)
    return this
  }

  private put(source: Float64Array, at: number): void {
    const last = this.base.lastTime
    const t = source[at] as number
    if (last !== null && t > last) {
      for (const { frame, closed } of this.coarse) {
        const bucket = bucketStart(frame, last)
        if (bucketStart(frame, t) === bucket || bucket < closed.from) continue
        this.base.foldInto(closed, frame, bucket)
      }
    }
    this.base.put(source, at)
  }
}

/** The candles of all tokens from one base table. */
class Table {
  private readonly frames: ReadonlyArray<TimeFrame>
  private series: Array<Series | undefined> = []
  /** number of the open transaction */
  private open = 1
  private rows = 0

  constructor(frames: ReadonlyArray<TimeFrame>) {
    this.frames = frames
  }

  /**
   * Place of a row of the open transaction to write; it counts once committed. `isFirst`: the token
   * has no older bucket.
   */
  next(
    token: number,
    t: number,
    isFirst: boolean
  ): { readonly rows: Float64Array; readonly at: number } {
    const known = this.series[token]
    const series = known ?? new Series(this.frames, isFirst ? 0 : t)
    const before = known === undefined ? 0 : known.rows
    this.series[token] = series
    const place = series.next(t, this.open)
    this.rows += series.rows - before
    return place
  }

  commit(): void {
    this.open++
    if (this.rows > MAX_ROWS) this.forgetQuiet()
  }

  /** Forgets the tokens that have not traded for longest, until a quarter of the room is free. */
  private forgetQuiet(): void {
    const times = new Float64Array(this.series.length).fill(Number.POSITIVE_INFINITY)
    this.series.forEach((one, token) => {
      if (one !== undefined) times[token] = one.base.lastTime ?? 0
    })
    const oldest = Uint32Array.from(times.keys()).sort(
      (a, b) => (times[a] as number) - (times[b] as number)
    )
    for (const token of oldest) {
      if (this.rows < MAX_ROWS * 0.75) return
      this.rows -= this.series[token]?.rows ?? 0
      this.series[token] = undefined
    }
  }

  forgetAll(): void {
    this.series = []
    this.rows = 0
    this.open++
  }

  of(token: number): Series | undefined {
    return this.series[token]?.settle(this.open)
  }
}

export class RecentCandles {
  private readonly tables = {
    candles_1m: new Table(coarseFrames("candles_1m")),
    candles_1h: new Table(coarseFrames("candles_1h"))
  }

  /**
   * Place of a row of the open transaction to write: a token's bucket at `t`. `isFirst`: the token
   * never traded before it.
   */
  next(
    base: TimeFrame["base"],
    token: number,
    t: number,
    isFirst: boolean
  ): { readonly rows: Float64Array; readonly at: number } {
    return this.tables[base].next(token, t, isFirst)
  }

  /** What was written since the last commit counts now. */
  commit(): void {
    this.tables.candles_1m.commit()
    this.tables.candles_1h.commit()
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
    const last = new CandleRing(open)
    base.foldInto(last, frame, open)
    last.read(from, to, list)
    return list
  }

  /** The close of the newest bucket before `from`; undefined where memory does not hold it. */
  closeBefore(frame: TimeFrame, token: number, from: number): number | null | undefined {
    const base = this.tables[frame.base].of(token)?.base
    return base?.closeBefore(from)
  }
}

/** The frames folded from a base table, without the base's own. */
function coarseFrames(base: TimeFrame["base"]): ReadonlyArray<TimeFrame> {
  const width = base === "candles_1m" ? 60 : 3600
  return Object.values(timeFrames).filter(one => one.base === base && one.seconds !== width)
}
