/**
 * The recipe of prices as a value: what the folds go by and what the explain route tells. A change
 * of a threshold or of a rule is a new version, which is that of the projection too: the tables are
 * then made anew from the log.
 */

export const thresholds = {
  /** dollars on the quote side from which a pool may set a price */
  minDepthUsd: 1_000,
  /** seconds that a pool must have been there before it may */
  minAgeSeconds: 300,
  /** what a pool of ranges counts for, as a multiple of the quote tokens that are in it */
  maxLeverage: 20,
  /** a pool this factor away from an anchor's weighted median is not in the anchor's mean */
  maxAnchorSpread: 1.25,
  /** of so many seconds that a pool is silent longer than the newest, each halves its weight */
  anchorHalvingSeconds: 3_600,
  /** and from so many on it has none */
  anchorSilentSeconds: 86_400,
  /** an anchor's mean this factor away from its price before must last before it counts */
  anchorJump: 2,
  /** the same of a dollar */
  dollarJump: 1.02,
  anchorHoldSeconds: 300,
  /** unless nobody has told the anchor's price for so many seconds */
  anchorStaleSeconds: 86_400,
  /** dollars that need to be known in each other before their median is a dollar */
  minDollars: 3,
  /** depth of the pools that tell what a dollar is worth in others, together */
  minDollarDepthUsd: 100_000,
  /** a print this factor away from its token's price is an outlier */
  maxPriceRatio: 5,
  /** dollars of a print, as a multiple of its pool's quote side before or after it */
  maxDollarsPerDepth: 10,
  /** prints at a new level, more than at the old one, after which it is believed */
  recoverPrints: 5,
  /** seconds between the first and last of them where they come from one pool */
  recoverSeconds: 60,
  /** the same where they come from pools that could not set the price themselves */
  recoverWeakSeconds: 86_400,
  /** raw units of each token below which a print tells no price: rounding would shift it */
  minRawUnits: 1_000,
  /** dollars from which a swap is not believed: sums must stay exact integers of micro-dollars */
  maxTradeUsd: 2 ** 53 / 1e6
} as const

/** Why a pool may not set a price; the place of each is its code. */
export const reasons = ["", "no-price", "thin", "one-sided", "new"] as const
export type Reason = Exclude<(typeof reasons)[number], "">

/** The reason of a code; null where there is none. */
export const reasonOf = (code: number): Reason | null => reasons[code] || null

/** Why a print is an outlier. */
export const OUTLIER = { price: 1, dollars: 2 } as const

const POOLS =
  "A pool sets no price while it is thin (less than minDepthUsd on its quote side), one-sided (less than that of the quote token came in by its events, where the log holds all of them; unknown is not zero) or new (made less than minAgeSeconds ago). What was made before the log, or in its first minAgeSeconds, is not new; of an unlisted venue the first event counts as the making. A pool of ranges is as deep as maxLeverage times the quote tokens in it at most."
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
    "Another anchor costs the mean of its pools against better-ranked anchors, weighted by depth. For each anchorHalvingSeconds that a pool has been silent longer than the newest of those that may set the price, its weight is halved, and from anchorSilentSeconds on it has none. Pools that are more than maxAnchorSpread away from the weighted median are left out. A mean that is more than anchorJump away from the price before counts when it has lasted anchorHoldSeconds, or when no pool has told a price for anchorStaleSeconds.",
    "Any other token costs what its leading pool against an anchor says: the deepest one at the newest event of its pools that changed the lead.",
    ...PRINTS
  ],
  versions: [5, 4]
} as const

/** What a request names them, newest first. */
export const RECIPE_VERSIONS = ["v5", "v4"] as const

/** The recipe before, which can still be asked for: see `candidates.ts`. */
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
 * Code of why a pool may not set a price, 0 where it may.
 *
 * @param unit dollars a unit of its base token, NaN where it cannot be told
 * @param quoteUsd dollars of its (virtual) quote side
 * @param backedUsd dollars of the quote tokens that are in it, NaN where the log does not tell
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
 * Seconds since a pool was made; infinite where the log cannot tell it from older ones.
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
