/**
 * Addresses that nobody can send from, so that what they hold is burnt. Raise the version with any
 * change of the list: answers depend on it.
 */

/** Version of the list. */
export const BURN_SINKS_VERSION = 1

/**
 * The zero address; the first precompile, whose address people have sent tokens to for being 1; the
 * two addresses of the letters "dead" that burns are published with (that of SHIB in May 2021 went
 * to the second). None has a known key; balances of the zero address are reckoned apart.
 */
export const BURN_SINKS: ReadonlyArray<string> = [
  `0x${"0".repeat(40)}`,
  `0x${"0".repeat(39)}1`,
  `0x${"0".repeat(36)}dead`,
  "0xdead000000000000000042069420694206942069"
]
