/** The kind of a holder: a known pool or vault, a burn sink, or else a wallet. */

import type { ChainConfig } from "../../src/domain/chain.ts"
import { burnSinksOf } from "../../src/domain/chains/burn-sinks.ts"
import { ID_BYTES } from "../../src/domain/ids.ts"
import { accountTable } from "../../streams/batch/id-table.ts"
import { inOneContract } from "../../streams/pool-venue.ts"
import type { Pools } from "../pools/output.ts"

export const WALLET = 0
const POOL = 1
export const BURN = 2

/** By kind: its name in answers. */
export const HOLDER_KINDS = ["wallet", "pool", "burn"] as const

/**
 * Makes a function that returns the kind of an address, by the pools that are known when it runs.
 */
export const holderKinds = (chain: ChainConfig, pools: Pools) => {
  const sinks = accountTable(burnSinksOf(chain))
  // contracts that hold the reserves of many pools
  const vaults = accountTable(
    chain.venues.filter(({ kind }) => inOneContract.has(kind)).map(({ factory }) => factory)
  )
  return (bytes: Uint8Array, from: number): number => {
    if (sinks.find(bytes, from) >= 0) return BURN
    const isVault = vaults.find(bytes, from) >= 0
    return isVault || pools.withId(bytes.subarray(from, from + ID_BYTES)) >= 0 ? POOL : WALLET
  }
}
