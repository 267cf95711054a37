/**
 * The 24 hours that end with the newest block's hour. While the newest swap lies in that hour, the
 * fold's own sums are theirs; when it is longer ago they are summed anew.
 */
import { type Change, changeFrom } from "./change.ts"
import type { MarketFold } from "./fold.ts"
import { hourOf } from "./hours.ts"
import { sinceOf } from "./last-day.ts"
import type { Markets } from "./output.ts"

export interface Window {
  /** start of the oldest of the 24 hours, Unix seconds */
  readonly since: number
  readonly ofTokens: ReturnType<MarketFold["ofTokens"]["sumsSince"]>
  readonly ofMarkets: ReturnType<MarketFold["ofMarkets"]["sumsSince"]>
  /** the newest close before the window; NaN where there is none */
  readonly baseOf: (token: number) => number
  /** how the newest price compares with that */
  readonly changeOf: (token: number) => Change | null
}

/** Start of the oldest of the 24 hours of a chain whose newest block is of `blockTime`. */
export const windowSince = (blockTime: number): number => sinceOf(hourOf(blockTime))

/** The window of a chain whose newest block is of `blockTime`, Unix seconds. */
export const windowAt = (fold: Markets, blockTime: number): Window => {
  const { marks } = fold
  const since = Math.max(windowSince(blockTime), fold.since)
  const { columns, count } = marks.table
  const baseOf = (token: number): number => {
    if (since > fold.since) return marks.closeBefore(token, since) ?? Number.NaN
    return token < count ? (columns.base[token] as number) : Number.NaN
  }
  const changeOf = (token: number) => changeFrom(marks.seen(token), since, baseOf(token))
  const [ofTokens, ofMarkets] = [fold.ofTokens.sumsSince(since), fold.ofMarkets.sumsSince(since)]
  return { since, ofTokens, ofMarkets, baseOf, changeOf }
}
