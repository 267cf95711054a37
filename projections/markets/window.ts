/**
 * The 24 hours that end with the newest block's hour. While the newest swap lies in that hour, the
 * fold's own sums are theirs; when it is longer ago they are summed anew.
 */
import { type Change, changeFrom } from "./change.ts"
import { DaySums } from "./day-sums.ts"
import { marketHour, marketSums, tokenHour, tokenSums } from "./hour-sums.ts"
import { HOUR, hourOf } from "./hours.ts"
import type { Markets } from "./output.ts"

export interface Window {
  /** start of the oldest of the 24 hours, Unix seconds */
  readonly since: number
  readonly ofTokens: DaySums<(typeof tokenSums)[number]>
  readonly ofMarkets: DaySums<(typeof marketSums)[number]>
  /** the newest close before the window; NaN where there is none */
  readonly baseOf: (token: number) => number
  /** how the newest price compares with that */
  readonly changeOf: (token: number) => Change | null
}

/** Start of the oldest of the 24 hours of a chain whose newest block is of `blockTime`. */
export const windowSince = (blockTime: number): number => hourOf(blockTime) - 23 * HOUR

/** The window of a chain whose newest block is of `blockTime`, Unix seconds. */
export const windowAt = (fold: Markets, blockTime: number): Window => {
  const since = windowSince(blockTime)
  const { base } = fold.marks.table.columns
  const baseOf = (token: number): number =>
    token < fold.marks.table.count ? (base[token] as number) : Number.NaN
  if (since > fold.since) return summed(fold, since, baseOf)
  const changeOf = (token: number) => changeFrom(fold.marks.seen(token), fold.since, baseOf(token))
  return { since: fold.since, ofTokens: fold.ofTokens, ofMarkets: fold.ofMarkets, baseOf, changeOf }
}

const summed = (fold: Markets, since: number, before: Window["baseOf"]): Window => {
  const ofTokens = new DaySums(tokenSums)
  const ofMarkets = new DaySums(marketSums)
  const left = new Map<number, { readonly hour: number; readonly close: number }>()
  const tokens = fold.tokenHours.table.columns
  fold.tokenHours.each(slot => {
    const token = tokens.token[slot] as number
    const hour = tokens.hour[slot] as number
    const close = tokens.close[slot] as number
    if (hour >= since) ofTokens.add(token, tokenHour(tokens, slot), 1)
    else if (close > 0 && hour > (left.get(token)?.hour ?? 0)) left.set(token, { hour, close })
  })
  const markets = fold.marketHours.table.columns
  fold.marketHours.each(slot => {
    if ((markets.hour[slot] as number) < since) return
    ofMarkets.add(markets.market[slot] as number, marketHour(markets, slot), 1)
  })
  const { tokenMakers, marketMakers } = fold
  tokenMakers.each(({ token, bought, sold }) => {
    if (Math.max(bought, sold) >= since) ofTokens.add(token, { makers: 1 }, 1)
  })
  const { market } = marketMakers.table.columns
  marketMakers.each(slot => {
    if (marketMakers.lastOf(slot) >= since) ofMarkets.add(market[slot] as number, { makers: 1 }, 1)
  })
  const baseOf = (token: number): number => left.get(token)?.close ?? before(token)
  const changeOf = (token: number) => changeFrom(fold.marks.seen(token), since, baseOf(token))
  return { since, ofTokens, ofMarkets, baseOf, changeOf }
}
