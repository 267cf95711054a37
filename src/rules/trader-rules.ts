/**
 * Who is shown on the boards of traders, and by which score (spec 4.14). All thresholds stand here,
 * and the texts that answers give of the rules are made of them. Days are those of UTC.
 */

/** A wallet is likely a bot that does more in a day. */
export const botRule = {
  version: 1,
  id: "trader-bot",
  tradesADay: 3_000,
  tokensADay: 300,
  text: "on some UTC day over tradesADay trades or tokensADay tokens"
} as const

/** What the board of a day says of wallets that it leaves out. */
export const dayTraderRule = {
  version: 1,
  id: "day-traders",
  minVolumeUsd: 1_000,
  text: `bots (over ${botRule.tradesADay} trades or ${botRule.tokensADay} tokens on a UTC day) and wallets under $1000 volume are left out`
} as const

/** Thresholds of smart traders; dollars, seconds and parts of one. */
export const smartThresholds = {
  candidates: 250,
  rebuildSeconds: 600,
  minRoiCostUsd: 1_000,
  /** part of a position's amount that was traded where its dollars are not told, or is not seen */
  unpricedPart: 0.1,
  suspectReturn: 1_000,
  cadenceSwapsADay: 500,
  sniperTokensADay: 150,
  burstTransactions: 8,
  burstSeconds: 60,
  quickSellSeconds: 2,
  quickSells: 5,
  quickSellPart: 0.05,
  arbTransactions: 1,
  scalpSeconds: 60,
  launchSeconds: 2,
  launchPart: 0.5,
  siblingTokens: 3,
  siblingSeconds: 2,
  minClosedTokens: 5,
  minTrades: 10,
  minVolumeUsd: 2_000,
  minPnlUsd: 1_000,
  minWinRate: 0.3,
  phantomPositions: 20,
  phantomWinRate: 0.5,
  winRateBase: 0.35,
  winRateWeight: 0.65,
  profitableDaysBase: 0.5,
  profitableDaysWeight: 0.5,
  /** the first one that is met counts */
  concentration: [
    { above: 0.8, factor: 0.5 },
    { above: 0.6, factor: 0.75 }
  ],
  decayHours: 48
} as const

const t = smartThresholds
const percent = (part: number): string => `${part * 100} %`
const [most, many] = t.concentration

/** A text for each of the seven rules. */
const smartTraderTexts: ReadonlyArray<string> = [
  `rebuilt every ${t.rebuildSeconds / 60} minutes; a request computes nothing, and computedAt tells when the board was built`,
  `candidates are the ${t.candidates} wallets with the highest realized PnL in the window, which begins at from and never before coverageSince; sort=roi ranks only wallets that put at least $${t.minRoiCostUsd} to work (costSoldUsd)`,
  `PnL is realized at average cost over the whole window, from pools quoted in SOL, USDC or USDT only; a position with over ${percent(t.unpricedPart)} of its amount traded in pools quoted in another token, without believed dollars, or sold beyond what it bought, is left out (unpricedTokens); a position returning over ${t.suspectReturn} times its cost, or selling for more than the token's deepest pool could pay now, is left out (suspectTokens)`,
  `removed are cadence: over ${t.cadenceSwapsADay} swaps on a UTC day; sniper: over ${t.sniperTokensADay} tokens on a UTC day; burst: ${t.burstTransactions} or more transactions in a minute, in more minutes than the wallet has active days; sameslot: ${t.quickSells} or more sells within ${t.quickSellSeconds} seconds of buying and at least ${percent(t.quickSellPart)} of its sells; arb: transactions that buy and sell one token; scalp: median hold under ${t.scalpSeconds} seconds; launch: most closed positions first bought within ${t.launchSeconds} seconds of the pool's first swap`,
  `wallets whose first buys of the same ${t.siblingTokens} or more tokens fall within ${t.siblingSeconds} seconds of each other are one operator: only the best score stays and carries siblings`,
  `shown from ${t.minClosedTokens} tokens bought and sold, ${t.minTrades} swaps, $${t.minVolumeUsd} volume, $${t.minPnlUsd} realized PnL and ${percent(t.minWinRate)} win rate on`,
  `score = realized PnL x (${t.winRateBase} + ${t.winRateWeight} x win rate shrunk toward ${percent(t.phantomWinRate)} with ${t.phantomPositions} phantom positions) x (${t.profitableDaysBase} + ${t.profitableDaysWeight} x profitable days / active days) x (${most.factor} when one token made over ${percent(most.above)} of profit, ${many.factor} when over ${percent(many.above)}) x exp(-hours since last trade / ${t.decayHours}); unrealized PnL is shown, not ranked`
]

/** The rules of smart traders as they are published. */
export const smartTraderRule = {
  version: 2,
  id: "smart-traders",
  texts: smartTraderTexts,
  thresholds: smartThresholds
}

export const TRADER_FLAGS = [
  "cadence",
  "sniper",
  "burst",
  "sameslot",
  "arb",
  "scalp",
  "launch"
] as const
export type TraderFlag = (typeof TRADER_FLAGS)[number]

