/** Raydium CLMM: concentrated liquidity. */
import { addressAt, i32At, u64At, u128At } from "../payload.ts"
import type { SolanaVenue, SwapFacts } from "../venue.ts"

/** The trade fee is inside the amounts; a transfer fee of the token paid out is not. */
const readSwap = (payload: Uint8Array): SwapFacts => {
  const zeroIn = payload[168] === 1
  const [amount0, amount1] = [u64At(payload, 136), u64At(payload, 152)]
  const [fee0, fee1] = [u64At(payload, 144), u64At(payload, 160)]
  return {
    pool: addressAt(payload, 8),
    firstIn: zeroIn,
    amountIn: zeroIn ? amount0 : amount1,
    amountOut: zeroIn ? amount1 + fee1 : amount0 + fee0,
    after: {
      kind: "price",
      sqrtPriceX64: u128At(payload, 169),
      liquidity: u128At(payload, 185),
      tick: i32At(payload, 201)
    }
  }
}

const hop = { pool: 2, vaults: [5, 6] } as const

export const raydiumClmm: SolanaVenue = {
  number: 2,
  name: "raydium-clmm",
  program: "CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK",
  shape: "v3",
  reserves: "depth",
  eventAuthority: null,
  tagBytes: 8,
  swapCalls: {
    f8c69e91e17587c8: { name: "swap", user: 0, hops: [hop], inputFirst: true },
    "2b04ed0b1ac91e62": {
      name: "swap_v2",
      user: 0,
      hops: [{ ...hop, mints: [11, 12] }],
      inputFirst: true
    },
    "457d73daf5baf2c4": { name: "swap_router_base_in", user: 0, hops: [], inputFirst: true }
  },
  swapEvents: {
    "40c6cde8260871e2": { name: "SwapEvent", least: 205, rank: 0, read: readSwap }
  },
  poolEvents: {
    "3ade563a44325538": {
      name: "DecreaseLiquidityEvent",
      least: 72,
      read: payload => ({
        kind: "liquidity",
        pool: null,
        position: addressAt(payload, 8),
        amounts: [-u64At(payload, 56), -u64At(payload, 64)]
      })
    }
  }
}
