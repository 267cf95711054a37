/**
 * Versions of base buckets folded to the buckets of a frame, column by column: a page of candles is
 * made of thousands of rows.
 */
import type { ResultColumns } from "../../engine/query.ts"
import type { Bucket } from "./buckets.ts"
import { type AnyFrame, bucketStart } from "./time-frame.ts"

/** Base buckets of a window that are folded here; of more the database makes sums. */
export const FEW_BUCKETS = 20_000

const SUMS = ["volume", "n", "v", "bv", "trades", "buys", "outliers"] as const
type SumName = (typeof SUMS)[number]

const WORD = 2 ** 32
/** Below it, one more is still exact. */
const SPILL = 2 ** 52

/** A sum of numbers in the order they come; of whole ones exact until it is told. */
class Sum {
  private low = 0
  private high = 0n
  private readonly isWhole: boolean

  constructor(isWhole: boolean) {
    this.isWhole = isWhole
  }

  add(value: number): void {
    this.low += value
    if (!this.isWhole || this.low < SPILL) return
    this.high += BigInt(this.low)
    this.low = 0
  }

  get value(): number {
    return this.high === 0n ? this.low : Number(this.high + BigInt(this.low))
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

/** In place of a price. */
const NONE = Number.NaN

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

/** A bucket as it is folded. */
class Folding {
  readonly t: number
  private readonly prices: [number, number, number, number] = [NONE, NONE, NONE, NONE]
  readonly sums: ReadonlyArray<Sum>
  hash: { readonly hi: number; readonly lo: number } | null = null

  constructor(t: number, isWhole: boolean) {
    this.t = t
    this.sums = SUMS.map(name => new Sum(name !== "volume" || isWhole))
  }

  /** Prices, NaN for none, of what comes after all that came before. */
  price(open: number, high: number, low: number, close: number): void {
    const [o, h, l] = this.prices
    if (Number.isNaN(o)) this.prices[0] = open
    if (!(h >= high) && !Number.isNaN(high)) this.prices[1] = high
    if (!(l <= low) && !Number.isNaN(low)) this.prices[2] = low
    if (!Number.isNaN(close)) this.prices[3] = close
  }

  get value(): Bucket {
    const [o, h, l, c] = this.prices.map(orNull) as [
      ...[number | null, number | null, number | null, number | null]
    ]
    const [volume, n, v, bv, trades, buys, outliers] = this.sums.map(sum => sum.value) as [
      ...[number, number, number, number, number, number, number]
    ]
    const { t, hash } = this
    return { t, o, h, l, c, volume, n, v, bv, trades, buys, outliers, hash }
  }
}

export interface FoldedColumns {
  /** the sums that were read; others are 0 */
  readonly sums?: ReadonlyArray<SumName>
  readonly hash?: boolean
  /** whether volumes are whole numbers */
  readonly isWhole?: boolean
}

/** Versions of base rows, with `t`, `seq`, `bare`, prices and `n`, as buckets, oldest first. */
export const foldVersions = (
  found: ResultColumns,
  frame: AnyFrame,
  { sums = SUMS, hash = true, isWhole = true }: FoldedColumns = {}
): ReadonlyArray<Bucket> => {
  const { numbers } = found
  const [t, n, o, h, l, c] = ["t", "n", "o", "h", "l", "c"].map(numbers) as [
    ...[Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array]
  ]
  const columns = sums.map(name => ({ at: SUMS.indexOf(name), values: numbers(name) }))
  const [hi, lo] = hash ? [numbers("hash_hi"), numbers("hash_lo")] : [null, null]
  const list: Array<Folding> = []
  let open: Folding | undefined
  for (const row of newestOf(found)) {
    const start = bucketStart(frame, t[row] as number)
    if (open?.t !== start) {
      open = new Folding(start, isWhole)
      list.push(open)
    }
    const isPriced = (n[row] as number) > 0
    const [first, last] = isPriced ? [o[row] as number, c[row] as number] : [NONE, NONE]
    open.price(first, h[row] as number, l[row] as number, last)
    for (const { at, values } of columns) open.sums[at]?.add(values[row] as number)
    if (hi === null || lo === null) continue
    const before: { readonly hi: number; readonly lo: number } = open.hash ?? { hi: 0, lo: 0 }
    open.hash = {
      hi: (before.hi + (hi[row] as number)) % WORD,
      lo: (before.lo + (lo[row] as number)) % WORD
    }
  }
  return list.map(({ value }) => value)
}
