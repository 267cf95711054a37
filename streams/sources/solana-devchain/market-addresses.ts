/** Pools and curves by all the addresses that their instructions name, which follow from mints. */
import type { Address } from "@solana/kit"
import { Effect } from "effect"
import {
  AMM,
  CPMM,
  CURVE,
  derived,
  MAYHEM,
  TOKEN,
  TOKEN_2022,
  tokenAccountOf,
  WSOL
} from "./addresses.ts"

/** A pool of Raydium CPMM. */
export interface CpmmPool {
  readonly address: Address
  readonly config: Address
  readonly authority: Address
  readonly authorityBump: number
  readonly observation: Address
  readonly mints: readonly [Address, Address]
  readonly vaults: readonly [Address, Address]
  /** the mint of its liquidity */
  readonly lpMint: Address
}

/** The pool of two mints, both of the first token program, with the venue's first configuration. */
export const cpmmPoolOf = (mints: readonly [Address, Address]) =>
  Effect.gen(function* () {
    const [config] = yield* derived(CPMM, "amm_config", new Uint8Array(2))
    const [pool] = yield* derived(CPMM, "pool", config, ...mints)
    const [authority, authorityBump] = yield* derived(CPMM, "vault_and_lp_mint_auth_seed")
    const [observation] = yield* derived(CPMM, "observation", pool)
    const [first] = yield* derived(CPMM, "pool_vault", pool, mints[0])
    const [second] = yield* derived(CPMM, "pool_vault", pool, mints[1])
    const [lpMint] = yield* derived(CPMM, "pool_lp_mint", pool)
    const found: CpmmPool = {
      ...{ address: pool, config, authority, authorityBump, observation, mints, lpMint },
      vaults: [first, second]
    }
    return found
  })

/** A curve of pump.fun, and what its creation and its end need beside. */
export interface Curve {
  readonly mint: Address
  /** the token program of the mint */
  readonly program: Address
  readonly address: Address
  readonly tokens: Address
  readonly creator: Address
  readonly creatorVault: Address
  readonly global: Address
  readonly feeRecipient: Address
  readonly eventAuthority: Address
}

export const curveOf = (
  token: { readonly mint: Address; readonly program: Address },
  creator: Address,
  feeRecipient: Address
) =>
  Effect.gen(function* () {
    const { mint, program } = token
    const [global] = yield* derived(CURVE, "global")
    const [curve] = yield* derived(CURVE, "bonding-curve", mint)
    const [eventAuthority] = yield* derived(CURVE, "__event_authority")
    const [creatorVault] = yield* derived(CURVE, "creator-vault", creator)
    const tokens = yield* tokenAccountOf(curve, mint, program)
    const found: Curve = {
      ...{ mint, program, address: curve, tokens, creator, creatorVault },
      ...{ global, feeRecipient, eventAuthority }
    }
    return found
  })

/** A pool of PumpSwap that a curve ends in: its base is the token, its quote wrapped SOL. */
export interface AmmPool {
  readonly address: Address
  readonly global: Address
  /** who creates it: an address that pump.fun derives of the mint */
  readonly authority: Address
  readonly mint: Address
  readonly program: Address
  readonly vaults: readonly [base: Address, quote: Address]
  readonly lpMint: Address
  readonly feeRecipient: Address
  readonly feeTokens: Address
  readonly creatorVault: Address
  readonly creatorTokens: Address
  readonly eventAuthority: Address
}

/** Who holds the fees of pools that go to a token's creator, and the account that they are in. */
export const ammCreatorVault = (creator: Address) =>
  Effect.gen(function* () {
    const [vault] = yield* derived(AMM, "creator_vault", creator)
    return { vault, tokens: yield* tokenAccountOf(vault, WSOL) }
  })

export const ammPoolOf = ({ mint, program, creator, feeRecipient }: Curve) =>
  Effect.gen(function* () {
    const [authority] = yield* derived(CURVE, "pool-authority", mint)
    const [pool] = yield* derived(AMM, "pool", new Uint8Array(2), authority, mint, WSOL)
    const [global] = yield* derived(AMM, "global_config")
    const [lpMint] = yield* derived(AMM, "pool_lp_mint", pool)
    const [eventAuthority] = yield* derived(AMM, "__event_authority")
    const { vault, tokens } = yield* ammCreatorVault(creator)
    const base = yield* tokenAccountOf(pool, mint, program)
    const quote = yield* tokenAccountOf(pool, WSOL, TOKEN)
    const found: AmmPool = {
      ...{ address: pool, global, authority, mint, program, vaults: [base, quote], lpMint },
      ...{ feeRecipient, feeTokens: yield* tokenAccountOf(feeRecipient, WSOL) },
      ...{ creatorVault: vault, creatorTokens: tokens, eventAuthority }
    }
    return found
  })

/** What `create_v2` lists beside the curve; the last four are of tokens not spoken here. */
export const launchAddresses = (mint: Address) =>
  Effect.gen(function* () {
    const [mintAuthority] = yield* derived(CURVE, "mint-authority")
    const [parameters] = yield* derived(MAYHEM, "global-params")
    const [sol] = yield* derived(MAYHEM, "sol-vault")
    const [state] = yield* derived(MAYHEM, "mayhem-state", mint)
    const tokens = yield* tokenAccountOf(sol, mint, TOKEN_2022)
    return { mintAuthority, mayhem: [parameters, sol, state, tokens] as const }
  })
