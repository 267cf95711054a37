/** The kind of a holder: a known pool or vault, a burn sink, or else a wallet. */
import type { ChainConfig } from "../../src/domain/chain.ts"
import { addressTable } from "../../streams/batch/id-table.ts"
import { inOneContract } from "../../streams/pool-venue.ts"
import type { Pools } from "../pools/output.ts"

export const WALLET = 0
const POOL = 1
export const BURN = 2

/** By kind: its name in answers. */
export const HOLDER_KINDS = ["wallet", "pool", "burn"] as const

/** Version of the list of burn sinks: raise it with any change, since answers depend on it. */
export const BURN_SINKS_VERSION = 1

/**
 * Addresses from which nobody can send, so that tokens they hold are burnt: the zero address; the
 * first precompile, whose address people have sent tokens to for being 1; the two addresses of the
 * letters "dead" that are used for announced burns (SHIB in May 2021 used the second). None has a
 * known key. The zero address has no entry in the ledger: see `supply.ts`.
 */
const BURN_SINKS: ReadonlyArray<string> = [
  `0x${"0".repeat(40)}`,
  `0x${"0".repeat(39)}1`,
  `0x${"0".repeat(36)}dead`,
  "0xdead000000000000000042069420694206942069"
]

/**
 * Makes a function that returns the kind of an address, by the pools that are known when it runs.
 */
export const holderKinds = ({ venues }: ChainConfig, pools: Pools) => {
  const sinks = addressTable(BURN_SINKS)
  // contracts that hold the reserves of many pools
  const vaults = addressTable(
    venues.filter(({ kind }) => inOneContract.has(kind)).map(({ factory }) => factory)
  )
  return (bytes: Uint8Array, from: number): number => {
    if (sinks.find(bytes, from) >= 0) return BURN
    const isVault = vaults.find(bytes, from) >= 0
    return isVault || pools.withId(bytes.subarray(from, from + 20)) >= 0 ? POOL : WALLET
  }
}
