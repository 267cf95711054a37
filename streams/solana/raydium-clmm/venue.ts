/** Raydium CLMM: concentrated liquidity. */
import { addressAt, i32At, u16At, u64At, u128At } from "../payload.ts"
import type { PoolCall, PoolEventLayout, SolanaVenue, SwapFacts } from "../venue.ts"

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

/**
 * What a position got (`sign` 1) or gave back (-1), amounts of the vaults: without the transfer fee
 * of what comes in, with that of what goes out; what it gives back comes with the fees it earned.
 */
const positionChange = (name: string, sign: 1n | -1n): PoolEventLayout => ({
  name,
  least: sign === 1n ? 72 : 88,
  read: payload => ({
    kind: "liquidity",
    pool: null,
    owner: null,
    position: addressAt(payload, 8),
    mints: [null, null],
    amounts: [sign * u64At(payload, 56), sign * u64At(payload, 64)],
    ...(sign === 1n ? {} : { fees: [u64At(payload, 72), u64At(payload, 80)] as const })
  })
})

const liquidityEvents: { readonly [tag: string]: PoolEventLayout } = {
  "641e57f9c4df9ace": {
    name: "CreatePersonalPositionEvent",
    least: 144,
    read: payload => ({
      kind: "liquidity",
      pool: addressAt(payload, 8),
      owner: addressAt(payload, 72),
      position: null,
      mints: [null, null],
      amounts: [u64At(payload, 128), u64At(payload, 136)]
    })
  },
  "314f69d420221e54": positionChange("IncreaseLiquidityEvent", 1n),
  "3ade563a44325538": positionChange("DecreaseLiquidityEvent", -1n)
}

/** The event tells the tick spacing; the instruction has it in an account. */
const creation = (name: string): PoolCall => ({
  name,
  pool: 2,
  mints: [3, 4],
  creates: () => ({ fee: null, spacing: null })
})

const opening = (
  name: string,
  pool: number,
  tokens: Pick<PoolCall, "mints" | "vaults">
): PoolCall => ({ name, pool, ...tokens, position: 2 })

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
    "195e4b2f7063353f": {
      name: "PoolCreatedEvent",
      least: 106,
      read: payload => ({
        kind: "created",
        pool: addressAt(payload, 74),
        mints: [addressAt(payload, 8), addressAt(payload, 40)],
        fee: null,
        spacing: u16At(payload, 72)
      })
    },
    ...liquidityEvents
  },
  poolCalls: {
    e992d18ecf6840bc: creation("create_pool"),
    "2b44d4a7592fa401": creation("create_customizable_pool"),
    "87802f4d0f98f031": opening("open_position", 5, { vaults: [12, 13] }),
    "4db84ad67056f1c7": opening("open_position_v2", 5, { mints: [20, 21] }),
    "4dffae527d1dc92e": opening("open_position_with_token22_nft", 4, { mints: [18, 19] }),
    "2e9cf3760dcdfbb2": { name: "increase_liquidity", pool: 2, vaults: [9, 10], owner: 0 },
    "851d59df45eeb00a": { name: "increase_liquidity_v2", pool: 2, mints: [13, 14], owner: 0 },
    a026d06f685b2c01: { name: "decrease_liquidity", pool: 3, vaults: [5, 6], owner: 0 },
    "3a7fbc3e4f52c460": { name: "decrease_liquidity_v2", pool: 3, mints: [14, 15], owner: 0 }
  }
}
