/**
 * Prints and base buckets folded to the buckets of a frame: the one program that answers are made
 * with, whether what it folds is in memory or was read.
 */
import type { ResultColumns } from "../../engine/query.ts"
import { WholeSum } from "../../src/math/whole-sum.ts"
import { type AnyFrame, bucketStart } from "./time-frame.ts"

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

/** Where buckets begin, and how long they are. */
export type Grid = Pick<AnyFrame, "seconds" | "origin">

/** A print as one token sees it. */
export interface Print {
  readonly ts: number
  readonly isBuy: boolean
  readonly isOutlier: boolean
  /** micro-dollars that count; NaN where none do */
  readonly micro: number
  /** the price in what is asked; NaN where none counts */
  readonly price: number
  /** what was traded in what is asked, where a price counts */
  readonly volume: number
}

/** Sums that are read of base buckets. */
const SUMS = ["volume", "v", "bv", "trades", "buys", "outliers"] as const

interface VersionColumns {
  /** the sums that were read; others are 0 */
  readonly sums?: ReadonlyArray<(typeof SUMS)[number]>
  readonly hash?: boolean
  /** by start: buckets whose prices and dollars count in place of the base bucket's own */
  readonly instead?: ReadonlyMap<number, Bucket>
}

const WORD = 2 ** 32

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

/** A sum of doubles in the order they come. */
class Doubles {
  value = 0

  add(value: number): void {
    this.value += value
  }
}

/** A bucket as it is folded, from what comes first in it on. */
class Folding {
  readonly t: number
  private o = Number.NaN
  private h = Number.NaN
  private l = Number.NaN
  private c = Number.NaN
  n = 0
  trades = 0
  buys = 0
  outliers = 0
  readonly volume: WholeSum | Doubles
  readonly v = new WholeSum()
  readonly bv = new WholeSum()
  private hash: Bucket["hash"] = null

  constructor(t: number, isWhole: boolean) {
    this.t = t
    this.volume = isWhole ? new WholeSum() : new Doubles()
  }

  price(open: number, high: number, low: number, close: number): void {
    if (Number.isNaN(this.o)) this.o = open
    if (!(this.h >= high)) this.h = high
    if (!(this.l <= low)) this.l = low
    this.c = close
  }

  addHash(hi: number, lo: number): void {
    const { hash } = this
    this.hash = { hi: ((hash?.hi ?? 0) + hi) % WORD, lo: ((hash?.lo ?? 0) + lo) % WORD }
  }

  get value(): Bucket {
    const { t, n, trades, buys, outliers, hash } = this
    return {
      t,
      o: orNull(this.o),
      h: orNull(this.h),
      l: orNull(this.l),
      c: orNull(this.c),
      volume: this.volume.value,
      n,
      v: this.v.value,
      bv: this.bv.value,
      trades,
      buys,
      outliers,
      hash
    }
  }
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

/** The buckets of a frame, from what they are made of in the order of time. */
export class BucketFold {
  private readonly grid: Grid
  private readonly isWhole: boolean
  private readonly byStart = new Map<number, Folding>()
  private open: Folding | undefined

  /** `isWhole`: volumes are whole numbers. */
  constructor(grid: Grid, isWhole: boolean) {
    this.grid = grid
    this.isWhole = isWhole
  }

  private at(ts: number): Folding {
    const t = bucketStart(this.grid, ts)
    if (this.open?.t === t) return this.open
    const open = this.byStart.get(t) ?? new Folding(t, this.isWhole)
    this.byStart.set(t, open)
    this.open = open
    return open
  }

  print({ ts, isBuy, isOutlier, micro, price, volume }: Print): void {
    const bucket = this.at(ts)
    bucket.trades++
    if (isBuy) bucket.buys++
    if (isOutlier) bucket.outliers++
    if (!Number.isNaN(micro)) {
      bucket.v.add(micro)
      if (isBuy) bucket.bv.add(micro)
    }
    if (Number.isNaN(price)) return
    bucket.price(price, price, price, price)
    bucket.n++
    bucket.volume.add(volume)
  }

