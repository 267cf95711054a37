/**
 * The swaps of the slice in hand with all that later folds need: amounts in whole tokens, dollars,
 * prices. The columns are overwritten with each slice.
 */

const grown = <A extends Float64Array | Uint32Array | Uint8Array>(
  old: A,
  make: (size: number) => A,
  size: number
): A => {
  const next = make(size)
  next.set(old as never)
  return next
}

export class PricedSwaps {
  count = 0
  /** place of the swap in the batch */
  event = new Uint32Array(4096)
  seq = new Float64Array(4096)
  block = new Float64Array(4096)
  /** Unix seconds of the block */
  ts = new Float64Array(4096)
  pool = new Uint32Array(4096)
  /** token ids, `NONE` where unknown */
  token0 = new Uint32Array(4096)
  token1 = new Uint32Array(4096)
  /** whole tokens that moved, without sign; NaN where decimals are unknown */
  amount0 = new Float64Array(4096)
  amount1 = new Float64Array(4096)
  /** raw units that moved, where decimals are unknown; NaN elsewhere */
  raw0 = new Float64Array(4096)
  raw1 = new Float64Array(4096)
  /** 1 where the trader bought token 0 */
  bought0 = new Uint8Array(4096)
  /** micro-dollars, an integer; NaN where the swap cannot be priced */
  usdMicro = new Float64Array(4096)
  /** the swap's dollars, unrounded, where they give a price; NaN elsewhere */
  dollars = new Float64Array(4096)
  /** dollars a whole token in this swap; NaN where unknown */
  price0 = new Float64Array(4096)
  price1 = new Float64Array(4096)
  /** code of `OUTLIER` for the print of token 0 and of token 1; 0 where it is no outlier */
  outlier0 = new Uint8Array(4096)
  outlier1 = new Uint8Array(4096)

  /** Returns the number of a new row, all of whose columns the caller must write. */
  next(): number {
    if (this.count === this.event.length) this.grow()
    return this.count++
  }

  private grow(): void {
    const size = this.event.length * 2
    const u8 = (n: number) => new Uint8Array(n)
    const u32 = (n: number) => new Uint32Array(n)
    const f64 = (n: number) => new Float64Array(n)
    this.event = grown(this.event, u32, size)
    this.pool = grown(this.pool, u32, size)
    this.token0 = grown(this.token0, u32, size)
    this.token1 = grown(this.token1, u32, size)
    this.seq = grown(this.seq, f64, size)
    this.block = grown(this.block, f64, size)
    this.ts = grown(this.ts, f64, size)
    this.amount0 = grown(this.amount0, f64, size)
    this.amount1 = grown(this.amount1, f64, size)
    this.raw0 = grown(this.raw0, f64, size)
    this.raw1 = grown(this.raw1, f64, size)
    this.dollars = grown(this.dollars, f64, size)
    this.usdMicro = grown(this.usdMicro, f64, size)
    this.price0 = grown(this.price0, f64, size)
    this.price1 = grown(this.price1, f64, size)
    this.bought0 = grown(this.bought0, u8, size)
    this.outlier0 = grown(this.outlier0, u8, size)
    this.outlier1 = grown(this.outlier1, u8, size)
  }
}
