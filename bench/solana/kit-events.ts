/**
 * The venues' events as structs of `@solana/kit`'s codecs, which are borsh: field by field as the
 * venues' IDLs declare them, up to where every version of an event agrees. What a swap's vaults
 * gain and lose by each is the same as in the venues' own folders.
 */
import {
  getAddressDecoder,
  getBooleanDecoder,
  getI32Decoder,
  getI64Decoder,
  getStructDecoder,
  getU8Decoder,
  getU64Decoder,
  getU128Decoder,
  type ReadonlyUint8Array
} from "@solana/kit"

/** What an event says of its swap. */
export interface KitEvent {
  /** null where the event names none */
  readonly pool: string | null
  /** whether the pool's first token came in; null where the event does not tell */
  readonly firstIn: boolean | null
  readonly amountIn: bigint
  readonly amountOut: bigint
}

type ReadEvent = (payload: ReadonlyUint8Array) => KitEvent

const [u8, bool, i32, i64] = [getU8Decoder(), getBooleanDecoder(), getI32Decoder(), getI64Decoder()]
const [u64, u128, address] = [getU64Decoder(), getU128Decoder(), getAddressDecoder()]

/** Bytes of a discriminator; `ray_log` has one alone. */
const TAG = 8

const ray = getStructDecoder([
  ["amountIn", u64],
  ["limit", u64],
  ["direction", u64],
  ["userSource", u64],
  ["poolCoin", u64],
  ["poolPc", u64],
  ["outAmount", u64]
])

const readRay: ReadEvent = payload => {
  const { amountIn, direction, outAmount } = ray.decode(payload, 1)
  return { pool: null, firstIn: direction === 2n, amountIn, amountOut: outAmount }
}

const clmm = getStructDecoder([
  ["pool", address],
  ["sender", address],
  ["account0", address],
  ["account1", address],
  ["amount0", u64],
  ["fee0", u64],
  ["amount1", u64],
  ["fee1", u64],
  ["zeroForOne", bool],
  ["sqrtPriceX64", u128],
  ["liquidity", u128],
  ["tick", i32]
])

const readClmm: ReadEvent = payload => {
  const { pool, zeroForOne, amount0, fee0, amount1, fee1 } = clmm.decode(payload, TAG)
  const [amountIn, amountOut] = zeroForOne ? [amount0, amount1 + fee1] : [amount1, amount0 + fee0]
  return { pool, firstIn: zeroForOne, amountIn, amountOut }
}

const cpmm = getStructDecoder([
  ["pool", address],
  ["inputBefore", u64],
  ["outputBefore", u64],
  ["amountIn", u64],
  ["amountOut", u64],
  ["inputFee", u64],
  ["outputFee", u64],
  ["baseInput", bool]
])

const readCpmm: ReadEvent = payload => {
  const { pool, amountIn, amountOut } = cpmm.decode(payload, TAG)
  return { pool, firstIn: null, amountIn, amountOut }
}

const launchlab = getStructDecoder([
  ["pool", address],
  ["totalBaseSell", u64],
  ["virtualBase", u64],
  ["virtualQuote", u64],
  ["baseBefore", u64],
  ["quoteBefore", u64],
  ["baseAfter", u64],
  ["quoteAfter", u64],
  ["amountIn", u64],
  ["amountOut", u64],
  ["protocolFee", u64],
  ["platformFee", u64],
  ["shareFee", u64],
  ["direction", u8],
  ["status", u8]
])

const readLaunchlab: ReadEvent = payload => {
  const { pool, direction, amountIn, amountOut } = launchlab.decode(payload, TAG)
  return { pool, firstIn: direction === 1, amountIn, amountOut }
}

const whirlpool = getStructDecoder([
  ["pool", address],
  ["aToB", bool],
  ["sqrtPriceBefore", u128],
  ["sqrtPriceAfter", u128],
  ["amountIn", u64],
  ["amountOut", u64],
  ["inputFee", u64],
  ["outputFee", u64],
  ["lpFee", u64],
  ["protocolFee", u64]
])

