/** Meteora DAMM v1 (dynamic pools): liquidity lies in lending vaults that many pools share. */
import { u64At } from "../payload.ts"
import type { SolanaVenue, SwapFacts } from "../venue.ts"

/**
 * Amounts are worked out of shares of the vaults. The vault was seen to gain up to 1,977 units of
 * 5.9 × 10^9 more than the event says, and to lose 1 or 2 units less.
 */
const INPUT_SLACK_PARTS = 1_000_000n
const ROUNDING = 2n

const readSwap = (payload: Uint8Array): SwapFacts => {
  const amountIn = u64At(payload, 8)
  const protocolFee = u64At(payload, 32)
  return {
    pool: null,
    firstIn: null,
    amountIn: amountIn - protocolFee,
    amountOut: u64At(payload, 16),
    after: null,
    slack: { in: amountIn / INPUT_SLACK_PARTS + ROUNDING, out: ROUNDING },
    ...(protocolFee > 0n ? { caveat: "protocol fees are not proven" } : {})
  }
}

export const meteoraDammV1: SolanaVenue = {
  number: 7,
  name: "meteora-damm-v1",
  program: "Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB",
  shape: "v2",
  reserves: "depth",
  eventAuthority: null,
  tagBytes: 8,
  swapCalls: {
    f8c69e91e17587c8: { name: "swap", user: 12, hops: [{ pool: 0, vaults: [5, 6] }] }
  },
  swapEvents: {
    "516ce3becdd00ac4": { name: "Swap", least: 48, rank: 0, read: readSwap }
  },
  poolEvents: {}
}
