/** Totals of a chain (spec part 2): the last 24 hours by hour and venue, and days. */
import { type FoldsView, memoryQuery, once } from "../../../engine/query.ts"
import { withCoverage, withUnknown } from "../../../projections/coverage/covered-time.ts"
import { coverageOutput } from "../../../projections/coverage/output.ts"
import { sumDay } from "../../../projections/markets/close-day.ts"
import { DAY, HOUR, hourOf } from "../../../projections/markets/hours.ts"
import { type Markets, markets } from "../../../projections/markets/output.ts"
import type { Window } from "../../../projections/markets/window.ts"
import { ingestFloorOf } from "../../../projections/prices/ingest-floor.ts"
import { isCovered, unknownIn } from "../../../src/domain/covered-time.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"
import { type RuleSet, rulesOf } from "../../../src/rules/rule-sets.ts"
import { NONE } from "../../../streams/batch/id-table.ts"
import { isSuspect, isWashed } from "./suspects.ts"
import { add, addTo, type Sum, shareOf, sumAt, totalOf, volUsd, volumeFirst } from "./swap-sums.ts"
import { knownWallets, walletWarnings } from "./unknown-wallets.ts"
import { windowOf } from "./window-of.ts"

const NOTHING: Sum = { trades: 0, usd: 0 }

/** Start of the newest block's UTC day. */
const todayOf = ({ blockTime }: FoldsView): number => blockTime - (blockTime % DAY)

/** Swaps and distinct tokens of the window by venue and in all; those of suspect markets apart. */
const sumMarkets = (fold: Markets, window: Window, rules: RuleSet) => {
  const { columns, count } = fold.index.markets
  const { columns: marketTokens, count: listings } = fold.index.listings
  const venues = new Map<number, Sum>()
  const tokens = new Map<number, number>()
  const excluded = { trades: 0, usd: 0, markets: 0 }
  const isExcluded = new Uint8Array(count)
  const isListed = new Uint8Array(listings)
  const isCounted = new Uint8Array(fold.tokenHours.keyCount)
  let all = 0
  for (let market = 0; market < count; market++) {
    if ((window.ofMarkets.columns.trades[market] ?? 0) === 0) continue
    const sum = sumAt(window.ofMarkets.columns, market)
    if (isSuspect(window, market, rules)) {
      isExcluded[market] = 1
      excluded.markets++
      add(excluded, sum)
      continue
    }
    const venue = columns.venue[market] as number
    addTo(venues, venue, sum)
    for (const listing of [columns.listing0[market], columns.listing1[market]] as Array<number>) {
      if (listing === NONE || isListed[listing] === 1) continue
      isListed[listing] = 1
      tokens.set(venue, (tokens.get(venue) ?? 0) + 1)
      const token = marketTokens.token[listing] as number
      if (isCounted[token] === 0) all++
      isCounted[token] = 1
    }
  }
  return { venues, tokens: { of: tokens, all }, excluded, isExcluded }
}

/** Sums of the present window, found once a position: by venue, by hour and of suspect markets. */
const totalsOf = once(view => {
  const fold = view.output(markets)
  const window = windowOf(view)
  const { isExcluded, ...sums } = sumMarkets(fold, window, rulesOf(view.chain))
  const ring = fold.marketHours.table.columns
  const hours = Array.from({ length: 24 }, (_, i) => {
    const hour = window.since + i * HOUR
    const sum = { trades: 0, usd: 0 }
    for (const slot of fold.marketHours.of(hour)) {
      if (isExcluded[ring.market[slot] as number] !== 1) add(sum, sumAt(ring, slot))
    }
    return { hour, volUsd: volUsd(sum), swaps: sum.trades }
  })
  return { ...sums, hours }
})

/** The markets of each day that a rule calls wash trading, found once a position. */
const suspectDaysOf = once(view => {
  const fold = view.output(markets)
  const rules = rulesOf(view.chain)
  const suspects: Array<{ readonly market: number; readonly day: number } & Sum> = []
  const { odd, day } = fold.days
  const c = odd.table.columns
  for (const slot of odd.slots()) {
    const [known, knownUsd] = [c.known[slot] as number, c.known_usd[slot] as number]
    if (!isWashed(known, knownUsd, c.makers[slot] as number, rules)) continue
    suspects.push({
      market: c.market[slot] as number,
      day: c.day[slot] as number,
      ...sumAt(c, slot)
    })
  }
  if (day <= 0) return suspects
  const isOut = (known: number, knownUsd: number, makers: number) =>
    isWashed(known, knownUsd, makers, rules)
  for (const [market, sum] of sumDay(fold, day, isOut)) suspects.push({ market, day, ...sum })
  return suspects
})

/** The days from `since` on, oldest first. */
const daily = (view: FoldsView, since: number) => {
  const { chain } = view.output(markets).days
  const wash = new Map<number, Sum>()
  for (const one of suspectDaysOf(view)) addTo(wash, one.day, one)
  const c = chain.table.columns
  return chain
    .slots()
    .filter(slot => (c.day[slot] as number) >= since)
    .map(slot => {
      const day = c.day[slot] as number
      const sum = add(sumAt(c, slot), wash.get(day) ?? NOTHING, -1)
      return {
        day,
        swaps: sum.trades,
        volUsd: volUsd(sum),
        tokens: c.tokens[slot] as number,
        wallets: knownWallets(c.trades[slot] as number, c.wallets[slot] as number),
        venues: c.venues[slot] as number
      }
    })
    .sort((a, b) => a.day - b.day)
}