const readWhirlpool: ReadEvent = payload => {
  const { pool, aToB, amountIn, amountOut } = whirlpool.decode(payload, TAG)
  return { pool, firstIn: aToB, amountIn, amountOut }
}

const dlmm = getStructDecoder([
  ["pool", address],
  ["from", address],
  ["startBin", i32],
  ["endBin", i32],
  ["amountIn", u64],
  ["amountOut", u64],
  ["swapForY", bool],
  ["fee", u64],
  ["protocolFee", u64],
  ["feeBps", u128],
  ["hostFee", u64]
])

const readDlmm: ReadEvent = payload => {
  const { pool, swapForY, amountIn, amountOut } = dlmm.decode(payload, TAG)
  return { pool, firstIn: swapForY, amountIn, amountOut }
}

const dammV2 = getStructDecoder([
  ["pool", address],
  ["direction", u8],
  ["collectFeeMode", u8],
  ["hasReferral", bool],
  ["amount0", u64],
  ["amount1", u64],
  ["swapMode", u8],
  ["amountIn", u64],
  ["amountInLessFee", u64],
  ["amountLeft", u64],
  ["amountOut", u64],
  ["sqrtPrice", u128],
  ["tradingFee", u64],
  ["protocolFee", u64],
  ["partnerFee", u64],
  ["referralFee", u64]
])

const readDammV2: ReadEvent = payload => {
  const { pool, direction, amountIn, amountOut } = dammV2.decode(payload, TAG)
  return { pool, firstIn: direction === 0, amountIn, amountOut }
}

const pumpfun = getStructDecoder([
  ["mint", address],
  ["solAmount", u64],
  ["tokenAmount", u64],
  ["isBuy", bool],
  ["user", address],
  ["timestamp", i64],
  ["virtualSol", u64],
  ["virtualTokens", u64]
])

const readPumpfun: ReadEvent = payload => {
  const { isBuy, solAmount, tokenAmount } = pumpfun.decode(payload, TAG)
  const [amountIn, amountOut] = isBuy ? [solAmount, tokenAmount] : [tokenAmount, solAmount]
  return { pool: null, firstIn: !isBuy, amountIn, amountOut }
}

const pumpswap = getStructDecoder([
  ["timestamp", i64],
  ["base", u64],
  ["quoteLimit", u64],
  ["userBase", u64],
  ["userQuote", u64],
  ["poolBase", u64],
  ["poolQuote", u64],
  ["quoteBare", u64],
  ["lpFeeBps", u64],
  ["lpFee", u64],
  ["protocolFeeBps", u64],
  ["protocolFee", u64],
  ["quote", u64],
  ["userPays", u64],
  ["pool", address],
  ["user", address]
])

const readPumpswap =
  (isSell: boolean): ReadEvent =>
  payload => {
    const { pool, base, quote } = pumpswap.decode(payload, TAG)
    const [amountIn, amountOut] = isSell ? [base, quote] : [quote, base]
    return { pool, firstIn: isSell, amountIn, amountOut }
  }

/** By program, then by discriminator. */
export const kitEvents: { readonly [program: string]: { readonly [tag: string]: ReadEvent } } = {
  "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8": { "03": readRay },
  CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK: { "40c6cde8260871e2": readClmm },
  CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C: { "40c6cde8260871e2": readCpmm },
  LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj: { bddb7fd34ee661ee: readLaunchlab },
  whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc: { e1ca49af932ba096: readWhirlpool },
  LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo: { "516ce3becdd00ac4": readDlmm },
  cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG: { bd4233a826507599: readDammV2 },
  "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P": { bddb7fd34ee661ee: readPumpfun },
  pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA: {
    "67f4521f2cf57777": readPumpswap(false),
    "3e2f370aa503dc2a": readPumpswap(true)
  }
}
