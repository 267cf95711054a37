/**
 * Wash trading: rules over what a market or a token was traded in a day. A rule looks only at swaps
 * whose wallet is known: routers that hide wallets must not look like one busy wallet. The
 * thresholds are those with which DefiLlama cleans its volumes (DefiLlama/dimension-adapters#8515).
 */

/** What a rule judges: counts of a day. */
export interface Traded {
  /** swaps whose wallet is known */
  readonly known: number
  /** their dollars */
  readonly knownUsd: number
  /** distinct wallets */
  readonly makers: number
}

export interface WashRule {
  readonly id: string
  readonly text: string
  readonly minTrades: number
  readonly minUsd: number
  readonly minTradesPerWallet: number
  readonly minUsdPerWallet: number
}

export const washRules = {
  version: 1,
  rules: [
    {
      id: "wash-trades",
      text: "more than 500 swaps a day, at least 100 of them for each wallet",
      minTrades: 501,
      minUsd: 0,
      minTradesPerWallet: 100,
      minUsdPerWallet: 0
    },
    {
      id: "wash-volume",
      text: "more than $1,000,000 a day, at least $500,000 and 30 swaps for each wallet",
      minTrades: 30,
      minUsd: 1_000_000,
      minTradesPerWallet: 30,
      minUsdPerWallet: 500_000
    }
  ]
} as const satisfies { readonly version: number; readonly rules: ReadonlyArray<WashRule> }
