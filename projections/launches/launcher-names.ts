/** What the chain's list calls a contract; nothing is named otherwise. */
import type { ChainConfig } from "../../src/domain/chain.ts"

/** Names by address: a venue's id for its contracts, a proven router's name. */
export const contractNames = (chain: ChainConfig): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const { address, name, state } of chain.routerChecks ?? []) {
    if (state === "proven") found.set(address.toLowerCase(), name)
  }
  for (const { id, factory, deployer, positionManager } of chain.venues) {
    for (const address of [factory, deployer, positionManager]) {
      if (address !== undefined) found.set(address, id)
    }
  }
  return found
}
