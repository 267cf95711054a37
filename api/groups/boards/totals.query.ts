/** Totals of a chain (spec part 2): the last 24 hours by hour and venue, and days. */
import { Newest } from "../../../engine/memory/newest.ts"
import { type FoldsContext, keep, memoryQuery, once } from "../../../engine/query.ts"
import {
  isCovered,
  unknownIn,
  withCoverage,
  withUnknown
} from "../../../projections/coverage/covered-time.ts"
import {
  type DayJudge,
  hoursOver,
  type MarketDay,
  sumDay
} from "../../../projections/markets/close-day.ts"
import { DAY, HOUR } from "../../../projections/markets/hours.ts"
import { type Markets, markets } from "../../../projections/markets/output.ts"
import type { Window } from "../../../projections/markets/window.ts"
import { ingestFloorOf } from "../../../projections/prices/ingest-floor.ts"
import { NONE } from "../../../streams/batch/id-table.ts"
import { percent } from "./percent.ts"
import { isSuspect, isWashed } from "./suspects.ts"
import { knownWallets, walletWarnings } from "./unknown-wallets.ts"
import { windowOf } from "./window-of.ts"

const MICRO = 1e6

/** Start of the newest block's UTC day. */
const todayOf = ({ blockTime }: FoldsContext): number => blockTime - (blockTime % DAY)

/** A sum of swaps and micro-dollars. */
interface Sum {
  trades: number
  usd: number
}

const add = (sums: Map<number, Sum>, key: number, trades: number, usd: number): void => {
  const sum = sums.get(key)
  if (sum === undefined) sums.set(key, { trades, usd })
  else {
    sum.trades += trades
    sum.usd += usd
  }
}

/** Swaps of the window by hour and by venue, without those of suspect markets, which are apart. */
const sumWindow = (fold: Markets, window: Window) => {
  const hours = new Map<number, Sum>()
  const venues = new Map<number, Sum>()
  const excluded = { trades: 0, usd: 0, markets: 0 }
  const ofMarkets = window.ofMarkets.columns
  const { columns, count } = fold.index.markets
  const suspect = new Uint8Array(count)
  for (let market = 0; market < count; market++) {
    const trades = ofMarkets.trades[market] ?? 0
    if (trades === 0) continue
    const usd = ofMarkets.usd[market] as number
    if (isSuspect(window, market)) {
      suspect[market] = 1
      excluded.markets++
      excluded.trades += trades
      excluded.usd += usd
    } else add(venues, columns.venue[market] as number, trades, usd)
  }
  const ring = fold.marketHours.table.columns
  for (let hour = window.since; hour <= fold.hour; hour += HOUR) {
    const sum = { ...fold.totalOf(hour) }
    hours.set(hour, sum)
    if (excluded.markets === 0) continue
    for (const slot of fold.marketHours.of(hour)) {
      if (suspect[ring.market[slot] as number] !== 1) continue
      sum.trades -= ring.trades[slot] as number
      sum.usd -= ring.usd[slot] as number
    }
  }
  return { hours, venues, excluded, suspect }
}

/** Distinct tokens of the window, of each venue and of all, that markets not suspect traded. */
const countTokens = (fold: Markets, window: Window, suspect: Uint8Array) => {
  const { columns, count } = fold.index.markets
  const { token, venue } = fold.index.listings.columns
  const listed = new Uint8Array(fold.index.listings.count)
  const ofVenue = new Map<number, number>()
  const isCounted = new Uint8Array(fold.tokenHours.keyCount)
  let all = 0
  for (let market = 0; market < count; market++) {
    if ((window.ofMarkets.columns.trades[market] ?? 0) === 0 || suspect[market] === 1) continue
    for (const listing of [columns.listing0[market], columns.listing1[market]] as Array<number>) {
      if (listing === NONE || listed[listing] === 1) continue
      listed[listing] = 1
      const at = venue[listing] as number
      ofVenue.set(at, (ofVenue.get(at) ?? 0) + 1)
      const of = token[listing] as number
      if (isCounted[of] === 1) continue
      isCounted[of] = 1
      all++
    }
  }
  return { ofVenue, all }
}

const volUsd = ({ usd }: Sum): number => usd / MICRO

/** Sums of the hours of a day that are over. */
const overHours = keep(() => new Newest<ReturnType<typeof hoursOver>>())