/** What the busiest day of a wallet tells of it. */
export interface BusiestDay {
  readonly swaps: number
  readonly tokens: number
}

/** The flags that a wallet's busiest day alone gives it. */
export const dayFlagsOf = ({ swaps, tokens }: BusiestDay): ReadonlyArray<TraderFlag> => [
  ...(swaps > t.cadenceSwapsADay ? (["cadence"] as const) : []),
  ...(tokens > t.sniperTokensADay ? (["sniper"] as const) : [])
]

/** How a wallet trades. */
export interface Habits {
  /** minutes with so many transactions that they are a burst */
  readonly burstMinutes: number
  readonly activeDays: number
  readonly sells: number
  /** sells so soon after buying that they are in one slot, or nearly */
  readonly quickSells: number
  /** transactions that buy and sell one token */
  readonly arbTransactions: number
  /** seconds; null where nothing that was bought was sold */
  readonly medianHoldS: number | null
  /** positions bought and sold; those of them first bought right at the pool's first swap */
  readonly closedTokens: number
  readonly launchTokens: number
}

/** The flags that a wallet's swaps one by one give it. */
export const habitFlagsOf = (of: Habits): ReadonlyArray<TraderFlag> => {
  const isSameSlot = of.quickSells >= t.quickSells && of.quickSells >= t.quickSellPart * of.sells
  const met: ReadonlyArray<readonly [TraderFlag, boolean]> = [
    ["burst", of.burstMinutes > of.activeDays],
    ["sameslot", isSameSlot],
    ["arb", of.arbTransactions >= t.arbTransactions],
    ["scalp", of.medianHoldS !== null && of.medianHoldS < t.scalpSeconds],
    ["launch", of.launchTokens > t.launchPart * of.closedTokens]
  ]
  return met.flatMap(([flag, isMet]) => (isMet ? [flag] : []))
}

/** A position of the window: amounts in whole tokens, dollars. */
export interface TradedPosition {
  readonly bought: number
  readonly sold: number
  /** amount that was traded where its dollars are not told */
  readonly unpriced: number
  readonly soldUsd: number
  /** what the sold part had cost */
  readonly costSoldUsd: number
  /** what the token's deepest pool could pay; null where no pool of it is known */
  readonly payoutUsd: number | null
}

/**
 * Whether too much of a position was traded where its dollars are not told. What was sold beyond
 * what was bought came from elsewhere too: from such pools, or from where nobody reads.
 */
export const isUnpriced = ({ bought, sold, unpriced }: TradedPosition): boolean =>
  Math.max(unpriced, sold - bought) > t.unpricedPart * (bought + sold + unpriced)

/** Whether nobody believes what a position made. */
export const isSuspect = ({ soldUsd, costSoldUsd, payoutUsd }: TradedPosition): boolean =>
  soldUsd > t.suspectReturn * costSoldUsd || (payoutUsd !== null && soldUsd > payoutUsd)

/** What a wallet made in the window. */
export interface Made {
  readonly closedTokens: number
  readonly winningTokens: number
  readonly trades: number
  readonly volumeUsd: number
  readonly realizedPnlUsd: number
  readonly activeDays: number
  readonly profitableDays: number
  /** part of the realized PnL that one token made, 1 at most */
  readonly bestShare: number
  /** Unix seconds */
  readonly lastTrade: number
}

/** The part of closed positions that won; 0 where none is closed. */
export const winRateOf = ({
  closedTokens,
  winningTokens
}: Pick<Made, "closedTokens" | "winningTokens">): number =>
  closedTokens === 0 ? 0 : winningTokens / closedTokens

/** The win rate with phantom positions besides, so that few positions tell little. */
export const shrunkWinRate = ({
  closedTokens,
  winningTokens
}: Pick<Made, "closedTokens" | "winningTokens">): number =>
  (winningTokens + t.phantomWinRate * t.phantomPositions) / (closedTokens + t.phantomPositions)

export const isEligible = (of: Made): boolean =>
  of.closedTokens >= t.minClosedTokens &&
  of.trades >= t.minTrades &&
  of.volumeUsd >= t.minVolumeUsd &&
  of.realizedPnlUsd >= t.minPnlUsd &&
  winRateOf(of) >= t.minWinRate

/** The score of a wallet at a time, Unix seconds. */
export const scoreOf = (of: Made, now: number): number => {
  const wins = t.winRateBase + t.winRateWeight * shrunkWinRate(of)
  const days = of.activeDays === 0 ? 0 : of.profitableDays / of.activeDays
  const steady = t.profitableDaysBase + t.profitableDaysWeight * days
  const spread = t.concentration.find(({ above }) => of.bestShare > above)?.factor ?? 1
  const hours = Math.max(0, now - of.lastTrade) / 3600
  return of.realizedPnlUsd * wins * steady * spread * Math.exp(-hours / t.decayHours)
}
