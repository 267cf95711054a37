/** What a UTC day comes to by market, and which of them are kept when it is over. */
import type { BucketRing } from "./bucket-ring.ts"
import { HOUR } from "./hours.ts"
import type { Sums } from "./last-day.ts"
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

/** The hours of a day that are over: they do not change any more. */
export interface HoursOver {
  /** by market; of wallets the most of an hour */
  readonly sums: Sums<"trades" | "usd" | "known" | "known_usd">
  /** the markets that `judge` picks by them alone, ascending */
  readonly odd: ReadonlyArray<number>
}

/** The hours of the newest day, `day`, that are over. */
export const hoursOver = (fold: Markets, day: number, judge: DayJudge): HoursOver => {
  const sums = fold.ofMarkets.summed(day, fold.hour)
  const { known, known_usd, makers } = sums.columns
  const c = fold.marketHours.table.columns
  for (let hour = day; hour < fold.hour; hour += HOUR) {
    for (const slot of fold.marketHours.of(hour)) {
      const market = c.market[slot] as number
      makers[market] = Math.max(makers[market] as number, c.makers[slot] as number)
    }
  }
  const odd: Array<number> = []
  for (let market = 0; market < known.length; market++) {
    const [swaps, dollars] = [known[market] as number, known_usd[market] as number]
    if (judge(swaps, dollars, makers[market] as number)) odd.push(market)
  }
  return { sums, odd }
}

/**
 * What some markets' swaps come to since the start of the newest day, `day`: of those that `judge`
 * picks, to which fewer wallets must not matter less. Whose wallets are worth counting, the busiest
 * hour tells: there were as many at least.
 */
export const sumDay = (
  fold: Markets,
  day: number,
  judge: DayJudge,
  { sums, odd } = hoursOver(fold, day, judge)
): ReadonlyMap<number, MarketDay> => {
  const { marketHours, marketMakers } = fold
  const over = sums.columns
  const present = marketHours.table.columns
  const found = new Map<number, MarketDay>()
  const asked = new Uint8Array(fold.index.markets.count)
  const take = (market: number, slot: number): void => {
    const sum = (name: "trades" | "usd" | "known" | "known_usd"): number =>
      (over[name][market] ?? 0) + (present[name][slot] ?? 0)
    const [known, known_usd] = [sum("known"), sum("known_usd")]
    const makers = Math.max(over.makers[market] ?? 0, present.makers[slot] ?? 0)
    if (!judge(known, known_usd, makers)) return
    asked[market] = 1
    found.set(market, { trades: sum("trades"), usd: sum("usd"), known, known_usd, makers })
  }
  for (const slot of marketHours.of(fold.hour)) take(present.market[slot] as number, slot)
  for (const market of odd) {
    if (marketHours.find(market, fold.hour) < 0) take(market, -1)
  }
  if (found.size === 0) return found
  const makers = marketMakers.countSince(asked, day)
  for (const [market, sum] of found) {
    const counted = makers[market] as number
    if (judge(sum.known, sum.known_usd, counted)) found.set(market, { ...sum, makers: counted })
    else found.delete(market)
  }
  return found
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
  for (const [market, sum] of [...sumDay(fold, day, isOdd)].sort(([a], [b]) => a - b)) {
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
