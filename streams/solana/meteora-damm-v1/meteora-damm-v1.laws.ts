/** Meteora DAMM v1 for the laws of venues of Solana. */
import { FEE_PERCENT, type SolanaVenueLaws } from "../venue-laws.ts"

/** The pool's trade fee, in basis points. */
const BASIS_POINTS = FEE_PERCENT * 100

export const laws: SolanaVenueLaws = {
  program: "Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB",
  callsItself: false,
  calls: [{ name: "swap", user: 12, hops: [{ pool: 0, vaults: [5, 6], shares: [9, 10] }] }],
  forms: [
    {
      ...{ event: "Swap", bytes: 48, after: "net", tellsDirection: false },
      fields: ({ in: paid, out, fee }) => [
        [8, paid],
        [16, out],
        [24, fee]
      ]
    }
  ],
  fees: {
    // behind a curve of constant product, and of a stable one with its parameters
    initialize_permissionless_pool_with_fee_tier: [
      { bytes: 33, fields: [[9, BASIS_POINTS]] },
      {
        ...{ bytes: 83 },
        fields: [
          [8, 1, 1],
          [59, BASIS_POINTS]
        ]
      }
    ]
  }
}
