/** The router has no way for it; somebody else may. */
const NO_WAY = [
  /** no pool holds both tokens, nor do any two through an anchor */
  "no-pool",
  /** there are pools, but the log does not tell the state of any */
  "unknown-state",
  /** there are pools, and none has liquidity on that side */
  "no-liquidity",
  /** all liquidity there is does not take so much */
  "too-large",
  /** so little that it buys nothing */
  "amount-too-small",
  /** there are pools, and the router contract cannot trade with any */
  "not-executable"
] as const

/** A safety gate speaks against the tokens or their pools: nobody else is asked either. */
const UNSAFE = [
  /** every pool there is has a day's trades that a rule calls wash trading */
  "suspect",
  /** a token takes more of its transfers than is quoted, or none of the pools there are counts what
   *  arrives; or what is bought exactly would be taxed */
  "transfer-tax",
  /** a token cannot be bought, or not be sold once it is, by a trial on paper */
  "honeypot",
  /** many have bought it within a day, and nobody has sold */
  "one-sided"
] as const

/** Why an order has no route. */
export const NO_ROUTE_REASONS = [
  ...NO_WAY,
  ...UNSAFE,
  /** the order would lose more than half of its worth to the pools' depth */
  "thin"
] as const

export type NoRouteReason = (typeof NO_ROUTE_REASONS)[number]
export type UnsafeReason = (typeof UNSAFE)[number]

const unsafe: ReadonlySet<NoRouteReason> = new Set(UNSAFE)

/** Whether a safety gate gives the reason. */
export const isUnsafe = (reason: NoRouteReason): boolean => unsafe.has(reason)
