/** Raydium CLMM for the laws of venues of Solana. */
import type { SolanaVenueLaws } from "../venue-laws.ts"

export const laws: SolanaVenueLaws = {
  program: "CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK",
  callsItself: false,
  calls: [
    { name: "swap", user: 0, hops: [{ pool: 2, vaults: [5, 6] }], inputFirst: true },
    {
      ...{ name: "swap_v2", user: 0, inputFirst: true },
      hops: [{ pool: 2, vaults: [5, 6], mints: [11, 12] }]
    },
    { name: "swap_router_base_in", user: 0, hops: [], inputFirst: true }
  ],
  forms: [
    {
      ...{ event: "SwapEvent", bytes: 205, after: "root and liquidity", tellsDirection: true },
      fields: ({ pool, firstIn, in: paid, out, root, liquidity, tick }) => [
        [8, pool],
        [136, firstIn ? paid : out],
        [152, firstIn ? out : paid],
        [168, firstIn ? 1 : 0, 1],
        [169, root, 16],
        [185, liquidity, 16],
        [201, tick, 4]
      ]
    }
  ]
}
