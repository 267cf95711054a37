/** Meteora DBC: dynamic bonding curves, a base token against a quote token. */
import { addressAt, u64At, u128At } from "../payload.ts"
import type { SolanaVenue, SwapCall, SwapFacts } from "../venue.ts"

const BASE_TO_QUOTE = 0

/** Where an event has what both of them tell. */
interface Places {
  readonly withFee: number
  readonly withoutFee: number
  readonly output: number
  readonly sqrtPrice: number
  readonly referral: number
}

const SWAP: Places = {
  withFee: 146,
  withoutFee: 90,
  output: 98,
  sqrtPrice: 106,
  referral: 138
}
const SWAP_2: Places = {
  withFee: 91,
  withoutFee: 99,
  output: 115,
  sqrtPrice: 123,
  referral: 155
}

/** The referral fee is paid at once, of the side that the fee is taken of; others stay. */
const reader =
  (at: Places) =>
  (payload: Uint8Array): SwapFacts => {
    const withFee = u64At(payload, at.withFee)
    const referral = u64At(payload, at.referral)
    const isFeeOnInput = withFee > u64At(payload, at.withoutFee)
    return {
      pool: addressAt(payload, 8),
      firstIn: payload[72] === BASE_TO_QUOTE,
      amountIn: withFee - (isFeeOnInput ? referral : 0n),
      amountOut: u64At(payload, at.output) + (isFeeOnInput ? 0n : referral),
      after: {
        kind: "price",
        sqrtPriceX64: u128At(payload, at.sqrtPrice),
        liquidity: null,
        tick: null
      },
      caveat: "no landed transaction has proven this venue's vaults"
    }
  }

const call = (name: string): SwapCall => ({
  name,
  user: 9,
  hops: [{ pool: 2, vaults: [5, 6], mints: [7, 8] }]
})

export const meteoraDbc: SolanaVenue = {
  number: 9,
  name: "meteora-dbc",
  program: "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN",
  shape: "other",
  reserves: "depth",
  eventAuthority: "8Ks12pbrD6PXxfty1hVQiE9sc289zgU1zHkvXhrSdriF",
  tagBytes: 8,
  swapCalls: {
    f8c69e91e17587c8: call("swap"),
    "414b3f4ceb5b5b88": call("swap2"),
    b75d992818e6c297: call("swap2_with_transfer_hook")
  },
  swapEvents: {
    bd4233a826507599: { name: "EvtSwap2", least: 187, rank: 0, read: reader(SWAP_2) },
    "1b3c15d58aaabb93": { name: "EvtSwap", least: 162, rank: 1, read: reader(SWAP) }
  },
  poolEvents: {}
}