  /**
   * Prints of a series that were read: the rows before `end`, by position. What is not believed
   * counts where `raw` asks for it.
   */
  prints({ numbers }: ResultColumns, end: number, raw: boolean): void {
    const [ts, buy, usd, flags] = [numbers("ts"), numbers("buy"), numbers("usd"), numbers("flags")]
    const [dollars, price, volume] = [numbers("dollars"), numbers("price"), numbers("volume")]
    for (let row = 0; row < end; row++) {
      const isOutlier = ((flags[row] as number) & 1) === 1
      const counts = (value: number): boolean =>
        value > 0 && value < Number.POSITIVE_INFINITY && (raw || !isOutlier)
      const isPriced = counts(price[row] as number)
      this.print({
        ts: ts[row] as number,
        isBuy: buy[row] === 1,
        isOutlier,
        micro: counts(dollars[row] as number) ? (usd[row] as number) : Number.NaN,
        price: isPriced ? (price[row] as number) : Number.NaN,
        volume: volume[row] as number
      })
    }
  }

  /** A base bucket with prices, of `n` prints of `micro` micro-dollars. */
  base(
    t: number,
    prices: { o: number; h: number; l: number; c: number },
    micro: number,
    n: number
  ): void {
    const bucket = this.at(t)
    bucket.price(prices.o, prices.h, prices.l, prices.c)
    bucket.n += n
    bucket.v.add(micro)
  }

  /** Versions of base rows that were read, with `t`, `seq`, `bare`, prices and `n`. */
  versions(found: ResultColumns, { sums = SUMS, hash = true, instead }: VersionColumns = {}): void {
    const { numbers } = found
    const [t, n] = [numbers("t"), numbers("n")]
    const [o, h, l, c] = [numbers("o"), numbers("h"), numbers("l"), numbers("c")]
    const read = (name: (typeof SUMS)[number]) => (sums.includes(name) ? numbers(name) : null)
    const [volume, v, bv] = [read("volume"), read("v"), read("bv")]
    const [trades, buys, outliers] = [read("trades"), read("buys"), read("outliers")]
    const [hi, lo] = hash ? [numbers("hash_hi"), numbers("hash_lo")] : [null, null]
    let replaced: Bucket | undefined
    for (const row of newestOf(found)) {
      const bucket = this.at(t[row] as number)
      bucket.trades += trades?.[row] ?? 0
      bucket.buys += buys?.[row] ?? 0
      bucket.outliers += outliers?.[row] ?? 0
      if (hi !== null && lo !== null) bucket.addHash(hi[row] as number, lo[row] as number)
      const other = instead?.get(t[row] as number)
      if (other !== undefined) {
        // a base bucket may have two rows
        if (other !== replaced) this.dollars(bucket, other)
        replaced = other
        continue
      }
      if (!((n[row] as number) > 0)) continue
      bucket.price(o[row] as number, h[row] as number, l[row] as number, c[row] as number)
      bucket.n += n[row] as number
      bucket.volume.add(volume?.[row] ?? 0)
      bucket.v.add(v?.[row] ?? 0)
      bucket.bv.add(bv?.[row] ?? 0)
    }
  }

  private dollars(bucket: Folding, { o, h, l, c, n, volume, v, bv }: Bucket): void {
    if (o !== null && h !== null && l !== null && c !== null) bucket.price(o, h, l, c)
    bucket.n += n
    bucket.volume.add(volume)
    bucket.v.add(v)
    bucket.bv.add(bv)
  }

  /** What was folded, oldest first. */
  get buckets(): ReadonlyArray<Bucket> {
    return [...this.byStart.values()].sort((a, b) => a.t - b.t).map(({ value }) => value)
  }
}
