/** Accounts from which nobody can send, so that tokens they hold are burnt. */
import { type ChainFamily, idsOf } from "../ids.ts"

/** Version of the lists below: raise it with any change, since answers depend on it. */
export const BURN_SINKS_VERSION = 1

/**
 * Of EVM chains: the first precompile, whose address people have sent tokens to for being 1, and
 * the two addresses of the letters "dead" that are used for announced burns (SHIB in May 2021 used
 * the second). None has a known key.
 */
const EVM_SINKS: ReadonlyArray<string> = [
  `0x${"0".repeat(39)}1`,
  `0x${"0".repeat(36)}dead`,
  "0xdead000000000000000042069420694206942069"
]

/** Of Solana: the incinerator, whose lamports the runtime burns at the end of each slot. */
const SOLANA_SINKS: ReadonlyArray<string> = ["1nc1nerator11111111111111111111111111111111"]

const SINKS: { readonly [family in ChainFamily]: ReadonlyArray<string> } = {
  evm: EVM_SINKS,
  solana: SOLANA_SINKS
}

/** Returns the burn sinks of a chain, the account of zero bytes first. */
export const burnSinksOf = (chain: { readonly family?: ChainFamily }): ReadonlyArray<string> => [
  idsOf(chain).zero,
  ...SINKS[chain.family ?? "evm"]
]
