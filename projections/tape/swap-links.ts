/** Swaps in typed arrays, each linked to the one before of both its tokens. */
import { NONE } from "../../streams/batch/id-table.ts"

/** In place of a swap: the token has none before. */
export const NO_MORE = -1
/** In place of a swap: those before are in the tables only. */
export const UNKNOWN = -2

/** What sums and prices of swaps are made of; nulls are NaN, `NONE` for a token. */
export interface SwapColumns {
  readonly seq: Float64Array
  readonly ts: Uint32Array
  readonly pool: Uint32Array
  readonly token0: Uint32Array
  readonly token1: Uint32Array
  /** raw units where `unscaled` says so */
  readonly amount0: Float64Array
  readonly amount1: Float64Array
  readonly bought0: Uint8Array
  /** micro-dollars */
  readonly usd: Float64Array
  readonly price0: Float64Array
  readonly price1: Float64Array
  readonly unscaled: Uint8Array
  readonly flags: Uint8Array
}

/** Looks at the swap at a place; false for no more of them. */
export type LookAtSwap = (columns: SwapColumns, at: number) => boolean

/** A source of a token's swaps. */
export interface SwapSource {
  /**
   * Shows the swaps of a token up to a position, newest first, each once, until `look` has seen
   * enough; false where there may be more that are not here.
   */
  readonly walk: (token: number, seq: number, look: LookAtSwap) => boolean
}

/** A sum of whole numbers, exact until it is told. */
export class WholeSum {
  private low = 0
  private high = 0n

  add(value: number): void {
    this.low += value
    if (this.low < SPILL) return
    this.high += BigInt(this.low)
    this.low = 0
  }

  get value(): number {
    return this.high === 0n ? this.low : Number(this.high + BigInt(this.low))
  }
}

/** Below it, one more is still exact. */
const SPILL = 2 ** 52

/** Ids of a column, `NONE` for null. */
export const ids = (values: Float64Array): Uint32Array => {
  const found = new Uint32Array(values.length)
  for (let i = 0; i < found.length; i++) {
    const value = values[i] as number
    found[i] = Number.isNaN(value) ? NONE : value
  }
  return found
}
