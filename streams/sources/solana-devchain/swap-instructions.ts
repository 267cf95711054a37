/** Swaps as the two programs take them; accounts of LAYOUTS.md, sections 3 and 10. */
import { AccountRole, type Address, type Instruction, type TransactionSigner } from "@solana/kit"
import { dataOf } from "./account-data.ts"
import { CPMM, CURVE, SYSTEM, TOKEN } from "./addresses.ts"

/** Reads and writes of accounts, in the order that a program lists them. */
const reads = (address: Address) => ({ address, role: AccountRole.READONLY })
const writes = (address: Address) => ({ address, role: AccountRole.WRITABLE })
const signs = (
  signer: TransactionSigner,
  role: AccountRole.READONLY_SIGNER | AccountRole.WRITABLE_SIGNER
) => ({
  address: signer.address,
  role,
  signer
})

/** A pool as its swaps name it. */
export interface CpmmPool {
  readonly address: Address
  readonly config: Address
  readonly authority: Address
  readonly observation: Address
  readonly mints: readonly [Address, Address]
  readonly vaults: readonly [Address, Address]
}

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
      signs(user, AccountRole.READONLY_SIGNER),
      ...[pool.authority, pool.config].map(reads),
      ...[pool.address, accounts[from], accounts[to], pool.vaults[from], pool.vaults[to]].map(
        writes
      ),
      ...[TOKEN, TOKEN, pool.mints[from], pool.mints[to]].map(reads),
      writes(pool.observation)
    ]
  }
}

/** A curve as its swaps name it. */
export interface Curve {
  readonly mint: Address
  readonly address: Address
  readonly tokens: Address
  readonly creatorVault: Address
  readonly global: Address
  readonly feeRecipient: Address
  readonly eventAuthority: Address
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
  const [vault, program] = [writes(curve.creatorVault), reads(TOKEN)]
  return {
    programAddress: CURVE,
    data: callData(CURVE_TAGS[call], amount, limit),
    accounts: [
      ...[reads(curve.global), writes(curve.feeRecipient), reads(curve.mint)],
      ...[curve.address, curve.tokens, account].map(writes),
      signs(user, AccountRole.WRITABLE_SIGNER),
      reads(SYSTEM),
      ...(call === "sell" ? [vault, program] : [program, vault]),
      ...[curve.eventAuthority, CURVE].map(reads)
    ]
  }
}
