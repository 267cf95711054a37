/** What a UTC day comes to by market, and which of them are kept when it is over. */
import type { BucketRing } from "../../engine/memory/bucket-ring.ts"
import type { Markets } from "./output.ts"
import type { oddDaysTable } from "./tables.ts"

/** What a market's day comes to. */
export interface MarketDay {
  readonly trades: number
  readonly usd: number
  readonly known: number
  readonly known_usd: number
  readonly makers: number
}

/** Whether the swaps of a day whose wallets are known, their micro-dollars and wallets, matter. */
export type DayJudge = (known: number, knownUsd: number, makers: number) => boolean

/**
 * Whether a rule might call a market's day wash trading: far wider than any rule is, so that a
 * later one finds what it needs.
 */
const isOdd: DayJudge = (known, knownUsd, makers) =>
  (known >= 100 && known >= 25 * makers) || (knownUsd >= 250_000e6 && known >= 10 * makers)

/** A market's swaps since a time; of wallets the most of an hour: there were as many at least. */
const sumSince = ({ marketHours }: Markets, market: number, since: number): MarketDay => {
  const sum = { trades: 0, usd: 0, known: 0, known_usd: 0, makers: 0 }
  const c = marketHours.table.columns
  for (let slot = marketHours.newestOf(market); slot >= 0; slot = marketHours.beforeOf(slot)) {
    if ((c.hour[slot] as number) < since) break
    sum.trades += c.trades[slot] as number
    sum.usd += c.usd[slot] as number
    sum.known += c.known[slot] as number
    sum.known_usd += c.known_usd[slot] as number
    sum.makers = Math.max(sum.makers, c.makers[slot] as number)
  }
  return sum
}

/**
 * What some markets' swaps come to since the start of the newest day, `day`: of those that `judge`
 * picks, to which more swaps or fewer wallets must not matter less.
 */
export const sumDay = (
  fold: Markets,
  day: number,
  judge: DayJudge
): ReadonlyMap<number, MarketDay> => {
  // the 24 hours hold all of the day, of one wallet at least
  const { known, known_usd } = fold.ofMarkets.sumsSince(fold.since).columns
  const days = new Map<number, MarketDay>()
  const asked = new Uint8Array(fold.index.markets.count)
  for (let market = 0; market < asked.length; market++) {
    if (!judge(known[market] ?? 0, known_usd[market] ?? 0, 1)) continue
    const sum = sumSince(fold, market, day)
    if (!judge(sum.known, sum.known_usd, sum.makers)) continue
    asked[market] = 1
    days.set(market, sum)
  }
  if (days.size === 0) return days
  const makers = fold.marketMakers.countSince(asked, day)
  for (const [market, sum] of days) {
    const counted = makers[market] as number
    if (judge(sum.known, sum.known_usd, counted)) days.set(market, { ...sum, makers: counted })
    else days.delete(market)
  }
  return days
}

/**
 * Keeps the odd markets of the day that starts at `day`. The fold stands in an hour of it, so all
 * of its hours are still in the ring and nobody has traded after it.
 */
export const closeDay = (
  fold: Markets,
  day: number,
  odd: BucketRing<(typeof oddDaysTable)["columns"]>
): void => {
  for (const [market, sum] of sumDay(fold, day, isOdd)) {
    const slot = odd.present(market, day)
    const c = odd.table.columns
    c.trades[slot] = sum.trades
    c.usd[slot] = sum.usd
    c.known[slot] = sum.known
    c.known_usd[slot] = sum.known_usd
    c.makers[slot] = sum.makers
    odd.table.touch(slot)
  }
}
