/** Why an order has no route. */
export const NO_ROUTE_REASONS = [
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

export type NoRouteReason = (typeof NO_ROUTE_REASONS)[number]
