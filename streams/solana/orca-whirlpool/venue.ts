/** Orca Whirlpool: concentrated liquidity; swaps before 2025 have no event. */
import { addressAt, u16At, u64At, u128At } from "../payload.ts"
import type { PoolCall, PoolEventLayout, SolanaVenue, SwapFacts } from "../venue.ts"

const readSwap = (payload: Uint8Array): SwapFacts => {
  const hasTransferFee = u64At(payload, 89) > 0n || u64At(payload, 97) > 0n
  return {
    pool: addressAt(payload, 8),
    firstIn: payload[40] === 1,
    amountIn: u64At(payload, 73),
    amountOut: u64At(payload, 81),
    after: { kind: "price", sqrtPriceX64: u128At(payload, 57), liquidity: null, tick: null },
    ...(hasTransferFee ? { caveat: "transfer fees are not proven" } : {})
  }
}

/** Amounts with the transfer fee, which a deposit pays beside what the pool gains. */
const readLiquidity =
  (sign: 1n | -1n): PoolEventLayout["read"] =>
  payload => {
    const fee = (at: number): bigint => (sign === 1n ? u64At(payload, at) : 0n)
    return {
      kind: "liquidity",
      pool: addressAt(payload, 8),
      owner: null,
      position: addressAt(payload, 40),
      mints: [null, null],
      amounts: [sign * (u64At(payload, 96) - fee(112)), sign * (u64At(payload, 104) - fee(120))]
    }
  }

/** One position moves to another range: the pool gains what the new one takes more. */
const readRepositioned: PoolEventLayout["read"] = payload => ({
  kind: "liquidity",
  pool: addressAt(payload, 8),
  owner: null,
  position: addressAt(payload, 40),
  mints: [null, null],
  amounts: [u64At(payload, 136) - u64At(payload, 120), u64At(payload, 144) - u64At(payload, 128)]
})

const readInitialized: PoolEventLayout["read"] = payload => ({
  kind: "created",
  pool: addressAt(payload, 8),
  mints: [addressAt(payload, 72), addressAt(payload, 104)],
  fee: null,
  spacing: u16At(payload, 136)
})

const poolEvents: { readonly [tag: string]: PoolEventLayout } = {
  "6476ad570cc6fee5": { name: "PoolInitialized", least: 138, read: readInitialized },
  "1e0790b566fe9ba1": { name: "LiquidityIncreased", least: 128, read: readLiquidity(1n) },
  a601244770cab5ab: { name: "LiquidityDecreased", least: 128, read: readLiquidity(-1n) },
  "5f82b584fb32c326": { name: "LiquidityRepositioned", least: 152, read: readRepositioned }
}

/** @param spacingAt where the tick spacing stands in the data; null where it is an account's */
const creation = (name: string, pool: number, spacingAt: number | null): PoolCall => ({
  name,
  pool,
  mints: [1, 2],
  creates: data => {
    const isTold = spacingAt !== null && data.length >= spacingAt + 2
    return { fee: null, spacing: isTold ? u16At(data, spacingAt) : null }
  }
})

const changed = (name: string): PoolCall => ({ name, pool: 0, vaults: [7, 8], owner: 2 })

const changedV2 = (name: string, mints: readonly [number, number] = [7, 8]): PoolCall => ({
  name,
  pool: 0,
  mints,
  owner: 4
})

const collecting = (name: string, vaults: readonly [number, number]): PoolCall => ({
  ...{ name, pool: 0, vaults, owner: 1, position: 2, collects: true }
})

const poolCalls: { readonly [tag: string]: PoolCall } = {
  "5fb40aac54aee828": creation("initialize_pool", 4, 9),
  cf2d57f21b3fcc43: creation("initialize_pool_v2", 6, 8),
  "8f5e604cac7c77c7": creation("initialize_pool_with_adaptive_fee", 7, null),
  "2e9cf3760dcdfbb2": changed("increase_liquidity"),
  "851d59df45eeb00a": changedV2("increase_liquidity_v2"),
  effb097cd2c6352b: changedV2("increase_liquidity_by_token_amounts_v2"),
  a026d06f685b2c01: changed("decrease_liquidity"),
  "3a7fbc3e4f52c460": changedV2("decrease_liquidity_v2"),
  // no event tells what they pay
  a498cf631eba13b6: collecting("collect_fees", [5, 7]),
  cf755fbfe5b4e20f: collecting("collect_fees_v2", [7, 9]),
  bfa9e00b83139efd: changedV2("reposition_liquidity_v2", [8, 9])
}

export const orcaWhirlpool: SolanaVenue = {
  number: 5,
  name: "orca-whirlpool",
  program: "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc",
  shape: "v3",
  reserves: "depth",
  eventAuthority: null,
  tagBytes: 8,
  swapCalls: {
    f8c69e91e17587c8: { name: "swap", user: 1, hops: [{ pool: 2, vaults: [4, 6] }] },
    "2b04ed0b1ac91e62": {
      name: "swap_v2",
      user: 3,
      hops: [{ pool: 4, vaults: [8, 10], mints: [5, 6] }]
    },
    c360ed6c44a2dbe6: {
      name: "two_hop_swap",
      user: 1,
      hops: [
        { pool: 2, vaults: [5, 7] },
        { pool: 3, vaults: [9, 11] }
      ]
    },
    ba8fd11dfe02c275: {
      name: "two_hop_swap_v2",
      user: 14,
      hops: [
        { pool: 0, vaults: [9, 10], mints: [2, 3] },
        { pool: 1, vaults: [11, 12], mints: [3, 4] }
      ],
      inputFirst: true
    }
  },
  swapEvents: {
    e1ca49af932ba096: { name: "Traded", least: 121, rank: 0, read: readSwap }
  },
  poolEvents,
  poolCalls
}
