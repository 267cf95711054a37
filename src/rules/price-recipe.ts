/**
 * The recipe of prices as a value: the folds apply it, and the explain route publishes it. A
 * changed threshold or rule is a new version. The projection has the recipe's version, so the
 * tables are then rebuilt from the log.
 */

export const thresholds = {
  /** dollars on the quote side from which a pool may set a price */
  minDepthUsd: 1_000,
  /** seconds between a pool's making and the first time that it may set a price */
  minAgeSeconds: 300,
  /** depth of a pool of ranges at most, as a multiple of the quote tokens in it */
  maxLeverage: 20,
  /** a pool this factor away from an anchor's weighted median is not in the anchor's mean */
  maxAnchorSpread: 1.25,
  /**
   * a pool's weight is halved for each whole time so many seconds that it is silent longer than
   * the newest
   */
  anchorHalvingSeconds: 3_600,
  /** a pool that is silent so many seconds longer than the newest has no weight */
  anchorSilentSeconds: 86_400,
  /** an anchor's mean this factor away from its former price must last before it counts */
  anchorJump: 2,
  /** a dollar's mean this factor away from its former price must last before it counts */
  dollarJump: 1.02,
  /** seconds that such a mean must last */
  anchorHoldSeconds: 300,
  /** after so many seconds without a pool that sets the anchor's price, a mean counts at once */
  anchorStaleSeconds: 86_400,
  /** dollar anchors with a price in the reference that are needed before their median is $1 */
  minDollars: 3,
  /** dollars of depth that the pools of a dollar anchor need together */
  minDollarDepthUsd: 100_000,
  /** a print this factor away from its token's price is an outlier */
  maxPriceRatio: 5,
  /**
   * dollars of a print that is no outlier, as a multiple of its pool's quote side around the swap
   */
  maxDollarsPerDepth: 10,
  /** prints by which a new level must outnumber the accepted one before it is accepted */
  recoverPrints: 5,
  /** seconds that prints of one pool must stand at a new level */
  recoverSeconds: 60,
  /** seconds that prints must stand there whose pools could not set the price themselves */
  recoverWeakSeconds: 86_400,
  /** raw units of each token below which a print has no price: rounding would shift it */
  minRawUnits: 1_000,
  /** dollars from which a swap is not believed: sums must stay exact integers of micro-dollars */
  maxTradeUsd: 2 ** 53 / 1e6
} as const

/** Why a pool may not set a price; the code of a reason is its place in this list. */
export const reasons = ["", "no-price", "thin", "one-sided", "new"] as const
export type Reason = Exclude<(typeof reasons)[number], "">

/** Returns the reason of a code; null for code 0. */
export const reasonOf = (code: number): Reason | null => reasons[code] || null

/** Codes of why a print is an outlier; 0 stands for none. */
export const OUTLIER = { price: 1, dollars: 2 } as const

const POOLS =
  "A pool sets no price while it is thin (less than minDepthUsd on its quote side), one-sided (less than that of the quote token came in by its events, where the log holds all of them; unknown is not zero) or new (made less than minAgeSeconds ago). What was made before the log, or in its first minAgeSeconds, is not new; of an unlisted venue the first event counts as the making. The curve of a launch program, which makes the token with it, is not new either: nothing prices the token before. The pool that a curve's own program moves all of the curve's liquidity into is as old as the curve, and until it has told a price the curve's last one stands. A pool of ranges is as deep as maxLeverage times the quote tokens in it at most, and on Solana, where venues seldom tell liquidity, as the quote tokens in its vault."
const LISTED =
  "Pools of the registry's venues come first: others price a token only while none of those may."
const PRINTS = [
  "A swap's dollars are its quote side times the quote's price; a print's price is its dollars by its amount, null where less than minRawUnits of either token moved, where the dollars are maxTradeUsd or more, and without an anchor side. Below a chain's ingest floor a swap is no print.",
  "A print is an outlier of its token where its price is more than maxPriceRatio away from the token's price, before and after the event, or, without one, from its last accepted print; a print of an anchor whose price nobody has told for anchorStaleSeconds is none; and of both tokens where its dollars are more than maxDollarsPerDepth times its pool's quote side. Outliers stay on the tape, and out of candles, volume and all-time highs.",
  "Prints at another level become the accepted ones when they outnumber those at the old one by recoverPrints, from two pools or for recoverSeconds, where those are pools that might set the price themselves, or, of a token without one, pools of listed venues; others must stand there for recoverWeakSeconds. While no pool prices a token, a listed pool's print counts at once against unlisted ones.",
  "The native unit counts as its wrapped token, in its own decimals. A token without decimals has no price; its prints are parked with their verdict, and priced when it tells its decimals as if it had told them before."
]

