/** What a UTC day comes to by market, and which of them are kept when it is over. */
import type { BucketRing } from "./bucket-ring.ts"
import type { MarketFold } from "./fold.ts"
import type { oddDaysTable } from "./tables.ts"

export interface MarketDay {
  trades: number
  usd: number
  known: number
  knownUsd: number
  makers: number
}

/**
 * Whether a rule might call a market's day wash trading: far wider than any rule is, so that a
 * later one finds what it needs.
 */
const isOdd = ({ known, knownUsd, makers }: MarketDay): boolean =>
  (known >= 100 && known >= 25 * makers) || (knownUsd >= 250_000e6 && known >= 10 * makers)

/** What the markets' swaps come to since the start of the newest day, `day`. */
export const sumDay = (fold: MarketFold, day: number): Map<number, MarketDay> => {
  const found = new Map<number, MarketDay>()
  const hours = fold.marketHours.table.columns
  fold.marketHours.each(slot => {
    if ((hours.hour[slot] as number) < day) return
    const market = hours.market[slot] as number
    const sum = found.get(market) ?? { trades: 0, usd: 0, known: 0, knownUsd: 0, makers: 0 }
    sum.trades += hours.trades[slot] as number
    sum.usd += hours.usd[slot] as number
    sum.known += hours.known[slot] as number
    sum.knownUsd += hours.known_usd[slot] as number
    found.set(market, sum)
  })
  const { market } = fold.marketMakers.table.columns
  fold.marketMakers.each(slot => {
    if (fold.marketMakers.lastOf(slot) < day) return
    const sum = found.get(market[slot] as number)
    if (sum !== undefined) sum.makers++
  })
  return found
}

/**
 * Keeps the odd markets of the day that starts at `day`. The fold stands in an hour of it, so all
 * of its hours are still in the ring and nobody has traded after it.
 */
export const closeDay = (
  fold: MarketFold,
  day: number,
  odd: BucketRing<(typeof oddDaysTable)["columns"]>
): void => {
  for (const [market, sum] of [...sumDay(fold, day)].sort(([a], [b]) => a - b)) {
    if (!isOdd(sum)) continue
    const slot = odd.present(market, day)
    const c = odd.table.columns
    c.trades[slot] = sum.trades
    c.usd[slot] = sum.usd
    c.known[slot] = sum.known
    c.known_usd[slot] = sum.knownUsd
    c.makers[slot] = sum.makers
    odd.table.touch(slot)
  }
}
