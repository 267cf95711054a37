/** Raydium CPMM: constant product with Token-2022. */
import { addressAt, u64At } from "../payload.ts"
import type { SolanaVenue, SwapCall, SwapFacts } from "../venue.ts"

const GROWN_BYTES = 170

/** The grown form names both mints, of which the program takes the lower one for the first. */
const firstIn = (payload: Uint8Array): boolean | null =>
  payload.length < GROWN_BYTES
    ? null
    : Buffer.compare(payload.subarray(89, 121), payload.subarray(121, 153)) < 0

/** Amounts of the vaults: after the transfer fee of what comes in, before that of what goes out. */
const readSwap = (payload: Uint8Array): SwapFacts => {
  const [amountIn, amountOut] = [u64At(payload, 56), u64At(payload, 64)]
  return {
    pool: addressAt(payload, 8),
    firstIn: firstIn(payload),
    amountIn,
    amountOut,
    after: {
      kind: "reserves",
      in: u64At(payload, 40) + amountIn,
      out: u64At(payload, 48) - amountOut
    }
  }
}

const call = (name: string): SwapCall => ({
  name,
  user: 0,
  hops: [{ pool: 3, vaults: [6, 7], mints: [10, 11] }],
  inputFirst: true
})

export const raydiumCpmm: SolanaVenue = {
  number: 3,
  name: "raydium-cpmm",
  program: "CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C",
  shape: "v2",
  reserves: "price",
  eventAuthority: null,
  tagBytes: 8,
  swapCalls: {
    "8fbe5adac41e33de": call("swap_base_input"),
    "37d96256a34ab4ad": call("swap_base_output")
  },
  swapEvents: {
    "40c6cde8260871e2": { name: "SwapEvent", least: 89, rank: 0, read: readSwap }
  },
  poolEvents: {}
}
