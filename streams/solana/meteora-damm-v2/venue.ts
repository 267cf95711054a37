/** Meteora DAMM v2 (cp-amm): one range of constant product. */
import { addressAt, u64At, u128At } from "../payload.ts"
import type { Deposit, PoolEventLayout, SolanaVenue, SwapCall, SwapFacts } from "../venue.ts"

const A_TO_B = 0

/** A referral fee leaves the vault of the token that the fee is taken of. */
const REFERRAL = "referral fees are not proven"

const readSwap = (payload: Uint8Array): SwapFacts => ({
  pool: addressAt(payload, 8),
  firstIn: payload[40] === A_TO_B,
  amountIn: u64At(payload, 114),
  amountOut: u64At(payload, 58),
  after: { kind: "price", sqrtPriceX64: u128At(payload, 66), liquidity: null, tick: null },
  ...(u64At(payload, 106) > 0n ? { caveat: REFERRAL } : {})
})

const readSwap2 = (payload: Uint8Array): SwapFacts => {
  const [withFee, withoutFee] = [u64At(payload, 60), u64At(payload, 68)]
  const referral = u64At(payload, 132)
  const isFeeOnInput = withFee > withoutFee
  return {
    pool: addressAt(payload, 8),
    firstIn: payload[40] === A_TO_B,
    amountIn: withFee - (isFeeOnInput ? referral : 0n),
    amountOut: u64At(payload, 84) + (isFeeOnInput ? 0n : referral),
    after: { kind: "price", sqrtPriceX64: u128At(payload, 92), liquidity: null, tick: null },
    ...(referral > 0n ? { caveat: REFERRAL } : {})
  }
}

/** Of an event the numerator of 10^9, which all forms of the fee begin with. */
const FEE_AT = 200
const NUMERATORS_PER_MILLIONTH = 1_000n

/** The tag of the dynamic fee, its bytes, those from there to the amounts, and those to the end. */
const [DYNAMIC_AT, DYNAMIC_BYTES, TO_AMOUNTS, AMOUNTS_BYTES] = [230, 32, 76, 33]

/**
 * What the creator puts in, without transfer fees. It stands after the fees, whose dynamic part may
 * be left out; the oldest programs told it with transfer fees alone, which end the event sooner.
 */
const depositIn = (payload: Uint8Array): Deposit | null => {
  if (payload.length <= DYNAMIC_AT) return null
  const at = DYNAMIC_AT + 1 + (payload[DYNAMIC_AT] === 1 ? DYNAMIC_BYTES : 0) + TO_AMOUNTS
  if (payload.length < at + AMOUNTS_BYTES) return null
  return { owner: addressAt(payload, 104), amounts: [u64At(payload, at), u64At(payload, at + 8)] }
}

const readInitialized: PoolEventLayout["read"] = payload => {
  const numerator = u64At(payload, FEE_AT)
  const isWhole = numerator % NUMERATORS_PER_MILLIONTH === 0n
  return {
    kind: "created",
    pool: addressAt(payload, 8),
    mints: [addressAt(payload, 40), addressAt(payload, 72)],
    fee: isWhole ? Number(numerator / NUMERATORS_PER_MILLIONTH) : null,
    spacing: null,
    deposit: depositIn(payload)
  }
}

/** Pool, position and owner stand alike in all events of liquidity. */
const liquidity = (payload: Uint8Array, sign: 1n | -1n, amountsAt: number) => ({
  kind: "liquidity" as const,
  pool: addressAt(payload, 8),
  owner: addressAt(payload, 72),
  position: addressAt(payload, 40),
  mints: [null, null] as const,
  amounts: [sign * u64At(payload, amountsAt), sign * u64At(payload, amountsAt + 8)] as const
})

/** A deposit's amounts without transfer fees, a withdrawal's with them. */
const readChange: PoolEventLayout["read"] = payload => {
  if (payload[184] === 0) return liquidity(payload, 1n, 104)
  return payload[184] === 1 ? liquidity(payload, -1n, 120) : "an event is of an unknown kind"
}

const poolEvents: { readonly [tag: string]: PoolEventLayout } = {
  e432f655cb428625: { name: "EvtInitializePool", least: 208, read: readInitialized },
  // of the programs that tell both events of swaps some may tell both of liquidity
  c5ab4e7fe0d3570d: { name: "EvtLiquidityChange", least: 185, read: readChange },
  aff2089d1ef7b9a9: {
    name: "EvtAddLiquidity",
    least: 152,
    rank: 1,
    read: payload => liquidity(payload, 1n, 136)
  },
  "572e5862af60225b": {
    name: "EvtRemoveLiquidity",
    least: 152,
    rank: 1,
    read: payload => liquidity(payload, -1n, 136)
  }
}

const feesClaimed: PoolEventLayout = {
  name: "EvtClaimPositionFee",
  least: 120,
  read: payload => ({ ...liquidity(payload, 1n, 104), kind: "fees" })
}

const call = (name: string): SwapCall => ({
  name,
  user: 8,
  hops: [{ pool: 1, vaults: [4, 5], mints: [6, 7] }]
})

export const meteoraDammV2: SolanaVenue = {
  number: 8,
  name: "meteora-damm-v2",
  program: "cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG",
  shape: "v3",
  reserves: "depth",
  eventAuthority: "3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet",
  tagBytes: 8,
  swapCalls: { f8c69e91e17587c8: call("swap"), "414b3f4ceb5b5b88": call("swap2") },
  swapEvents: {
    // programs told the first, then both, now the second alone
    bd4233a826507599: { name: "EvtSwap2", least: 188, rank: 0, read: readSwap2 },
    "1b3c15d58aaabb93": { name: "EvtSwap", least: 130, rank: 1, read: readSwap }
  },
  poolEvents: { ...poolEvents, c6b6b734610c3138: feesClaimed },
  poolCalls: {
    b4269a118521a2d3: { name: "claim_position_fee", pool: 1, mints: [7, 8] },
    b59d59438fb63448: { name: "add_liquidity", pool: 0, mints: [6, 7] },
    "5055d14818ceb16c": { name: "remove_liquidity", pool: 1, mints: [7, 8] },
    "0a333d2370691855": { name: "remove_all_liquidity", pool: 1, mints: [7, 8] }
  }
}
