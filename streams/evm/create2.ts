/** Addresses of pools that a factory deploys with CREATE2 (EIP-1014). */
import { concat, type Hex, keccak256 } from "viem"
import type { ChainVenue } from "../../src/domain/chain.ts"

/** Two tokens in the order a pool holds them: by address. */
export const sortTokens = (a: string, b: string): readonly [string, string] =>
  a < b ? [a, b] : [b, a]

/**
 * The pool of a salt, lower case; null for a venue whose init code hash is unknown. `packed` are
 * the bytes whose hash is the salt. Two hashes: checksums of addresses would cost two more.
 */
export const poolAddress = (venue: ChainVenue, packed: ReadonlyArray<string>): string | null =>
  venue.initCodeHash === undefined
    ? null
    : `0x${keccak256(
        concat([
          "0xff",
          (venue.deployer ?? venue.factory) as Hex,
          keccak256(concat(packed as ReadonlyArray<Hex>)),
          venue.initCodeHash as Hex
        ])
      ).slice(26)}`

/** A number or address as one ABI word. */
export const abiWord = (hex: string): string => `0x${hex.slice(2).padStart(64, "0")}`
