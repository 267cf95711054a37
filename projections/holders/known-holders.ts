/** The kind of a holder: a known pool or vault, a burn sink, or else a wallet. */
import { fromHex } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { ByteTable } from "../../streams/batch/id-table.ts"
import { inOneContract } from "../../streams/pool-venue.ts"
import type { Pools } from "../pools/output.ts"
import { BURN_SINKS } from "./burn-sinks.ts"

export const WALLET = 0
export const POOL = 1
export const BURN = 2

/** By kind: its name in answers. */
export const HOLDER_KINDS = ["wallet", "pool", "burn"] as const

const tableOf = (addresses: ReadonlyArray<string>): ByteTable => {
  const table = new ByteTable(20)
  for (const address of addresses) table.intern(fromHex(address), 0)
  return table
}

/** Returns the contracts that hold the reserves of many pools. */
const vaultsOf = ({ venues }: ChainConfig): ReadonlyArray<string> =>
  venues.filter(({ kind }) => inOneContract.has(kind)).map(({ factory }) => factory)

/**
 * Makes a function that returns the kind of an address, by the pools that are known when it runs.
 */
export const holderKinds = (chain: ChainConfig, pools: Pools) => {
  const sinks = tableOf(BURN_SINKS)
  const vaults = tableOf(vaultsOf(chain))
  return (bytes: Uint8Array, from: number): number => {
    if (sinks.find(bytes, from) >= 0) return BURN
    return vaults.find(bytes, from) >= 0 || pools.slotAt(bytes, from) >= 0 ? POOL : WALLET
  }
}
