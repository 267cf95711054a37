/** Tokens that move: by price (trending) and by who trades them (attention), over two hours. */

import { type FoldsView, memoryQuery, once } from "../../../engine/query.ts"
import { withUnknown } from "../../../projections/coverage/covered-time.ts"
import { type Change, changeFrom } from "../../../projections/markets/change.ts"
import { HOUR } from "../../../projections/markets/hours.ts"
import { type Markets, markets } from "../../../projections/markets/output.ts"
import type { Window } from "../../../projections/markets/window.ts"
import { topOf } from "../../../src/math/top.ts"
import { TokenView, tokenRows } from "../boards/token-row.ts"
import { walletWarnings } from "../boards/unknown-wallets.ts"
import { windowOf } from "../boards/window-of.ts"

const MICRO = 1e6

/** The formulas, told with every answer. */
const trendingFormula = {
  version: 3,
  text: "tokens with a price, and at least 10 prints, 3 wallets and $1,000 in the present and the previous clock hour, by the change of the newest price against the newest one before those hours, or against their first price of all where that lies in them; flagged tokens are left out",
  minTrades: 10,
  minMakers: 3,
  minUsd: 1_000
} as const

const attentionFormula = {
  version: 1,
  text: "tokens with at least 5 wallets an hour in the present and the previous clock hour, by that number against the mean of the 22 hours before (1 at least); flagged tokens are left out",
  minMakers: 10
} as const

/** What a token did in the present and the previous hour, and before. */
interface Recent {
  trades: number
  usd: number
  /** sums of hours: a wallet counts once an hour */
  makers: number
  makersBefore: number
  /** newest close of the two hours and before; not above 0 for none */
  close: number
  before: number
}

/** Of the tokens traded in the newest two hours of a window those that are `busy`. */
const recentOf = (
  { tokenHours }: Markets,
  window: Window,
  busy: (of: Recent) => boolean
): ReadonlyMap<number, Recent> => {
  const c = tokenHours.table.columns
  const newest = window.since + 22 * HOUR
  const slots = [...tokenHours.of(newest), ...tokenHours.of(newest + HOUR)]
  const byToken = new Map<number, Recent>()
  for (const token of new Set(slots.map(slot => c.token[slot] as number))) {
    const recent = { trades: 0, usd: 0, makers: 0, makersBefore: 0, close: 0, before: 0 }
    let slot = tokenHours.newestOf(token)
    for (; slot >= 0 && (c.hour[slot] as number) >= newest; slot = tokenHours.beforeOf(slot)) {
      recent.trades += c.trades[slot] as number
      recent.usd += (c.buy_usd[slot] as number) + (c.sell_usd[slot] as number)
      recent.makers += c.makers[slot] as number
      recent.close ||= c.close[slot] || 0
    }
    if (!busy(recent)) continue
    for (
      ;
      slot >= 0 && (c.hour[slot] as number) >= window.since;
      slot = tokenHours.beforeOf(slot)
    ) {
      recent.makersBefore += c.makers[slot] as number
      recent.before ||= c.close[slot] || 0
    }
    recent.before ||= window.baseOf(token)
    byToken.set(token, recent)
  }
  return byToken
}

/** The rows of the first tokens by a score, each with `more` about it. */
const ranked = <M extends object>(
  context: FoldsView,
  limit: number,
  view: TokenView,
  scores: ReadonlyMap<number, number>,
  more: (token: number) => M
) => {
  const clean = [...scores.keys()].filter(token => !view.isWash(token) && !view.isImpostor(token))
  const scoreOf = (token: number): number => scores.get(token) as number
  const shown = topOf(clean, limit, (a, b) => scoreOf(b) - scoreOf(a) || a - b)
  return tokenRows(context, view, shown).map((row, i) => ({ ...row, ...more(shown[i] as number) }))
}

const isTrending = ({ trades, makers, usd, close }: Recent): boolean => {
  const { minTrades, minMakers, minUsd } = trendingFormula
  return trades >= minTrades && makers >= minMakers && usd >= minUsd * MICRO && close > 0
}

const isWatched = ({ makers }: Recent): boolean => makers >= attentionFormula.minMakers

/** The tokens of the present commit that either board may show, found once. */
const busyOf = once(context =>
  recentOf(
    context.output(markets),
    windowOf(context),
    recent => isTrending(recent) || isWatched(recent)
  )
)

/** `{ limit }` */
export const trending = memoryQuery("trending", (context, params: { readonly limit: number }) => {
  const window = windowOf(context)
  const since = window.since + 22 * HOUR
  const view = new TokenView(context, window)
  const recent = busyOf(context)
  const { marks } = context.output(markets)
  const changes = new Map<number, Change>()
  for (const [token, of] of recent) {
    const change = isTrending(of) ? changeFrom(marks.seen(token), since, of.before) : null
    const told = view.told(token, change)
    if (told !== null) changes.set(token, told)
  }
  const scores = new Map([...changes].map(([token, { pct }]) => [token, pct] as const))
  return withUnknown(context, window.since, {
    sinceHour: since,
    formula: trendingFormula,
    tokens: ranked(context, params.limit, view, scores, token => ({
      change2hPct: changes.get(token)?.pct as number,
      change2hSince: changes.get(token)?.since as number,
      trades2h: (recent.get(token) as Recent).trades,
      volume2h: (recent.get(token) as Recent).usd / MICRO
    })),
    ...walletWarnings(context)
  })
})

/** `{ limit }` */
export const attention = memoryQuery("attention", (context, params: { readonly limit: number }) => {
  const window = windowOf(context)
  const view = new TokenView(context, window)
  const recent = busyOf(context)
  const scores = new Map<number, number>()
  for (const [token, of] of recent) {
    if (isWatched(of)) scores.set(token, of.makers / 2 / Math.max(1, of.makersBefore / 22))
  }
  return withUnknown(context, window.since, {
    sinceHour: window.since + 22 * HOUR,
    formula: attentionFormula,
    tokens: ranked(context, params.limit, view, scores, token => ({
      attention: scores.get(token) as number,
      tradersPerHour: (recent.get(token)?.makers ?? 0) / 2,
      tradersPerHourBefore: (recent.get(token)?.makersBefore ?? 0) / 22
    })),
    ...walletWarnings(context)
  })
})
