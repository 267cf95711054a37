/** Tokens that launch and graduate, as pump.fun takes them (its IDL), and accounts of tokens. */
import type { Address, Instruction, TransactionSigner } from "@solana/kit"
import { getAddressEncoder } from "@solana/kit"
import {
  AMM,
  ASSOCIATED,
  COMPUTE_BUDGET,
  CURVE,
  MAYHEM,
  SYSTEM,
  TOKEN,
  TOKEN_2022,
  WSOL
} from "./addresses.ts"
import { agrees, pays, reads, writes } from "./instruction-accounts.ts"
import type { AmmPool, Curve } from "./market-addresses.ts"
import type { TokenName } from "./token-names.ts"

const addressBytes = getAddressEncoder()

/** A length of 4 bytes, and the text. */
const textBytes = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, "utf8")
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([length, bytes])
}

export interface TokenLaunch extends TokenName {
  readonly page: string
  readonly user: TransactionSigner
  /** the key of the mint signs, too */
  readonly mint: TransactionSigner
  readonly curve: Curve
  readonly mintAuthority: Address
  /** of a kind of token that is not spoken here, but listed */
  readonly mayhem: readonly [parameters: Address, sol: Address, state: Address, tokens: Address]
}

/** `create_v2`: a mint of Token-2022 and its curve. */
export const createToken = (launch: TokenLaunch): Instruction => {
  const { user, mint, curve, mintAuthority, mayhem } = launch
  const [parameters, ...others] = mayhem
  return {
    programAddress: CURVE,
    data: Buffer.concat([
      Buffer.from("d6904cec5f8b31b4", "hex"),
      ...[launch.name, launch.symbol, launch.page].map(textBytes),
      addressBytes.encode(curve.creator) as Uint8Array,
      Buffer.alloc(1)
    ]),
    accounts: [
      ...[pays(mint), reads(mintAuthority), writes(curve.address), writes(curve.tokens)],
      ...[reads(curve.global), pays(user)],
      ...[SYSTEM, TOKEN_2022, ASSOCIATED].map(reads),
      ...[writes(MAYHEM), reads(parameters), ...others.map(writes)],
      ...[curve.eventAuthority, CURVE].map(reads)
    ]
  }
}

/** What a graduation names beside curve and pool. */
export interface Graduation {
  readonly curve: Curve
  readonly pool: AmmPool
  readonly user: TransactionSigner
  readonly withdrawer: Address
  /** the pool's authority's accounts of the token, of wrapped SOL, and of liquidity */
  readonly held: readonly [tokens: Address, wrapped: Address, liquidity: Address]
}

/** `migrate`: a complete curve becomes a pool. */
export const migrateCurve = ({ curve, pool, user, withdrawer, held }: Graduation): Instruction => {
  const [tokens, wrapped, liquidity] = held
  return {
    programAddress: CURVE,
    data: Buffer.from("9beae792ec9ea21e", "hex"),
    accounts: [
      ...[reads(curve.global), writes(withdrawer), reads(curve.mint)],
      ...[writes(curve.address), writes(curve.tokens), agrees(user)],
      ...[SYSTEM, TOKEN, AMM].map(reads),
      ...[pool.address, pool.authority, tokens, wrapped].map(writes),
      ...[pool.global, WSOL].map(reads),
      ...[pool.lpMint, liquidity, ...pool.vaults].map(writes),
      ...[TOKEN_2022, ASSOCIATED, pool.eventAuthority, curve.eventAuthority, CURVE].map(reads)
    ]
  }
}

/** Opens an owner's account for a mint, where it is not there yet. */
export const openTokenAccount = (
  user: TransactionSigner,
  account: Address,
  { mint, program }: { readonly mint: Address; readonly program: Address }
): Instruction => ({
  programAddress: ASSOCIATED,
  data: Uint8Array.of(1),
  accounts: [...[pays(user), writes(account)], ...[user.address, mint, SYSTEM, program].map(reads)]
})

/** Lets a transaction use so many compute units; without it each instruction adds 200,000. */
export const computeLimit = (units: number): Instruction => {
  const data = Buffer.alloc(5)
  data[0] = 2
  data.writeUInt32LE(units, 1)
  return { programAddress: COMPUTE_BUDGET, data, accounts: [] }
}
