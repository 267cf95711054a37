/** Meteora DBC: dynamic bonding curves, a base token against a quote token. */
import { addressAt, u64At, u128At } from "../payload.ts"
import type { PoolCall, PoolEventLayout, SolanaVenue, SwapCall, SwapFacts } from "../venue.ts"

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

/** The quote token is that of the instruction. */
const created = (name: string): PoolEventLayout => ({
  name,
  least: 136,
  read: payload => ({
    kind: "created",
    pool: addressAt(payload, 8),
    mints: [addressAt(payload, 104), null],
    fee: null,
    spacing: null
  })
})

/** Told by the swap that brings the last of the quote token. */
const completed = (name: string): PoolEventLayout => ({
  name,
  least: 40,
  read: payload => ({ kind: "graduated", pool: addressAt(payload, 8), mint: null, to: null })
})

const creation = (token: string): PoolCall => ({
  name: `initialize_virtual_pool_with_${token}`,
  pool: 5,
  mints: [3, 4],
  creates: () => ({ fee: null, spacing: null })
})

/** Swaps stand here for the mints, which the event of a complete curve does not name. */
const swapped = (name: string): PoolCall => ({ name, pool: 2, mints: [7, 8] })

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
  launches: true,
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
  poolEvents: {
    e432f655cb428625: created("EvtInitializePool"),
    d589a435c14a0f6e: created("EvtInitializePoolWithTransferHook"),
    e5e756549c864b18: completed("EvtCurveComplete"),
    "3b2f6dcd0d1f2c9f": completed("EvtCurveCompleteWithTransferHook")
  },
  poolCalls: {
    "8c55d7b06636684f": creation("spl_token"),
    a976334e916edc9b: creation("token2022"),
    b60de9b12a918702: creation("token2022_transfer_hook"),
    f8c69e91e17587c8: swapped("swap"),
    "414b3f4ceb5b5b88": swapped("swap2"),
    b75d992818e6c297: swapped("swap2_with_transfer_hook"),
    "1b013016b43f76d9": { name: "migrate_meteora_damm", pool: 0, mints: [7, 8], graduatesTo: 4 },
    "9ca9e66735e45040": { name: "migration_damm_v2", pool: 0, mints: [13, 14], graduatesTo: 4 }
  }
}