/** The markets of a day that a rule calls wash trading, of the present one and of those over. */
const suspectDays = (
  context: FoldsContext
): ReadonlyArray<{ readonly market: number; readonly day: number } & Sum> => {
  const fold = context.output(markets)
  const found: Array<{ readonly market: number; readonly day: number } & Sum> = []
  const isWash: DayJudge = (known, knownUsd, makers) => isWashed(known, knownUsd, makers)
  const judge = (market: number, day: number, of: MarketDay): void => {
    if (isWash(of.known, of.knownUsd, of.makers))
      found.push({ market, day, trades: of.trades, usd: of.usd })
  }
  const { odd, day } = fold.days
  const c = odd.table.columns
  odd.each(slot => {
    judge(c.market[slot] as number, c.day[slot] as number, {
      trades: c.trades[slot] as number,
      usd: c.usd[slot] as number,
      known: c.known[slot] as number,
      knownUsd: c.known_usd[slot] as number,
      makers: c.makers[slot] as number
    })
  })
  if (day <= 0) return found
  // what is over changes with the hour alone
  const over = context.kept(overHours).at(fold.hour, () => hoursOver(fold, day, isWash))
  for (const [market, of] of sumDay(fold, day, isWash, over)) judge(market, day, of)
  return found
}

/** The markets of each day that a rule calls wash trading, found once a position. */
const suspectDaysOf = once(suspectDays)

/** Sums of the present window and its distinct tokens, found once a position. */
const totalsOf = once(context => {
  const fold = context.output(markets)
  const window = windowOf(context)
  const { suspect, ...sums } = sumWindow(fold, window)
  return { ...sums, tokens: countTokens(fold, window, suspect) }
})

/** The days from `since` on, oldest first. */
const daily = (context: FoldsContext, since: number) => {
  const fold = context.output(markets)
  const wash = new Map<number, Sum>()
  for (const { day, trades, usd } of suspectDaysOf(context)) add(wash, day, trades, usd)
  const c = fold.days.chain.table.columns
  const rows: Array<ReturnType<typeof dayRow>> = []
  const dayRow = (slot: number) => {
    const day = c.day[slot] as number
    const without = wash.get(day) ?? { trades: 0, usd: 0 }
    return {
      day,
      swaps: (c.trades[slot] as number) - without.trades,
      volUsd: ((c.usd[slot] as number) - without.usd) / MICRO,
      tokens: c.tokens[slot] as number,
      wallets: knownWallets(c.trades[slot] as number, c.wallets[slot] as number),
      venues: c.venues[slot] as number
    }
  }
  fold.days.chain.each(slot => {
    if ((c.day[slot] as number) >= since) rows.push(dayRow(slot))
  })
  return rows.sort((a, b) => a.day - b.day)
}

/** Distinct wallets of the newest block's UTC day and of the one before. */
const walletDays = (fold: Markets, today: number) => {
  const c = fold.days.chain.table.columns
  const of = (day: number): number | null => {
    const slot = fold.days.chain.find(0, day)
    return slot < 0 ? 0 : knownWallets(c.trades[slot] as number, c.wallets[slot] as number)
  }
  return { day: today, today: of(today), yesterday: of(today - DAY) }
}

/** Start of the hour of the oldest swap; null where there is none. */
const floorHour = (fold: Markets): number | null => {
  const { columns, count } = fold.index.markets
  const first = columns.first_ts[0] as number
  return count === 0 ? null : first - (first % HOUR)
}

export type OverviewParams = {
  readonly days: number
  /** of a family that one chain has to itself */
  readonly own: boolean
  /** whether the newest block is older than it should be */
  readonly stale: boolean
  /** whether history is read to its end, and whether none is left before it */
  readonly backfilled: boolean
  readonly genesis: boolean
}

