/**
 * Few rows folded to buckets in memory: what the statements of `buckets.ts` do with many. To plan
 * a statement with as many sums takes the database longer than to read a page of rows.
 */
import type { Row } from "../../engine/projection.ts"
import { numberOf } from "../../engine/store/sql.ts"
import type { Bucket } from "./buckets.ts"
import { type AnyFrame, bucketStart } from "./time-frame.ts"

/** Base buckets of a window, and prints, that are folded here; more are left to the database. */
export const FEW_BUCKETS = 600
export const FEW_PRINTS = 1500

const WORD = 2n ** 32n

/** A sum of integers, exact until it is told, or of doubles in the order they come. */
class Sum {
  private whole = 0n
  private broken = 0

  add(value: unknown): void {
    if (typeof value === "bigint") this.whole += value
    else if (typeof value === "number") this.broken += value
  }

  get value(): number {
    return this.whole === 0n ? this.broken : Number(this.whole) + this.broken
  }

  /** Of integers, without whole multiples of a word. */
  get word(): number {
    return Number((this.whole + BigInt(this.broken)) % WORD)
  }
}

const SUMS = ["volume", "n", "v", "bv", "trades", "buys", "outliers"] as const

/** A bucket as it is folded. */
class Folding {
  private readonly t: number
  private o: number | null = null
  private h: number | null = null
  private l: number | null = null
  private c: number | null = null
  private readonly sums = SUMS.map(() => new Sum())

  constructor(t: number) {
    this.t = t
  }

  /** Prices of what comes after all that came before. */
  price(open: number | null, high: number | null, low: number | null, close: number | null): void {
    this.o ??= open
    if (high !== null) this.h = Math.max(this.h ?? high, high)
    if (low !== null) this.l = Math.min(this.l ?? low, low)
    this.c = close ?? this.c
  }

  add(values: Row): void {
    for (const [i, name] of SUMS.entries()) this.sums[i]?.add(values[name])
  }

  value(hash: Bucket["hash"]): Bucket {
    const { t, o, h, l, c } = this
    const sums = SUMS.map((name, i) => [name, (this.sums[i] as Sum).value])
    return {
      ...(Object.fromEntries(sums) as Pick<Bucket, (typeof SUMS)[number]>),
      ...{ t, o, h, l, c, hash }
    }
  }
}

/** Of the versions of each row, by its time and whether it is `bare`, the newest; by time. */
const newestOf = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const newest = new Map<number, Row>()
  for (const row of rows) {
    const key = Number(row["t"]) * 2 + Number(row["bare"])
    const known = newest.get(key)
    if (known === undefined || Number(known["seq"]) < Number(row["seq"])) newest.set(key, row)
  }
  return [...newest.values()].sort((a, b) => Number(a["t"]) - Number(b["t"]))
}

/** Versions of base rows folded to the buckets of a frame, oldest first. */
export const foldVersions = (rows: ReadonlyArray<Row>, frame: AnyFrame): ReadonlyArray<Bucket> => {
  const found = new Map<number, { readonly folding: Folding; readonly hash: [Sum, Sum] }>()
  for (const row of newestOf(rows)) {
    const t = bucketStart(frame, Number(row["t"]))
    const known = found.get(t)
    const { folding, hash } = known ?? { folding: new Folding(t), hash: [new Sum(), new Sum()] }
    if (known === undefined) found.set(t, { folding, hash: hash as [Sum, Sum] })
    const isPriced = Number(row["n"]) > 0
    const ends = (name: string) => (isPriced ? numberOf(row, name) : null)
    folding.price(ends("o"), numberOf(row, "h"), numberOf(row, "l"), ends("c"))
    folding.add(row)
    hash[0]?.add(row["hash_hi"])
    hash[1]?.add(row["hash_lo"])
  }
  return [...found.values()].map(({ folding, hash: [hi, lo] }) =>
    folding.value({ hi: hi.word, lo: lo.word })
  )
}

/** Prints folded to buckets, oldest first. What is not believed counts where `raw` asks for it. */
export const foldPrintRows = (
  rows: ReadonlyArray<Row>,
  grid: Pick<AnyFrame, "seconds" | "origin">,
  raw: boolean
): ReadonlyArray<Bucket> => {
  const found = new Map<number, Folding>()
  for (const row of [...rows].sort((a, b) => Number(a["seq"]) - Number(b["seq"]))) {
    const t = bucketStart(grid, Number(row["ts"]))
    const folding = found.get(t) ?? new Folding(t)
    found.set(t, folding)
    const isOutlier = (Number(row["flags"]) & 1) === 1
    const priceOf = (name: string): number | null => {
      const price = numberOf(row, name)
      const isPrice = price !== null && price > 0 && price < Number.POSITIVE_INFINITY
      return isPrice && (raw || !isOutlier) ? price : null
    }
    const price = priceOf("price")
    const isPaid = priceOf("dollars") !== null
    folding.price(price, price, price, price)
    folding.add({
      volume: price === null ? null : row["volume"],
      n: price === null ? 0 : 1,
      v: isPaid ? row["usd"] : null,
      bv: isPaid && Number(row["buy"]) === 1 ? row["usd"] : null,
      trades: 1,
      buys: row["buy"],
      outliers: isOutlier ? 1 : 0
    })
  }
  return [...found].sort(([a], [b]) => a - b).map(([, folding]) => folding.value(null))
}

/** Distinct wallets that bought and sold, by bucket, of prints whose wallet is known. */
export const foldWallets = (rows: ReadonlyArray<Row>, frame: AnyFrame) => {
  const found = new Map<number, { readonly buyers: Set<bigint>; readonly sellers: Set<bigint> }>()
  for (const row of rows) {
    const t = bucketStart(frame, Number(row["ts"]))
    const known = found.get(t)
    const { buyers, sellers } = known ?? { buyers: new Set<bigint>(), sellers: new Set<bigint>() }
    if (known === undefined) found.set(t, { buyers, sellers })
    const wallet = (BigInt(row["wallet_hi"] as bigint) << 32n) | BigInt(Number(row["wallet_lo"]))
    if (Number(row["buy"]) === 1) buyers.add(wallet)
    else sellers.add(wallet)
  }
  return new Map(
    [...found].map(([t, { buyers, sellers }]) => [
      t,
      { buyers: buyers.size, sellers: sellers.size }
    ])
  )
}
