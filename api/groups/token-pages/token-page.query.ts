/** One token: its row, the last 24 hours and its venues. */

import { type FoldsView, memoryQuery, type Settled } from "../../../engine/query.ts"
import { withUnknown } from "../../../projections/coverage/covered-time.ts"
import { HOUR } from "../../../projections/markets/hours.ts"
import { markets } from "../../../projections/markets/output.ts"
import type { Window } from "../../../projections/markets/window.ts"
import { printsOf, tapeOutput } from "../../../projections/tape/output.ts"
import { unknownToken } from "../../../projections/tokens/queries.ts"
import { idBytes } from "../../../src/domain/ids.ts"
import {
  addTo,
  type Sum,
  shareOf,
  sumAt,
  totalOf,
  volUsd,
  volumeFirst
} from "../boards/swap-sums.ts"
import { TokenView, tokenRows } from "../boards/token-row.ts"
import { knownWallets, walletWarnings } from "../boards/unknown-wallets.ts"
import { windowOf } from "../boards/window-of.ts"

const MICRO = 1e6

/** The refusal of a token that never traded. */
export const unknown = (context: FoldsView, address: string): Settled => ({
  refused: unknownToken(context, address).refusal
})

/** The hours of the window, oldest first, also those without a trade. */
const hoursOf = (context: FoldsView, { since }: Window, token: number) => {
  const fold = context.output(markets)
  const c = fold.tokenHours.table.columns
  return Array.from({ length: 24 }, (_, i) => {
    const hour = since + i * HOUR
    const slot = fold.tokenHours.find(token, hour)
    if (slot < 0) {
      return { hour, trades: 0, buys: 0, sells: 0, buyUsd: 0, sellUsd: 0, makers: 0, close: null }
    }
    const [trades, buys] = [c.trades[slot] as number, c.buys[slot] as number]
    const close = c.close[slot] as number
    return {
      hour,
      trades,
      buys,
      sells: trades - buys,
      buyUsd: (c.buy_usd[slot] as number) / MICRO,
      sellUsd: (c.sell_usd[slot] as number) / MICRO,
      makers: knownWallets(trades, c.makers[slot] as number),
      close: close > 0 ? close : null
    }
  })
}

const venuesOf = (context: FoldsView, { ofMarkets }: Window, token: number) => {
  const { index } = context.output(markets)
  const { venue } = index.markets.columns
  const sums = new Map<number, Sum>()
  for (const market of index.ofToken(token)) {
    const sum = sumAt(ofMarkets.columns, market)
    if (sum.trades > 0) addTo(sums, venue[market] as number, sum)
  }
  const total = totalOf(sums.values())
  const ids = index.venues.columns.id
  return [...sums]
    .sort(([a, x], [b, y]) => volumeFirst(x, y) || a - b)
    .map(([of, sum]) => ({
      dex: ids[of] ?? null,
      volUsd: volUsd(sum),
      trades: sum.trades,
      sharePct: shareOf(sum, total)
    }))
}

/** `{ token }`: the token's row, its hours and its venues. */
export const tokenPage = memoryQuery("tokenPage", (context, params: { readonly token: string }) => {
  const fold = context.output(markets)
  const window = windowOf(context)
  const view = new TokenView(context, window)
  const { token: address } = params
  const token = view.facts.tokens.find(idBytes(address))
  if (printsOf(context, token) === 0) return unknown(context, address)
  const { ath, ath_ts } = fold.marks.table.columns
  const highest = ath[token] as number
  return withUnknown(context, window.since, {
    sinceHour: window.since,
    token: tokenRows(context, view, [token])[0],
    ath: highest > 0 ? { priceUsd: highest, ts: ath_ts[token] as number } : null,
    firstTradeTs: context.output(tapeOutput).activity().first_ts[token] as number,
    hourly24: hoursOf(context, window, token),
    venues24h: venuesOf(context, window, token),
    ...walletWarnings(context)
  })
})
