/** Prints of a series by columns, from memory or as they were read, and the buckets they make. */
import type { ResultColumns } from "../../engine/query.ts"
import { type Buckets, PrintBucket } from "./bucket.ts"
import type { Traders } from "./distinct-wallets.ts"

/** Prints in the order of the log, by place. */
export interface Prints {
  readonly ts: Float64Array
  /** 1 where the trader bought */
  readonly buy: Float64Array
  /** the first bit: not believed */
  readonly flags: Float64Array
  /** micro-dollars */
  readonly usd: Float64Array
  /** dollars a whole token; NaN where there are none */
  readonly dollars: Float64Array
  /** of a pair whose ratios are asked: quote tokens a base token, and quote tokens */
  readonly ratio: { readonly price: Float64Array; readonly volume: Float64Array } | null
  /** null where wallets were not read */
  readonly traders: Traders | null
}

export const PRINT_COLUMNS = "ts, seq, buy, usd, flags, dollars, price, volume"

/** Prints that a statement on `PRINT_COLUMNS` has found. */
export const printsFound = ({ numbers }: ResultColumns, hasRatio: boolean): Prints => ({
  ...{ ts: numbers("ts"), buy: numbers("buy"), flags: numbers("flags"), usd: numbers("usd") },
  dollars: numbers("dollars"),
  ratio: hasRatio ? { price: numbers("price"), volume: numbers("volume") } : null,
  traders: null
})

/**
 * Adds the prints before `end` to buckets. What is not believed has a price where `raw` asks for
 * it.
 */
export const addPrints = (
  buckets: Buckets,
  { ts, buy, flags, usd, dollars, ratio }: Prints,
  raw: boolean,
  end = ts.length
): void => {
  const print = new PrintBucket()
  for (let row = 0; row < end; row++) {
    const isOutlier = (flags[row] as number) & 1
    const isBelieved = raw || isOutlier === 0
    print.setSide(buy[row] as number, isOutlier)
    print.setDollars(isBelieved ? (dollars[row] as number) : Number.NaN, usd[row] as number)
    if (ratio !== null) {
      const price = isBelieved ? (ratio.price[row] as number) : Number.NaN
      print.setRatio(price, ratio.volume[row] as number)
    }
    buckets.add(ts[row] as number, print, 0)
  }
}
