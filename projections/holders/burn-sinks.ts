/**
 * Addresses from which nobody can send: tokens that they hold are burnt. Raise the version with any
 * change of the list, since answers depend on it.
 */

/** Version of the list. */
export const BURN_SINKS_VERSION = 1

/**
 * The zero address; the first precompile, whose address people have sent tokens to for being 1; the
 * two addresses of the letters "dead" that are used for announced burns (SHIB in May 2021 used the
 * second). None has a known key. The zero address has no entry in the ledger: see `supply.ts`.
 */
export const BURN_SINKS: ReadonlyArray<string> = [
  `0x${"0".repeat(40)}`,
  `0x${"0".repeat(39)}1`,
  `0x${"0".repeat(36)}dead`,
  "0xdead000000000000000042069420694206942069"
]
