/** Accounts of the simulated chain as its programs read them; layouts of ../shared/reference. */
import { type Address, getAddressEncoder } from "@solana/kit"
import { TOKEN } from "./addresses.ts"
import type { CpmmPool } from "./market-addresses.ts"

/** What stands at a place of an account's data: a u64, a byte, an address, or bytes as they are. */
export type Field = readonly [at: number, value: bigint | number | Address | Uint8Array]

const bytesOf = getAddressEncoder()

/** Data of so many bytes, zero but for its fields. */
export const dataOf = (length: number, fields: ReadonlyArray<Field>): Uint8Array => {
  const data = new Uint8Array(length)
  const view = new DataView(data.buffer)
  for (const [at, value] of fields) {
    if (typeof value === "bigint") view.setBigUint64(at, value, true)
    else if (typeof value === "number") view.setUint8(at, value)
    else if (typeof value === "string") data.set(bytesOf.encode(value), at)
    else data.set(value, at)
  }
  return data
}

/** Decimals of the liquidity of a pool. */
export const LP_DECIMALS = 9

const tag = (hex: string): Uint8Array => Buffer.from(hex, "hex")

/** A mint of the token program; nobody can change its supply but the authority, if it has one. */
export const mintData = (
  decimals: number,
  supply: bigint,
  authority: Address | null = null
): Uint8Array =>
  dataOf(82, [
    ...(authority === null ? [] : ([[0, 1] as const, [4, authority] as const] as const)),
    [36, supply],
    [44, decimals],
    [45, 1]
  ])

/** A text of Metaplex: its length, then the bytes, with zeros behind them up to that length. */
const paddedText = (text: string, length: number): Uint8Array => {
  const bytes = new Uint8Array(4 + length)
  new DataView(bytes.buffer).setUint32(0, length, true)
  bytes.set(new TextEncoder().encode(text).subarray(0, length), 4)
  return bytes
}

/** Metaplex's account of a mint's name and symbol. */
export const metadataData = (mint: Address, name: string, symbol: string): Uint8Array =>
  dataOf(679, [
    [0, 4],
    [33, mint],
    [65, paddedText(name, 32)],
    [101, paddedText(symbol, 10)],
    [115, paddedText("", 200)]
  ])

/** Rent of a token account, which one of wrapped SOL holds beside its balance. */
export const TOKEN_ACCOUNT_RENT = 2_039_280n

/** A token account; one of wrapped SOL is `isNative`. */
export const tokenData = (
  mint: Address,
  owner: Address,
  amount: bigint,
  isNative: boolean
): Uint8Array =>
  dataOf(165, [
    ...([
      [0, mint] as const,
      [32, owner] as const,
      [64, amount] as const,
      [108, 1] as const
    ] as const),
    ...(isNative ? ([[109, 1] as const, [113, TOKEN_ACCOUNT_RENT] as const] as const) : [])
  ])

/** Raydium CPMM's `AmmConfig`: millionths of what comes in, shares of that fee, a pool's cost. */
export const cpmmConfigData = (
  rate: bigint,
  [protocol, fund]: readonly [bigint, bigint],
  poolFee: bigint
): Uint8Array =>
  dataOf(236, [
    [0, tag("daf42168cbcb2b6f")],
    [12, rate],
    [20, protocol],
    [28, fund],
    [36, poolFee]
  ])

/** Raydium CPMM's `PoolState` of two tokens of the first token program, open from the start. */
export const cpmmPoolData = (
  pool: CpmmPool,
  decimals: readonly [number, number],
  liquidity: bigint
): Uint8Array =>
  dataOf(637, [
    [0, tag("f7ede3f5d7c3de46")],
    [8, pool.config],
    ...pool.vaults.map((vault, i): Field => [72 + 32 * i, vault]),
    [136, pool.lpMint],
    ...pool.mints.map((mint, i): Field => [168 + 32 * i, mint]),
    [232, TOKEN],
    [264, TOKEN],
    [296, pool.observation],
    [328, pool.authorityBump],
    [330, LP_DECIMALS],
    ...decimals.map((one, i): Field => [331 + i, one]),
    [333, liquidity]
  ])

/** Where Raydium CPMM notes prices of a pool: none yet. */
export const cpmmObservationData = (pool: Address): Uint8Array =>
  dataOf(4075, [
    [0, tag("7aaec5358109a584")],
    [11, pool]
  ])

/** Who gets fees of a pump.fun program, and how many basis points. */
export interface PumpFees {
  readonly recipient: Address
  readonly liquidity?: bigint
  readonly protocol: bigint
  readonly creator: bigint
}

/** Pump.fun's `Global`; the withdrawer gets what a graduation's fee does not cost. */
export const curveGlobalData = (
  { recipient, protocol, creator }: PumpFees,
  withdrawer: Address,
  migrationFee: bigint
): Uint8Array =>
  dataOf(1046, [
    [0, tag("a7e8e8b1c86c727f")],
    [8, 1],
    [41, recipient],
    [73, CURVE_START.virtualTokens],
    [81, CURVE_START.virtualLamports],
    [89, CURVE_START.tokens],
    [97, CURVE_START.supply],
    [105, protocol],
    [113, withdrawer],
    [145, 1],
    [146, migrationFee],
    [154, creator]
  ])

/** PumpSwap's `GlobalConfig`. */
export const ammGlobalData = ({ recipient, liquidity = 0n, protocol, creator }: PumpFees) =>
  dataOf(949, [
    [0, tag("95089ccaa0fcb0d9")],
    [40, liquidity],
    [48, protocol],
    [57, recipient],
    [313, creator]
  ])

/** Pump.fun's curve as it begins: virtual reserves, tokens that can be bought, all there are. */
export interface CurveStart {
  readonly virtualTokens: bigint
  readonly virtualLamports: bigint
  readonly tokens: bigint
  readonly supply: bigint
}

/** What pump.fun begins every curve with. */
export const CURVE_START: CurveStart = {
  virtualTokens: 1_073_000_000_000_000n,
  virtualLamports: 30_000_000_000n,
  tokens: 793_100_000_000_000n,
  supply: 1_000_000_000_000_000n
}

/** Pump.fun's `BondingCurve` of native SOL. */
export const curveData = (start: CurveStart, creator: Address): Uint8Array =>
  dataOf(151, [
    [0, tag("17b7f83760d8ac60")],
    [8, start.virtualTokens],
    [16, start.virtualLamports],
    [24, start.tokens],
    [40, start.supply],
    [49, creator]
  ])
