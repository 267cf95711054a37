/** Pools that are opened, liquidity that comes and goes, as Raydium CPMM takes them (its IDL). */
import type { Address, Instruction, TransactionSigner } from "@solana/kit"
import { dataOf } from "./account-data.ts"
import {
  ASSOCIATED,
  CPMM,
  MEMO,
  POOL_FEE_RECEIVER,
  RENT_SYSVAR,
  SYSTEM,
  TOKEN,
  TOKEN_2022
} from "./addresses.ts"
import { agrees, pays, reads, writes } from "./instruction-accounts.ts"
import type { CpmmPool } from "./market-addresses.ts"

const TAGS = {
  initialize: "afaf6d1f0d989bed",
  deposit: "f223c68952e1f2b6",
  withdraw: "b712469c946da122"
} as const

const callData = (tag: keyof typeof TAGS, ...numbers: readonly [bigint, bigint, bigint]) =>
  dataOf(32, [
    [0, Buffer.from(TAGS[tag], "hex")],
    ...numbers.map((one, i) => [8 + 8 * i, one] as const)
  ])

/** What a wallet has of a pool: accounts of both tokens and of its liquidity. */
export interface PoolHolding {
  readonly pool: CpmmPool
  readonly user: TransactionSigner
  readonly accounts: readonly [Address, Address]
  readonly lpTokens: Address
}

/** Opens a pool with so much of both tokens; it can be traded in from the next second on. */
export const cpmmInitialize = (
  { pool, user, accounts, lpTokens }: PoolHolding,
  [first, second]: readonly [bigint, bigint]
): Instruction => ({
  programAddress: CPMM,
  data: callData("initialize", first, second, 0n),
  accounts: [
    ...[pays(user), reads(pool.config), reads(pool.authority), writes(pool.address)],
    ...[...pool.mints.map(reads), writes(pool.lpMint)],
    ...[...accounts, lpTokens, ...pool.vaults, POOL_FEE_RECEIVER, pool.observation].map(writes),
    ...[TOKEN, TOKEN, TOKEN, ASSOCIATED, SYSTEM, RENT_SYSVAR].map(reads)
  ]
})

export interface LiquidityChange extends PoolHolding {
  readonly call: "deposit" | "withdraw"
  readonly liquidity: bigint
  /** the most to pay of both tokens, or the least that comes */
  readonly limits: readonly [bigint, bigint]
}

export const cpmmLiquidity = (change: LiquidityChange): Instruction => {
  const { pool, user, accounts, lpTokens, call, liquidity, limits } = change
  return {
    programAddress: CPMM,
    data: callData(call, liquidity, ...limits),
    accounts: [
      ...[agrees(user), reads(pool.authority)],
      ...[pool.address, lpTokens, ...accounts, ...pool.vaults].map(writes),
      ...[TOKEN, TOKEN_2022, ...pool.mints].map(reads),
      writes(pool.lpMint),
      ...(call === "withdraw" ? [reads(MEMO)] : [])
    ]
  }
}
