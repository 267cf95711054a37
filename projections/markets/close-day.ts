/** What a UTC day comes to by market, and which of them are kept when it is over. */
import type { BucketRing } from "./bucket-ring.ts"
import { HOUR } from "./hours.ts"
import type { Markets } from "./output.ts"
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
const isOdd: DayJudge = (known, knownUsd, makers) =>
  (known >= 100 && known >= 25 * makers) || (knownUsd >= 250_000e6 && known >= 10 * makers)

/** Counts the distinct wallets of the markets found since the start of the newest day. */
const countMakers = (fold: Markets, day: number, found: Map<number, MarketDay>): void => {
  const asked = new Uint8Array(fold.index.markets.count)
  for (const market of found.keys()) asked[market] = 1
  const makers = fold.marketMakers.countSince(asked, day)
  for (const [market, sum] of found) sum.makers = makers[market] as number
}

/** Whether the swaps of a day whose wallets are known, their micro-dollars and wallets, matter. */
export type DayJudge = (known: number, knownUsd: number, makers: number) => boolean

/** What is summed of hours, by market; of wallets the most of an hour. */
interface HourSums {
  readonly trades: Float64Array
  readonly usd: Float64Array
  readonly known: Float64Array
  readonly knownUsd: Float64Array
  readonly makers: Float64Array
}

/** The hours of a day that are over: they do not change any more. */
export interface HoursOver {
  readonly sums: HourSums
  /** the markets that `judge` picks by them alone, ascending */
  readonly odd: ReadonlyArray<number>
}

/** The hours of the newest day, `day`, that are over. */
export const hoursOver = (fold: Markets, day: number, judge: DayJudge): HoursOver => {
  const { count } = fold.index.markets
  const empty = () => new Float64Array(count)
  const sums = { trades: empty(), usd: empty(), known: empty(), knownUsd: empty(), makers: empty() }
  const { trades, usd, known, knownUsd, makers } = sums
  const c = fold.marketHours.table.columns
  for (let hour = day; hour < fold.hour; hour += HOUR) {
    for (const slot of fold.marketHours.of(hour)) {
      const market = c.market[slot] as number
      trades[market] = (trades[market] as number) + (c.trades[slot] as number)
      usd[market] = (usd[market] as number) + (c.usd[slot] as number)
      known[market] = (known[market] as number) + (c.known[slot] as number)
      knownUsd[market] = (knownUsd[market] as number) + (c.known_usd[slot] as number)
      if ((c.makers[slot] as number) > (makers[market] as number)) {
        makers[market] = c.makers[slot] as number
      }
    }
  }
  const odd: Array<number> = []
  for (let market = 0; market < count; market++) {
    const [swaps, dollars] = [known[market] as number, knownUsd[market] as number]
    if (judge(swaps, dollars, makers[market] as number)) odd.push(market)
  }
  return { sums, odd }
}

/** A market's sums of the hours that are over, and of its present hour in `slot`; null for none. */
const dayOf = (
  fold: Markets,
  { sums }: HoursOver,
  market: number,
  slot: number | null
): MarketDay => {
  const c = fold.marketHours.table.columns
  const now = (values: Float64Array | Uint32Array): number =>
    slot === null ? 0 : (values[slot] as number)
  return {
    trades: (sums.trades[market] ?? 0) + now(c.trades),
    usd: (sums.usd[market] ?? 0) + now(c.usd),
    known: (sums.known[market] ?? 0) + now(c.known),
    knownUsd: (sums.knownUsd[market] ?? 0) + now(c.known_usd),
    makers: Math.max(sums.makers[market] ?? 0, now(c.makers))
  }
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
  over = hoursOver(fold, day, judge)
): ReadonlyMap<number, MarketDay> => {
  const found = new Map<number, MarketDay>()
  const { market } = fold.marketHours.table.columns
  const inHour = new Set<number>()
  const take = (of: number, slot: number | null): void => {
    const sum = dayOf(fold, over, of, slot)
    if (judge(sum.known, sum.knownUsd, sum.makers)) found.set(of, sum)
  }
  for (const slot of fold.marketHours.of(fold.hour)) {
    inHour.add(market[slot] as number)
    take(market[slot] as number, slot)
  }
  for (const of of over.odd) if (!inHour.has(of)) take(of, null)
  if (found.size > 0) countMakers(fold, day, found)
  return new Map(
    [...found].filter(([, { known, knownUsd, makers }]) => judge(known, knownUsd, makers))
  )
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
    c.known_usd[slot] = sum.knownUsd
    c.makers[slot] = sum.makers
    odd.table.touch(slot)
  }
}
