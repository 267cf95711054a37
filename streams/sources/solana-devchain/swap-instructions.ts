/** Swaps as the three programs take them; accounts of LAYOUTS.md, sections 3, 10 and 11. */
import type { Address, Instruction, TransactionSigner } from "@solana/kit"
import { dataOf } from "./account-data.ts"
import { AMM, ASSOCIATED, CPMM, CURVE, SYSTEM, TOKEN, WSOL } from "./addresses.ts"
import { agrees, pays, reads, writes } from "./instruction-accounts.ts"
import type { AmmPool, CpmmPool, Curve } from "./market-addresses.ts"

export interface CpmmSwap {
  readonly pool: CpmmPool
  readonly user: TransactionSigner
  /** the user's accounts of the pool's two tokens */
  readonly accounts: readonly [Address, Address]
  readonly isFirstIn: boolean
  /** in: what is sent, and the least that may come; out: what comes, and the most to send */
  readonly exact: "in" | "out"
  readonly amount: bigint
  readonly limit: bigint
}

const CPMM_TAGS = { in: "8fbe5adac41e33de", out: "37d96256a34ab4ad" } as const

const callData = (tag: string, amount: bigint, limit: bigint): Uint8Array =>
  dataOf(24, [
    [0, Buffer.from(tag, "hex")],
    [8, amount],
    [16, limit]
  ])

export const cpmmSwap = (swap: CpmmSwap): Instruction => {
  const { pool, user, accounts, isFirstIn, exact, amount, limit } = swap
  const [from, to] = isFirstIn ? ([0, 1] as const) : ([1, 0] as const)
  return {
    programAddress: CPMM,
    data: callData(CPMM_TAGS[exact], amount, limit),
    accounts: [
      agrees(user),
      ...[pool.authority, pool.config].map(reads),
      ...[pool.address, accounts[from], accounts[to], pool.vaults[from], pool.vaults[to]].map(
        writes
      ),
      ...[TOKEN, TOKEN, pool.mints[from], pool.mints[to]].map(reads),
      writes(pool.observation)
    ]
  }
}

export interface CurveSwap {
  readonly curve: Curve
  readonly user: TransactionSigner
  /** the user's account of the token */
  readonly account: Address
  readonly call: "buy" | "buy_exact_sol_in" | "sell"
  /** tokens, of `buy_exact_sol_in` lamports; then the most lamports, or the least that comes */
  readonly amount: bigint
  readonly limit: bigint
}

const CURVE_TAGS = {
  buy: "66063d1201daebea",
  buy_exact_sol_in: "38fc74089edfcd5f",
  sell: "33e685a4017f83ad"
} as const

export const curveSwap = ({
  curve,
  user,
  account,
  call,
  amount,
  limit
}: CurveSwap): Instruction => {
  const [vault, program] = [writes(curve.creatorVault), reads(curve.program)]
  return {
    programAddress: CURVE,
    data: callData(CURVE_TAGS[call], amount, limit),
    accounts: [
      ...[reads(curve.global), writes(curve.feeRecipient), reads(curve.mint)],
      ...[curve.address, curve.tokens, account].map(writes),
      pays(user),
      reads(SYSTEM),
      ...(call === "sell" ? [vault, program] : [program, vault]),
      ...[curve.eventAuthority, CURVE].map(reads)
    ]
  }
}

export interface AmmSwap {
  readonly pool: AmmPool
  readonly user: TransactionSigner
  /** the user's accounts of the token and of wrapped SOL */
  readonly accounts: readonly [base: Address, quote: Address]
  readonly call: "buy" | "sell"
  /** tokens; then the most to pay of wrapped SOL, or the least that comes */
  readonly amount: bigint
  readonly limit: bigint
}

/** PumpSwap's first form of both, with creators' fees. */
export const ammSwap = ({ pool, user, accounts, call, amount, limit }: AmmSwap): Instruction => ({
  programAddress: AMM,
  data: callData(CURVE_TAGS[call], amount, limit),
  accounts: [
    ...[writes(pool.address), pays(user)],
    ...[pool.global, pool.mint, WSOL].map(reads),
    ...[...accounts, ...pool.vaults].map(writes),
    ...[reads(pool.feeRecipient), writes(pool.feeTokens)],
    ...[pool.program, TOKEN, SYSTEM, ASSOCIATED, pool.eventAuthority, AMM].map(reads),
    ...[writes(pool.creatorTokens), reads(pool.creatorVault)]
  ]
})
