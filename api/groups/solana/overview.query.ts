/** Totals of Solana's last 24 hours (spec, part 2 and 4.14). No swap is taken for wash trading. */
import { type FoldsView, memoryQuery } from "../../../engine/query.ts"
import { withCoverage } from "../../../projections/coverage/covered-time.ts"
import { HOUR } from "../../../projections/markets/hours.ts"
import { markets } from "../../../projections/markets/output.ts"
import { pricesOutput } from "../../../projections/prices/output.ts"
import { completeSince, unknownIn } from "../../../src/domain/covered-time.ts"
import { shownChain, updatedAt } from "../../../src/domain/shown-chain.ts"
import { add, addTo, type Sum, sumAt, totalOf, volUsd, volumeFirst } from "../boards/swap-sums.ts"
import { windowOf } from "../boards/window-of.ts"

const HOURS = 24

/** The part of a venue in all volume, 0 to 1. */
const partOf = (part: Sum, whole: Sum): number =>
  whole.usd === 0 ? 0 : Math.round((part.usd / whole.usd) * 1e6) / 1e6

/** Swaps of the window by venue. */
const byVenue = (view: FoldsView): ReadonlyMap<number, Sum> => {
  const { index } = view.output(markets)
  const { columns } = windowOf(view).ofMarkets
  const venues = new Map<number, Sum>()
  for (let market = 0; market < index.markets.count; market++) {
    const sum = sumAt(columns, market)
    if (sum.trades > 0) addTo(venues, index.markets.columns.venue[market] as number, sum)
  }
  return venues
}

/** Swaps of each hour of the window. */
const byHour = (view: FoldsView) => {
  const { marketHours } = view.output(markets)
  const { since } = windowOf(view)
  const ring = marketHours.table.columns
  return Array.from({ length: HOURS }, (_, i) => {
    const hour = since + i * HOUR
    const sum = { trades: 0, usd: 0 }
    for (const slot of marketHours.of(hour)) add(sum, sumAt(ring, slot))
    return { hour, volumeUsd: volUsd(sum), trades: sum.trades }
  })
}

/** Tokens that traded, and how often one that is no anchor was bought. */
const ofTokens = (view: FoldsView) => {
  const { trades, buys } = windowOf(view).ofTokens.columns
  const { isAnchor } = view.output(pricesOutput)
  let [tokensTraded, bought] = [0, 0]
  for (let token = 0; token < trades.length; token++) {
    if (trades[token] === 0) continue
    tokensTraded++
    if (!isAnchor(token)) bought += buys[token] ?? 0
  }
  return { buys: bought, tokensTraded }
}

/** The last 24 hours, the newest block's included. */
export const solanaOverview = memoryQuery("solanaOverview", view => {
  const venues = byVenue(view)
  const total = totalOf(venues.values())
  const ids = view.output(markets).index.venues.columns.id
  const page = {
    chain: shownChain(view.chain),
    windowHours: HOURS,
    volumeUsd: volUsd(total),
    trades: total.trades,
    ...ofTokens(view),
    venues: [...venues]
      .sort(([a, x], [b, y]) => volumeFirst(x, y) || a - b)
      .map(([venue, sum]) => ({
        dex: ids[venue] ?? null,
        volumeUsd: volUsd(sum),
        trades: sum.trades,
        share: partOf(sum, total)
      })),
    hourly: byHour(view)
  }
  const { since } = windowOf(view)
  const { block, blockTime } = view
  const told = updatedAt(view)
  return withCoverage(view, coverage => {
    const coverageSince = completeSince(coverage)
    // the window of whole hours up to now is a day where nothing of it is missing
    const covered = coverageSince <= since ? HOURS : (blockTime - coverageSince) / HOUR
    return {
      ...page,
      coverageSince,
      coverageHours: Math.max(0, Math.min(HOURS, Math.round(covered * 100) / 100)),
      cursor: block,
      unknown: unknownIn(coverage, { from: since, to: blockTime + 1 }),
      updatedAt: told
    }
  })
})