/** Distinct wallets of the newest block's UTC day and of the one before. */
const walletDays = (fold: Markets, today: number) => {
  const c = fold.days.chain.table.columns
  const walletsOn = (day: number): number | null => {
    const slot = fold.days.chain.find(0, day)
    return slot < 0 ? 0 : knownWallets(c.trades[slot] as number, c.wallets[slot] as number)
  }
  return { day: today, today: walletsOn(today), yesterday: walletsOn(today - DAY) }
}

/** Start of the hour of the oldest swap; null where there is none. */
const floorHourOf = ({ index }: Markets): number | null => {
  const { columns, count } = index.markets
  return count === 0 ? null : hourOf(columns.first_ts[0] as number)
}

export type OverviewParams = {
  readonly days: number
  /** of a family that one chain has to itself */
  readonly own: boolean
  /** whether the newest block is older than it should be */
  readonly stale: boolean
  /** whether history is read to its end */
  readonly backfilled: boolean
}

/** How far the index reaches back. The first hour is the chain's where the log begins with it. */
const depthOf = (view: FoldsView, { backfilled }: OverviewParams) => {
  const floorHour = floorHourOf(view.output(markets))
  const isWhole = backfilled && view.output(coverageOutput).said().start === 0
  return { floorHour, genesisHour: isWhole ? floorHour : null, backfillComplete: backfilled }
}

/** The totals as if the log covered yesterday. */
const overviewOf = (view: FoldsView, params: OverviewParams) => {
  const fold = view.output(markets)
  const { venues, tokens, excluded, hours } = totalsOf(view)
  const total = totalOf(venues.values())
  const today = todayOf(view)
  const ids = fold.index.venues.columns.id
  return {
    chain: shownChain(view.chain),
    last24h: {
      volUsd: volUsd(total),
      swaps: total.trades,
      tokens: tokens.all,
      venues: venues.size,
      sinceHour: windowOf(view).since,
      excluded: { volUsd: volUsd(excluded), swaps: excluded.trades, markets: excluded.markets }
    },
    ...(params.own ? {} : { wallets: walletDays(fold, today) }),
    venues24h: [...venues]
      .sort(([a, x], [b, y]) => volumeFirst(x, y) || a - b)
      .map(([venue, sum]) => ({
        dex: ids[venue] ?? null,
        volUsd: volUsd(sum),
        trades: sum.trades,
        tokens: tokens.of.get(venue) ?? 0,
        sharePct: shareOf(sum, total)
      })),
    hourly24: hours,
    daily: daily(view, today - (params.days - 1) * DAY),
    coverage: {
      recentAt: view.blockTime,
      stale: params.stale,
      ...(params.own ? depthOf(view, params) : {})
    },
    ...(params.own ? {} : { ingestFloor: ingestFloorOf(view.chain) }),
    ...walletWarnings(view),
    updatedAt: updatedAt(view)
  }
}

/** Totals with so many days, oldest first. */
export const overview = memoryQuery("overview", (view, params: OverviewParams) => {
  const totals = overviewOf(view, params)
  const { wallets, last24h } = totals
  const today = todayOf(view)
  const from = Math.min(last24h.sinceHour, today - (params.days - 1) * DAY)
  const yesterday = { from: today - DAY, to: today }
  return withCoverage(view, coverage => ({
    ...totals,
    ...(wallets === undefined || isCovered(coverage, yesterday)
      ? {}
      : { wallets: { ...wallets, yesterday: null } }),
    unknown: unknownIn(coverage, { from, to: view.blockTime + 1 })
  }))
})

/** `{ days }`: the share of each venue, by UTC day, the newest block's day included. */
export const venueShares = memoryQuery(
  "venueShares",
  (view, { days }: { readonly days: number }) => {
    const fold = view.output(markets)
    const since = todayOf(view) - (days - 1) * DAY
    const wash = new Map<string, Sum>()
    const { venue: venueOf } = fold.index.markets.columns
    for (const one of suspectDaysOf(view)) addTo(wash, `${venueOf[one.market]}:${one.day}`, one)
    const c = fold.days.venues.table.columns
    const rows = fold.days.venues.slots().map(slot => {
      const [venue, day] = [c.venue[slot] as number, c.day[slot] as number]
      const sum = add(sumAt(c, slot), wash.get(`${venue}:${day}`) ?? NOTHING, -1)
      return { venue, day, tokens: c.tokens[slot] as number, ...sum }
    })
    const shown = rows.filter(({ day }) => day >= since).sort((a, b) => a.day - b.day)
    const sums = [...new Set(shown.map(({ venue }) => venue))].map(venue => {
      const series = shown.filter(row => row.venue === venue)
      return { venue, series, ...totalOf(series) }
    })
    const total = totalOf(sums)
    const ids = fold.index.venues.columns.id
    return withUnknown(view, since, {
      chain: shownChain(view.chain),
      days,
      since,
      venues: sums
        .sort((a, b) => volumeFirst(a, b) || a.venue - b.venue)
        .map(({ venue, series, ...sum }) => ({
          dex: ids[venue] ?? null,
          volUsd: volUsd(sum),
          trades: sum.trades,
          sharePct: shareOf(sum, total),
          series: series.map(({ day, tokens, ...of }) => ({
            ...{ day, volUsd: volUsd(of), trades: of.trades, tokens }
          }))
        })),
      totals: { volUsd: volUsd(total), trades: total.trades },
      updatedAt: updatedAt(view)
    })
  }
)
