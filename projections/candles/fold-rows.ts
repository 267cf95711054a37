/**
 * Few prints folded to buckets in memory: what the statements of `buckets.ts` do with many. To plan
 * a statement with as many sums takes the database longer than to read a page of rows.
 */
import type { Row } from "../../engine/query.ts"
import { numberOf } from "../../engine/store/sql.ts"
import type { Bucket } from "./buckets.ts"
import { type AnyFrame, bucketStart } from "./time-frame.ts"

/** Prints that are folded here; more are left to the database. */
export const FEW_PRINTS = 1500

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

  get value(): Bucket {
    const { t, o, h, l, c } = this
    const sums = SUMS.map((name, i) => [name, (this.sums[i] as Sum).value])
    return {
      ...(Object.fromEntries(sums) as Pick<Bucket, (typeof SUMS)[number]>),
      ...{ t, o, h, l, c, hash: null }
    }
  }
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
  return [...found].sort(([a], [b]) => a - b).map(([, folding]) => folding.value)
}
