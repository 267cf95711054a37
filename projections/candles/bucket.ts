/**
 * What a candle's bucket is made of, and the one way to make it. A print is a bucket of one print;
 * buckets are added in the order of the log. The fold, wider frames, frames below a minute, proofs,
 * live frames and the serving thread all do it here, whatever their rows were read from.
 *
 * Sums of micro-dollars are whole numbers in doubles: exact up to 2^53, nine billion dollars a
 * bucket, and rounded beyond it, always alike since rows are added in one order.
 */
import { bucketStart, type Grid } from "./time-frame.ts"

/** Of the prints that have a price in dollars and are believed. Prices: null where none does. */
export const dollarColumns = {
  /** the first price */
  o: { type: "f64", nullable: true },
  /** the highest */
  h: { type: "f64", nullable: true },
  /** the lowest */
  l: { type: "f64", nullable: true },
  /** the last */
  c: { type: "f64", nullable: true },
  /** the sum of micro-dollars */
  v: { type: "i64" },
  /** how many prints */
  n: { type: "u32" },
  /** the sum of micro-dollars of those that bought the token */
  bv: { type: "i64" }
} as const

/** Of a pair, likewise, of the prints that have a ratio: whole quote tokens a whole base token. */
export const ratioColumns = {
  ro: { type: "f64", nullable: true },
  rh: { type: "f64", nullable: true },
  rl: { type: "f64", nullable: true },
  rc: { type: "f64", nullable: true },
  /** the sum of whole quote tokens */
  rv: { type: "f64" },
  rn: { type: "u32" }
} as const

/** Of all prints, whether they have a price or not: sums. */
export const countColumns = {
  trades: { type: "u32" },
  /** those that bought the token */
  buys: { type: "u32" },
  /** those that are not believed, and in no price, volume or `n` */
  outliers: { type: "u32" },
  /** the hashes of the swaps, two words each by itself: see `swap-hash.ts` */
  hash_hi: { type: "u32" },
  hash_lo: { type: "u32" }
} as const

export const DOLLARS = Object.keys(dollarColumns)
export const RATIO = Object.keys(ratioColumns)
export const COUNTS = Object.keys(countColumns)
/** What a plain candle shows. */
export const PLAIN = DOLLARS.slice(0, 6)

type Numbers = Float64Array | Uint32Array

/** Finds the numbers of a column, a bucket at each place. */
export type ColumnOf = (name: string) => Numbers

/** Prices of buckets by place, of the columns `DOLLARS`, `PLAIN` or `RATIO`. */
export const pricesOf = (names: ReadonlyArray<string>, column: ColumnOf) => {
  const [o, h, l, c, v, n, bv] = names.map(column) as [
    ...[Numbers, Numbers, Numbers, Numbers, Numbers, Numbers, Numbers?]
  ]
  // always one shape of object, which is fast to read
  return { o, h, l, c, v, n, bv }
}

export type Prices = ReturnType<typeof pricesOf>

/** Counts of buckets by place. */
export const countsOf = (column: ColumnOf) => {
  const [trades, buys, outliers, hi, lo] = COUNTS.map(column) as [
    ...[Numbers, Numbers, Numbers, Numbers, Numbers]
  ]
  return { trades, buys, outliers, hi, lo }
}

export type Counts = ReturnType<typeof countsOf>

/** Buckets by place, as far as they are told. */
export interface BucketRows {
  readonly dollars: Prices
  readonly ratio?: Prices | undefined
  readonly counts?: Counts | undefined
}

const add = (to: Numbers, place: number, from: Numbers, at: number): void => {
  to[place] = (to[place] as number) + (from[at] as number)
}

/** Adds the prices of a bucket to those of one that ends before it. */
export const addPrices = (to: Prices, place: number, from: Prices, at: number): void => {
  if (!((from.n[at] as number) > 0)) return
  const high = from.h[at] as number
  const low = from.l[at] as number
  if (to.n[place] === 0) {
    to.o[place] = from.o[at] as number
    to.h[place] = high
    to.l[place] = low
  } else {
    if (high > (to.h[place] as number)) to.h[place] = high
    if (low < (to.l[place] as number)) to.l[place] = low
  }
  to.c[place] = from.c[at] as number
  add(to.v, place, from.v, at)
  add(to.n, place, from.n, at)
  if (to.bv !== undefined && from.bv !== undefined) add(to.bv, place, from.bv, at)
}

/** Adds the counts of a bucket to those of another. Tables keep the low words of hashes. */
export const addCounts = (to: Counts, place: number, from: Counts, at: number): void => {
  add(to.trades, place, from.trades, at)
  add(to.buys, place, from.buys, at)
  add(to.outliers, place, from.outliers, at)
  add(to.hi, place, from.hi, at)
  add(to.lo, place, from.lo, at)
}

const setPrice = (to: Prices, price: number, volume: number): void => {
  const counts = price > 0 && price < Number.POSITIVE_INFINITY
  to.o[0] = price
  to.h[0] = price
  to.l[0] = price
  to.c[0] = price
  to.v[0] = volume
  to.n[0] = counts ? 1 : 0
}

const NAMES = [...DOLLARS, ...RATIO, ...COUNTS]

