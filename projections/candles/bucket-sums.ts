/** What every candle's bucket is made of, whatever its series: dollars and counts of its prints. */
import type { SwapHash } from "./swap-hash.ts"

interface Dollars {
  readonly o: Float64Array
  readonly h: Float64Array
  readonly l: Float64Array
  readonly c: Float64Array
  readonly v: Float64Array
  readonly n: Uint32Array
  readonly bv: Float64Array
}

interface Prints {
  readonly trades: Uint32Array
  readonly buys: Uint32Array
  readonly outliers: Uint32Array
  readonly hash_hi: Uint32Array
  readonly hash_lo: Uint32Array
}

/** Makes a row one without prices. */
export const emptyDollars = (c: Dollars, row: number): void => {
  c.o[row] = Number.NaN
  c.h[row] = Number.NaN
  c.l[row] = Number.NaN
  c.c[row] = Number.NaN
  c.v[row] = 0
  c.n[row] = 0
  c.bv[row] = 0
}

/** Makes a row one without prints. */
export const emptyPrints = (c: Prints, row: number): void => {
  c.trades[row] = 0
  c.buys[row] = 0
  c.outliers[row] = 0
  c.hash_hi[row] = 0
  c.hash_lo[row] = 0
}

/** Adds a price and its micro-dollars, which count. */
export const addDollars = (
  c: Dollars,
  row: number,
  price: number,
  usdMicro: number,
  isBuy: number
): void => {
  if (c.n[row] === 0) {
    c.o[row] = price
    c.h[row] = price
    c.l[row] = price
  } else {
    if (price > (c.h[row] as number)) c.h[row] = price
    if (price < (c.l[row] as number)) c.l[row] = price
  }
  c.c[row] = price
  c.v[row] = (c.v[row] as number) + usdMicro
  c.n[row] = (c.n[row] as number) + 1
  if (isBuy !== 0) c.bv[row] = (c.bv[row] as number) + usdMicro
}

/** Counts a print, whether it has a price or not; `isOutlier` is a reason's code. */
export const countPrint = (
  c: Prints,
  row: number,
  isBuy: number,
  isOutlier: number,
  hash: SwapHash
): void => {
  c.trades[row] = (c.trades[row] as number) + 1
  c.buys[row] = (c.buys[row] as number) + isBuy
  if (isOutlier !== 0) c.outliers[row] = (c.outliers[row] as number) + 1
  // an array of 32-bit words keeps the sum's low word
  c.hash_hi[row] = (c.hash_hi[row] as number) + hash.hi
  c.hash_lo[row] = (c.hash_lo[row] as number) + hash.lo
}
