/** The kind of a holder: a known pool or vault, a burn sink, or else a wallet. */
import { fromHex } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { ByteTable } from "../../streams/batch/id-table.ts"
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

const tableOf = (addresses: ReadonlyArray<string>): ByteTable => {
  const table = new ByteTable(20)
  for (const address of addresses) table.intern(fromHex(address), 0)
  return table
}

/**
 * Makes a function that returns the kind of an address, by the pools that are known when it runs.
 */
export const holderKinds = ({ venues }: ChainConfig, pools: Pools) => {
  const sinks = tableOf(BURN_SINKS)
  // contracts that hold the reserves of many pools
  const vaults = tableOf(
    venues.filter(({ kind }) => inOneContract.has(kind)).map(({ factory }) => factory)
  )
  return (bytes: Uint8Array, from: number): number => {
    if (sinks.find(bytes, from) >= 0) return BURN
    return vaults.find(bytes, from) >= 0 || pools.slotAt(bytes, from) >= 0 ? POOL : WALLET
  }
}
