/** A candle as answers show it. */

/** Prices and volume in dollars; `t` the bucket's start in Unix seconds, `n` its prints. */
export interface Candle {
  readonly t: number
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
  readonly v: number
  readonly n: number
}
