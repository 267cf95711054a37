/** Addresses of pools that a factory deploys with CREATE2 (EIP-1014). */
import { fromHex, toHex } from "../../src/domain/address.ts"
import type { ChainVenue } from "../../src/domain/chain.ts"
import { keccak256 } from "../../src/platform/keccak.ts"

/** Two tokens in the order a pool holds them: by address. */
export const sortTokens = (a: string, b: string): readonly [string, string] =>
  a < b ? [a, b] : [b, a]

/** What is hashed: 0xff, the deployer, the salt and the hash of the init code. */
const preimage = new Uint8Array(85)
preimage[0] = 0xff
const SALT = 21
const INIT_CODE = 53

/**
 * The pool of a salt, lower case; null for a venue whose init code hash is unknown. `packed` are
 * the bytes whose hash is the salt.
 */
export const poolAddress = (venue: ChainVenue, packed: ReadonlyArray<string>): string | null => {
  if (venue.initCodeHash === undefined) return null
  preimage.set(fromHex(venue.deployer ?? venue.factory), 1)
  preimage.set(keccak256(fromHex(`0x${packed.map(part => part.slice(2)).join("")}`)), SALT)
  preimage.set(fromHex(venue.initCodeHash), INIT_CODE)
  return toHex(keccak256(preimage).subarray(12))
}

/** A number or address as one ABI word. */
export const abiWord = (hex: string): string => `0x${hex.slice(2).padStart(64, "0")}`
