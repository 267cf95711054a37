/** Accounts of the simulated chain as its programs read them; layouts of ../shared/reference. */
import { type Address, getAddressEncoder } from "@solana/kit"

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

const tag = (hex: string): Uint8Array => Buffer.from(hex, "hex")

/** A mint of the token program whose supply nobody can change. */
export const mintData = (decimals: number, supply: bigint): Uint8Array =>
  dataOf(82, [
    [36, supply],
    [44, decimals],
    [45, 1]
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

/** Raydium CPMM's `AmmConfig`: millionths of what comes in, then shares of that fee. */
export const cpmmConfigData = (rate: bigint, protocol: bigint, fund: bigint): Uint8Array =>
  dataOf(236, [
    [0, tag("daf42168cbcb2b6f")],
    [12, rate],
    [20, protocol],
    [28, fund]
  ])

export interface CpmmPoolAccounts {
  readonly config: Address
  readonly vaults: readonly [Address, Address]
  readonly mints: readonly [Address, Address]
  readonly decimals: readonly [number, number]
  readonly tokenProgram: Address
  readonly observation: Address
  readonly authorityBump: number
}

/** Raydium CPMM's `PoolState`, open from the start. */
export const cpmmPoolData = (pool: CpmmPoolAccounts): Uint8Array =>
  dataOf(637, [
    [0, tag("f7ede3f5d7c3de46")],
    [8, pool.config],
    ...pool.vaults.map((vault, i): Field => [72 + 32 * i, vault]),
    ...pool.mints.map((mint, i): Field => [168 + 32 * i, mint]),
    [232, pool.tokenProgram],
    [264, pool.tokenProgram],
    [296, pool.observation],
    [328, pool.authorityBump],
    ...pool.decimals.map((decimals, i): Field => [331 + i, decimals])
  ])

/** Pump.fun's `Global`: who gets fees, and how many basis points they and a creator get. */
export const curveGlobalData = (recipient: Address, fee: bigint, creatorFee: bigint): Uint8Array =>
  dataOf(1046, [
    [0, tag("a7e8e8b1c86c727f")],
    [41, recipient],
    [105, fee],
    [154, creatorFee]
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
