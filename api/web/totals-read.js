// @ts-check
/** Reads a chain's totals in the one shape that is drawn, whichever form its answer has. */

import { familyOf, ownTotalsOf } from "./family.js"
import { formatDateTime, formatInteger, formatUsd } from "./format.js"

/** @typedef {import("./types.d.ts").Overview} Overview */
/** @typedef {import("./types.d.ts").SolanaOverview} SolanaOverview */
/** @typedef {import("./types.d.ts").Totals} Totals */
/** @typedef {Totals["facts"][number]} Fact */

const DAY = 86_400
const DAYS = 14

/** @type {(overview: Overview) => Fact[]} */
const factsOf = overview => {
  const { last24h } = overview
  const wallets = "wallets" in overview ? overview.wallets : null
  return [
    ["Volume 24 h", formatUsd(last24h.volUsd)],
    ["Swaps", formatInteger(last24h.swaps)],
    ["Tokens", formatInteger(last24h.tokens)],
    ["Venues", formatInteger(last24h.venues)],
    ...(wallets === null
      ? []
      : /** @type {const} */ ([
          ["Wallets today", formatInteger(wallets.today)],
          ["Wallets yesterday", formatInteger(wallets.yesterday)]
        ]))
  ]
}

/** @type {(overview: Overview) => string[]} */
const wordsOf = ({ last24h: { excluded }, coverage }) => [
  ...(coverage.stale
    ? [`Stale: the newest block is of ${formatDateTime(coverage.recentAt)} UTC.`]
    : []),
  ...(excluded.swaps > 0
    ? [
        `${formatUsd(excluded.volUsd)} in ${formatInteger(excluded.swaps)} swaps of ${formatInteger(excluded.markets)} markets look like wash trading and are in no sum here.`
      ]
    : [])
]

/** The last days, those without a swap too. @type {(overview: Overview) => Totals["days"]} */
const daysOf = ({ coverage, daily }) => {
  const today = Math.floor(coverage.recentAt / DAY) * DAY
  return Array.from({ length: DAYS }, (_, at) => {
    const from = today - (DAYS - 1 - at) * DAY
    const { volUsd, swaps } = daily.find(({ day }) => day === from) ?? { volUsd: 0, swaps: 0 }
    return { from, volUsd, swaps }
  })
}

/** @type {(overview: Overview) => Totals} */
const totalsOf = overview => ({
  facts: factsOf(overview),
  words: wordsOf(overview),
  hours: overview.hourly24.map(({ hour, volUsd, swaps }) => ({ from: hour, volUsd, swaps })),
  days: daysOf(overview),
  venues: overview.venues24h,
  unknown: overview.unknown
})

/** @type {(overview: SolanaOverview) => Totals} */
const totalsOfSolana = overview => ({
  facts: [
    ["Volume 24 h", formatUsd(overview.volumeUsd)],
    ["Swaps", formatInteger(overview.trades)],
    ["Buys", formatInteger(overview.buys)],
    ["Tokens", formatInteger(overview.tokensTraded)],
    ["Venues", formatInteger(overview.venues.length)],
    ["Known of it", `${overview.coverageHours} of ${overview.windowHours} h`],
    ["Whole since", `${formatDateTime(overview.coverageSince)} UTC`],
    ["Newest slot", `${formatInteger(overview.cursor)}, ${formatDateTime(overview.updatedAt)} UTC`]
  ],
  words: [],
  hours: overview.hourly.map(({ hour, volumeUsd, trades }) => ({
    ...{ from: hour, volUsd: volumeUsd, swaps: trades }
  })),
  days: [],
  venues: overview.venues.map(({ dex, volumeUsd, share, trades }) => ({
    ...{ dex, volUsd: volumeUsd, sharePct: share * 100, trades, tokens: null }
  })),
  unknown: overview.unknown
})

/**
 * The last day of a chain, and its last days where it tells of them.
 *
 * @type {(chain: string, options: import("./family.js").Options) =>
 *   Promise<{ readonly totals: Totals, readonly seq: number | null }>}
 */
export const loadTotals = async (chain, options) => {
  const own = ownTotalsOf(chain)
  if (own !== null) {
    const { body, seq } = await own.solanaOverview({}, options)
    return { totals: totalsOfSolana(body), seq }
  }
  const { body, seq } = await familyOf(chain).overview(options)
  return { totals: totalsOf(body), seq }
}
