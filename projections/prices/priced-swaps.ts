/**
 * The swaps of the slice in hand with all that later folds need: amounts in whole tokens, dollars,
 * prices. The columns are overwritten with each slice.
 */

import { SliceRows } from "./slice-rows.ts"

export class PricedSwaps extends SliceRows {
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
}
