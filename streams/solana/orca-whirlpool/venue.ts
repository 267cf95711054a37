/** Orca Whirlpool: concentrated liquidity; swaps before 2025 have no event. */
import { addressAt, u64At, u128At } from "../payload.ts"
import type { SolanaVenue, SwapFacts } from "../venue.ts"

const readSwap = (payload: Uint8Array): SwapFacts => {
  const hasTransferFee = u64At(payload, 89) > 0n || u64At(payload, 97) > 0n
  return {
    pool: addressAt(payload, 8),
    firstIn: payload[40] === 1,
    amountIn: u64At(payload, 73),
    amountOut: u64At(payload, 81),
    after: { kind: "price", sqrtPriceX64: u128At(payload, 57), liquidity: null, tick: null },
    ...(hasTransferFee ? { caveat: "transfer fees are not proven" } : {})
  }
}

export const orcaWhirlpool: SolanaVenue = {
  number: 5,
  name: "orca-whirlpool",
  program: "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc",
  shape: "v3",
  reserves: "depth",
  eventAuthority: null,
  tagBytes: 8,
  swapCalls: {
    f8c69e91e17587c8: { name: "swap", user: 1, hops: [{ pool: 2, vaults: [4, 6] }] },
    "2b04ed0b1ac91e62": {
      name: "swap_v2",
      user: 3,
      hops: [{ pool: 4, vaults: [8, 10], mints: [5, 6] }]
    },
    c360ed6c44a2dbe6: {
      name: "two_hop_swap",
      user: 1,
      hops: [
        { pool: 2, vaults: [5, 7] },
        { pool: 3, vaults: [9, 11] }
      ]
    },
    ba8fd11dfe02c275: {
      name: "two_hop_swap_v2",
      user: 14,
      hops: [
        { pool: 0, vaults: [9, 10], mints: [2, 3] },
        { pool: 1, vaults: [11, 12], mints: [3, 4] }
      ],
      inputFirst: true
    }
  },
  swapEvents: {
    e1ca49af932ba096: { name: "Traded", least: 121, rank: 0, read: readSwap }
  },
  poolEvents: {}
}