export const recipe = {
  version: 5,
  thresholds,
  steps: [
    "In a pair the better-ranked anchor is the quote. What a pool says is in its quote token: its state's price after its newest event, from reserves (not of a flat curve, as of Solidly's stable pairs), or liquidity and price, never a print. It is worth what the quote token costs at present, so that between a token's own trades its price moves with its quote's; so does the pool's depth, its quote side.",
    POOLS,
    LISTED,
    "A dollar anchor is worth what its pools against better-ranked dollars say, in the first of them that such a pool quotes in (the reference), weighted as below; coins count at a dollar each for their depth. With minDollars or more of them known, the reference too, each by pools of minDollarDepthUsd together, their median is $1; the others, and all where fewer are known, cost $1. A mean more than dollarJump away from the one before must last anchorHoldSeconds, within maxAnchorSpread, or as below.",
    "Another anchor costs the mean of its pools against better-ranked anchors, weighted by depth. For each whole anchorHalvingSeconds that a pool has been silent longer than the newest of those that may set the price, its weight is halved, and from anchorSilentSeconds on it has none. Pools that are more than maxAnchorSpread away from the weighted median are left out. A mean that is more than anchorJump away from the price before counts when it has lasted anchorHoldSeconds, or when no pool has told a price for anchorStaleSeconds.",
    "Any other token costs what its leading pool against an anchor says: the deepest one at the newest event of its pools that changed the lead.",
    ...PRINTS
  ],
  versions: [5, 4]
} as const

/** The recipe's versions as requests name them, newest first. */
export const RECIPE_VERSIONS = ["v5", "v4"] as const

/** The former recipe, which requests may still ask for: see `candidates.ts`. */
export const recipeV4 = {
  version: 4,
  steps: [
    "A usd anchor costs $1. In a pair the better-ranked anchor is the quote, and the other side's price is what the pool's state after its newest event says, in dollars of that moment: reserves (not of a flat curve, as of Solidly's stable pairs), or liquidity and price, never a print. Depth is the quote side in dollars.",
    POOLS,
    LISTED,
    "Another anchor costs the mean of its pools against better-ranked anchors, weighted by depth, without those that are more than maxAnchorSpread away from their weighted median. A mean that is more than anchorJump away from the price before counts when it has lasted anchorHoldSeconds, or when no pool has told a price for anchorStaleSeconds.",
    "Any other token costs what its deepest pool against an anchor says.",
    ...PRINTS
  ]
} as const

/**
 * Returns the code of why a pool may not set a price, 0 where it may.
 *
 * @param unit dollars per unit of its base token, NaN where unknown
 * @param quoteUsd dollars of its (virtual) quote side
 * @param backedUsd dollars of the quote tokens in the pool, NaN where the log does not say
 * @param age seconds since it was made, infinite where that was before the log
 */
export const reasonAgainst = (
  unit: number,
  quoteUsd: number,
  backedUsd: number,
  age: number
): number => {
  if (!(unit > 0 && unit < Number.POSITIVE_INFINITY)) return 1
  if (!(quoteUsd >= thresholds.minDepthUsd)) return 2
  if (backedUsd < thresholds.minDepthUsd) return 3
  return age < thresholds.minAgeSeconds ? 4 : 0
}

/**
 * Returns the seconds since a pool was made; infinite where the pool may be older than the log.
 *
 * @param created time of its making where the log holds it, 0 where not
 * @param first time of its first event
 * @param begin time of the log's first event of any pool
 */
export const ageOf = (
  created: number,
  first: number,
  begin: number,
  isListed: boolean,
  now: number
): number => {
  const since = created > 0 ? created : isListed ? 0 : first
  return since - begin < thresholds.minAgeSeconds ? Number.POSITIVE_INFINITY : now - since
}
