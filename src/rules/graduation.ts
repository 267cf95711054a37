/**
 * When a launch is shown. It looks at what the log holds up to the newest block, so a launch that
 * loses its liquidity is shown no longer.
 */
export const graduationRule = {
  version: 1,
  id: "graduated",
  text: "the log shows the making of the token's first pool (of a pool that an unlisted contract claims, once the pool itself was asked) and of a pool of a listed venue, which may be the same; the token has a price, with minDepthUsd behind it (`/v1/prices/explain`), and at least minTrades prints. A token with a pool of a listed venue from before the log is no launch, nor is an anchor",
  minTrades: 10,
  minDepthUsd: 1_000
} as const

/** Whether a launched token has graduated, by its prints, its price and the depth behind it. */
export const isGraduate = (trades: number, priceUsd: number, depthUsd: number): boolean =>
  trades >= graduationRule.minTrades && priceUsd > 0 && depthUsd >= graduationRule.minDepthUsd
