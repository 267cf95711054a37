/** Meteora DAMM v1 (dynamic pools): liquidity lies in lending vaults that many pools share. */
import { addressAt, u64At } from "../payload.ts"
import type { PoolCall, PoolEventLayout, SolanaVenue, SwapFacts } from "../venue.ts"

/**
 * Amounts are worked out of shares of the vaults. The vault was seen to gain up to 1,977 units of
 * 5.9 × 10^9 more than the event says, and to lose 1 or 2 units less.
 */
const INPUT_SLACK_PARTS = 1_000_000n
const ROUNDING = 2n

const readSwap = (payload: Uint8Array): SwapFacts => {
  const amountIn = u64At(payload, 8)
  const protocolFee = u64At(payload, 32)
  return {
    pool: null,
    firstIn: null,
    amountIn: amountIn - protocolFee,
    amountOut: u64At(payload, 16),
    after: { kind: "shares", net: amountIn - protocolFee - u64At(payload, 24) },
    slack: { in: amountIn / INPUT_SLACK_PARTS + ROUNDING, out: ROUNDING },
    ...(protocolFee > 0n ? { caveat: "protocol fees are not proven" } : {})
  }
}

/** Amounts worked out of shares of the vaults, which may gain or lose some units beside them. */
const readLiquidity =
  (sign: 1n | -1n, poolAt: number | null): PoolEventLayout["read"] =>
  payload => ({
    kind: "liquidity",
    pool: poolAt === null ? null : addressAt(payload, poolAt),
    owner: null,
    position: null,
    mints: [null, null],
    amounts: [sign * u64At(payload, 16), sign * u64At(payload, 24)]
  })

const poolEvents: { readonly [tag: string]: PoolEventLayout } = {
  ca2c295868dc9d52: {
    name: "PoolCreated",
    least: 137,
    read: payload => ({
      kind: "created",
      pool: addressAt(payload, 105),
      mints: [addressAt(payload, 40), addressAt(payload, 72)],
      fee: null,
      spacing: null
    })
  },
  "797f26885c370ef7": { name: "BootstrapLiquidity", least: 64, read: readLiquidity(1n, 32) },
  // should a bootstrap tell it besides, the one that names the pool is believed
  "1f5e7d5ae3343dba": { name: "AddLiquidity", least: 32, rank: 1, read: readLiquidity(1n, null) },
  "74f461e8671f983a": { name: "RemoveLiquidity", least: 32, read: readLiquidity(-1n, null) }
}

const MILLIONTHS_PER_BASIS_POINT = 100
/** Bytes of a curve in the data: of constant product its number alone. */
const CURVE_BYTES: { readonly [type: number]: number } = { 0: 1, 1: 51 }

/** Returns the basis points that stand behind the curve. */
const feeBehindCurve = (data: Uint8Array): number | null => {
  const curve = CURVE_BYTES[data[8] ?? -1]
  if (curve === undefined || data.length < 8 + curve + 8) return null
  return Number(u64At(data, 8 + curve)) * MILLIONTHS_PER_BASIS_POINT
}

const creation = (name: string, mintA: number, fee = (_: Uint8Array): number | null => null) => ({
  name,
  pool: 0,
  mints: [mintA, mintA + 1] as const,
  creates: (data: Uint8Array) => ({ fee: fee(data), spacing: null })
})

/** Mints are told by the tokens of the lending vaults. */
const change = (name: string, owner = 13): PoolCall => ({
  name,
  pool: 0,
  vaults: [9, 10],
  owner
})

const CONSTANT = "permissionless_constant_product_pool"

const poolCalls: { readonly [tag: string]: PoolCall } = {
  "4d55b29d3230d47e": creation("initialize_permissioned_pool", 2),
  "76ad299dad486167": creation("initialize_permissionless_pool", 2),
  "06874493e552a971": creation("initialize_permissionless_pool_with_fee_tier", 2, feeBehindCurve),
  "07a68aabceabecf4": creation(`initialize_${CONSTANT}_with_config`, 3),
  "3095dc823d0b09b2": creation(`initialize_${CONSTANT}_with_config2`, 3),
  "9118acc2db7d03be": creation(`initialize_customizable_${CONSTANT}`, 2),
  a8e3323ebdab54b0: change("add_balance_liquidity"),
  "4f237a54ad0f5dbf": change("add_imbalance_liquidity"),
  "04e4d747e1fd77ce": change("bootstrap_liquidity"),
  "856d2cb338ee7221": change("remove_balance_liquidity"),
  "5454b142feb90afb": change("remove_liquidity_single_side", 12)
}

export const meteoraDammV1: SolanaVenue = {
  number: 7,
  name: "meteora-damm-v1",
  program: "Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB",
  shape: "v2",
  reserves: "price",
  eventAuthority: null,
  tagBytes: 8,
  swapCalls: {
    f8c69e91e17587c8: {
      name: "swap",
      user: 12,
      hops: [{ pool: 0, vaults: [5, 6], shares: [9, 10] }]
    }
  },
  swapEvents: {
    "516ce3becdd00ac4": { name: "Swap", least: 48, rank: 0, read: readSwap }
  },
  poolEvents,
  poolCalls
}
