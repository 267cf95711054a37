/** States of pools, curves and token accounts, read of a bank; layouts as in `account-data.ts`. */
import type { Address } from "@solana/kit"
import type { Bank } from "./bank.ts"
import type { AmmPool, CpmmPool, Curve } from "./market-addresses.ts"

export const exists = (bank: Bank, address: Address): boolean => bank.account(address).exists

const NOTHING = new DataView(new ArrayBuffer(1024))

/** Data of an account; zeros where there is none. */
const dataAt = (bank: Bank, address: Address): DataView => {
  const account = bank.account(address)
  if (!account.exists) return NOTHING
  const { buffer, byteOffset, length } = account.data
  return new DataView(buffer, byteOffset, length)
}

const u64 = (data: DataView, at: number): bigint => data.getBigUint64(at, true)

/** Units in a token account. */
export const tokensOf = (bank: Bank, account: Address): bigint => u64(dataAt(bank, account), 64)

/** What swaps of a pool count with: what its vaults hold without the fees that it owes. */
export const poolReserves = (bank: Bank, pool: CpmmPool): readonly [bigint, bigint] => {
  const state = dataAt(bank, pool.address)
  const reserve = (i: 0 | 1) =>
    tokensOf(bank, pool.vaults[i]) - u64(state, 341 + 8 * i) - u64(state, 357 + 8 * i)
  return [reserve(0), reserve(1)]
}

/** Liquidity of a pool, with what nobody can take, and when it opens in Unix seconds. */
export const poolLiquidity = (bank: Bank, pool: CpmmPool) => {
  const state = dataAt(bank, pool.address)
  return { liquidity: u64(state, 333), openSeconds: Number(u64(state, 373)) }
}

/** What swaps of a pool of PumpSwap count with: what its vaults hold. */
export const ammReserves = (bank: Bank, { vaults }: AmmPool) =>
  [tokensOf(bank, vaults[0]), tokensOf(bank, vaults[1])] as const

/** A curve sells tokens, is sold and waits, or has graduated: then it has no lamports any more. */
export type CurveStage = "selling" | "sold" | "graduated"

/** What swaps of a curve count with, and how far it is. */
export const curveState = (bank: Bank, curve: Curve) => {
  const state = dataAt(bank, curve.address)
  const lamports = u64(state, 32)
  const ended = lamports === 0n ? "graduated" : "sold"
  const stage: CurveStage = state.getUint8(48) === 1 ? ended : "selling"
  return { virtualTokens: u64(state, 8), virtualLamports: u64(state, 16), lamports, stage }
}