/** The totals as if the log covered yesterday. */
const overviewOf = (context: FoldsContext, params: OverviewParams) => {
  const fold = context.output(markets)
  const window = windowOf(context)
  const { hours, venues, excluded, tokens } = totalsOf(context)
  const total = { trades: 0, usd: 0 }
  for (const { trades, usd } of venues.values()) {
    total.trades += trades
    total.usd += usd
  }
  const today = todayOf(context)
  const ids = fold.index.venues.columns.id
  const isOwn = params.own
  return {
    chain: context.chain.id,
    last24h: {
      volUsd: volUsd(total),
      swaps: total.trades,
      tokens: tokens.all,
      venues: venues.size,
      sinceHour: window.since,
      excluded: {
        volUsd: volUsd(excluded),
        swaps: excluded.trades,
        markets: excluded.markets
      }
    },
    ...(isOwn ? {} : { wallets: walletDays(fold, today) }),
    venues24h: [...venues]
      .sort(([a, x], [b, y]) => y.usd - x.usd || y.trades - x.trades || a - b)
      .map(([venue, sum]) => ({
        dex: ids[venue] ?? null,
        volUsd: volUsd(sum),
        trades: sum.trades,
        tokens: tokens.ofVenue.get(venue) ?? 0,
        sharePct: percent(sum.usd, total.usd)
      })),
    hourly24: Array.from({ length: 24 }, (_, i) => {
      const hour = window.since + i * HOUR
      const sum = hours.get(hour) ?? { trades: 0, usd: 0 }
      return { hour, volUsd: volUsd(sum), swaps: sum.trades }
    }),
    daily: daily(context, today - (params.days - 1) * DAY),
    coverage: {
      recentAt: context.blockTime,
      stale: params.stale,
      ...(isOwn ? depth(fold, params) : {})
    },
    ...(isOwn ? {} : { ingestFloor: ingestFloorOf(context.chain) }),
    ...walletWarnings(context),
    updatedAt: context.blockTime * 1000
  }
}

/** Totals with so many days, oldest first. */
export const overview = memoryQuery("overview", (context, params: OverviewParams) => {
  const totals = overviewOf(context, params)
  const { wallets, last24h } = totals
  const today = todayOf(context)
  const from = Math.min(last24h.sinceHour, today - (params.days - 1) * DAY)
  const yesterday = { from: today - DAY, to: today }
  return withCoverage(context, coverage => ({
    ...totals,
    ...(wallets === undefined || isCovered(coverage, yesterday)
      ? {}
      : { wallets: { ...wallets, yesterday: null } }),
    unknown: unknownIn(coverage, { from, to: context.blockTime + 1 })
  }))
})

/** How far the index reaches back. The first hour is the chain's where no history is left. */
const depth = (fold: Markets, params: OverviewParams) => {
  const floor = floorHour(fold)
  return {
    floorHour: floor,
    genesisHour: params.genesis ? floor : null,
    backfillComplete: params.backfilled
  }
}

/** `{ days }`: the share of each venue, by UTC day, the newest block's day included. */
export const venueShares = memoryQuery(
  "venueShares",
  (context, params: { readonly days: number }) => {
    const fold = context.output(markets)
    const { days } = params
    const today = todayOf(context)
    const since = today - (days - 1) * DAY
    const wash = new Map<string, Sum>()
    const { venue: venueOf } = fold.index.markets.columns
    for (const { market, day, trades, usd } of suspectDaysOf(context)) {
      const key = `${venueOf[market]}:${day}`
      const sum = wash.get(key) ?? { trades: 0, usd: 0 }
      wash.set(key, { trades: sum.trades + trades, usd: sum.usd + usd })
    }
    const c = fold.days.venues.table.columns
    const rows = new Map<number, Array<{ day: number; tokens: number } & Sum>>()
    fold.days.venues.each(slot => {
      const day = c.day[slot] as number
      if (day < since) return
      const venue = c.venue[slot] as number
      const without = wash.get(`${venue}:${day}`) ?? { trades: 0, usd: 0 }
      const series = rows.get(venue) ?? []
      series.push({
        day,
        tokens: c.tokens[slot] as number,
        trades: (c.trades[slot] as number) - without.trades,
        usd: (c.usd[slot] as number) - without.usd
      })
      rows.set(venue, series)
    })
    const sums = [...rows].map(([venue, series]) => ({
      venue,
      series: series.sort((a, b) => a.day - b.day),
      trades: series.reduce((sum, { trades }) => sum + trades, 0),
      usd: series.reduce((sum, { usd }) => sum + usd, 0)
    }))
    const total = {
      trades: sums.reduce((sum, { trades }) => sum + trades, 0),
      usd: sums.reduce((sum, { usd }) => sum + usd, 0)
    }
    const ids = fold.index.venues.columns.id
    return withUnknown(context, since, {
      chain: context.chain.id,
      days,
      since,
      venues: sums
        .sort((a, b) => b.usd - a.usd || b.trades - a.trades || a.venue - b.venue)
        .map(({ venue, series, trades, usd }) => ({
          dex: ids[venue] ?? null,
          volUsd: usd / MICRO,
          trades,
          sharePct: percent(usd, total.usd),
          series: series.map(row => ({
            day: row.day,
            volUsd: row.usd / MICRO,
            trades: row.trades,
            tokens: row.tokens
          }))
        })),
      totals: { volUsd: total.usd / MICRO, trades: total.trades },
      updatedAt: context.blockTime * 1000
    })
  }
)