/** Columns for so many buckets in one piece of memory: to make many small arrays is slow. */
const columnsFor = (capacity: number): ColumnOf => {
  const memory = new Float64Array(NAMES.length * capacity)
  return name => {
    const from = NAMES.indexOf(name) * capacity
    return memory.subarray(from, from + capacity)
  }
}

/** One print after another as a bucket, at place 0. */
export class PrintBucket implements BucketRows {
  private readonly column = columnsFor(1)
  readonly dollars = pricesOf(DOLLARS, this.column)
  readonly ratio = pricesOf(RATIO, this.column)
  readonly counts = countsOf(this.column)

  constructor() {
    this.counts.trades[0] = 1
  }

  /** Takes which side a print is of, and whether it is believed: any number but 0 says no. */
  setSide(isBuy: number, isOutlier: number): void {
    this.counts.buys[0] = isBuy
    this.counts.outliers[0] = isOutlier === 0 ? 0 : 1
  }

  setHash({ hi, lo }: { readonly hi: number; readonly lo: number }): void {
    this.counts.hi[0] = hi
    this.counts.lo[0] = lo
  }

  /** Takes dollars a whole token, and micro-dollars; only a positive price counts. */
  setDollars(price: number, micro: number): void {
    setPrice(this.dollars, price, micro)
    const { bv } = this.dollars
    if (bv !== undefined) bv[0] = this.counts.buys[0] === 1 ? micro : 0
  }

  /** Takes quote tokens a base token, and quote tokens, likewise. */
  setRatio(price: number, quoteAmount: number): void {
    setPrice(this.ratio, price, quoteAmount)
  }
}

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
  readonly hash: { readonly hi: number; readonly lo: number }
}

/** The buckets of a grid, from rows in the order of the log. */
export class Buckets implements BucketRows {
  private readonly grid: Grid
  private readonly asked: "dollars" | "ratio"
  private readonly places = new Map<number, number>()
  private capacity = 512
  private column = columnsFor(this.capacity)
  private openStart = Number.NaN
  private openPlace = 0
  dollars!: Prices
  ratio!: Prices
  counts!: Counts

  /** `asked`: whose prices the buckets show. */
  constructor(grid: Grid, asked: "dollars" | "ratio") {
    this.grid = grid
    this.asked = asked
    this.look()
  }

  private look(): void {
    this.dollars = pricesOf(DOLLARS, this.column)
    this.ratio = pricesOf(RATIO, this.column)
    this.counts = countsOf(this.column)
  }

  private grow(): void {
    const { column } = this
    this.capacity *= 2
    this.column = columnsFor(this.capacity)
    for (const name of NAMES) this.column(name).set(column(name))
    this.look()
  }

  /** The place of the bucket that begins at `t`; undefined where there is none. */
  placeOf(t: number): number | undefined {
    return this.places.get(t)
  }

  /** The place of the bucket that holds a time. */
  private at(ts: number): number {
    const t = bucketStart(this.grid, ts)
    if (t === this.openStart) return this.openPlace
    const place = this.places.get(t) ?? this.places.size
    if (place === this.places.size) {
      this.places.set(t, place)
      if (place === this.capacity) this.grow()
    }
    this.openStart = t
    this.openPlace = place
    return place
  }

  /** Adds the row at a place, whose bucket begins at `ts`. */
  add(ts: number, rows: BucketRows, at: number): void {
    this.addCounts(ts, rows, at)
    this.addPrices(ts, rows, at)
  }

  addCounts(ts: number, { counts }: BucketRows, at: number): void {
    const place = this.at(ts)
    if (counts !== undefined) addCounts(this.counts, place, counts, at)
  }

  addPrices(ts: number, { dollars, ratio }: BucketRows, at: number): void {
    const place = this.at(ts)
    addPrices(this.dollars, place, dollars, at)
    if (ratio !== undefined) addPrices(this.ratio, place, ratio, at)
  }

  /** Starts and places, oldest first. */
  private get sorted(): ReadonlyArray<readonly [number, number]> {
    return [...this.places].sort(([a], [b]) => a - b)
  }

  /** Adds all of these to wider buckets. */
  addTo(wider: Buckets): void {
    for (const [t, place] of this.sorted) wider.add(t, this, place)
  }

  /** Those that were added, oldest first. */
  get list(): ReadonlyArray<Bucket> {
    return this.sorted.map(([t, place]) => this.bucketAt(t, place))
  }

  private bucketAt(t: number, place: number): Bucket {
    const { dollars, counts } = this
    const prices = this[this.asked]
    const n = (prices.n[place] as number) >>> 0
    return {
      t,
      o: n === 0 ? null : (prices.o[place] as number),
      h: n === 0 ? null : (prices.h[place] as number),
      l: n === 0 ? null : (prices.l[place] as number),
      c: n === 0 ? null : (prices.c[place] as number),
      volume: prices.v[place] as number,
      n,
      v: dollars.v[place] as number,
      bv: dollars.bv?.[place] as number,
      trades: counts.trades[place] as number,
      buys: counts.buys[place] as number,
      outliers: counts.outliers[place] as number,
      // the low words of sums
      hash: { hi: (counts.hi[place] as number) >>> 0, lo: (counts.lo[place] as number) >>> 0 }
    }
  }
}
