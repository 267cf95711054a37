/** Orca Whirlpool for the laws of venues of Solana. */
import type { SolanaVenueLaws } from "../venue-laws.ts"

export const laws: SolanaVenueLaws = {
  program: "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc",
  callsItself: false,
  calls: [
    { name: "swap", user: 1, hops: [{ pool: 2, vaults: [4, 6] }] },
    { name: "swap_v2", user: 3, hops: [{ pool: 4, vaults: [8, 10], mints: [5, 6] }] },
    {
      ...{ name: "two_hop_swap", user: 1 },
      hops: [
        { pool: 2, vaults: [5, 7] },
        { pool: 3, vaults: [9, 11] }
      ]
    },
    {
      ...{ name: "two_hop_swap_v2", user: 14, inputFirst: true },
      hops: [
        { pool: 0, vaults: [9, 10], mints: [2, 3] },
        { pool: 1, vaults: [11, 12], mints: [3, 4] }
      ]
    }
  ],
  forms: [
    {
      ...{ event: "Traded", bytes: 121, after: "root", tellsDirection: true },
      fields: ({ pool, firstIn, root, in: paid, out, fee }) => [
        [8, pool],
        [40, firstIn ? 1 : 0, 1],
        [57, root, 16],
        [73, paid],
        [81, out],
        [105, fee]
      ]
    }
  ]
}
