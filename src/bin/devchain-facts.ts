/** What a devchain adds to the registry's facts of its chain. */
import { join } from "node:path"
import { Effect } from "effect"
import { arc } from "../../streams/sources/devchain/networks/arc.ts"
import { base } from "../../streams/sources/devchain/networks/base.ts"
import type { Address } from "../domain/address.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { exists } from "../platform/files.ts"

/** Chains of the devchain, when no `RPC_…` is set. */
export const DEVCHAINS = [arc, base]

/** The chain as a devchain has it: with the routers that it deploys. */
export const withDevchainRouters = (chain: ChainConfig): ChainConfig => {
  const network = DEVCHAINS.find(({ key }) => key === chain.key)
  if (network === undefined) return chain
  const { v2Router, v3Router } = network.contracts
  const own = [v2Router, v3Router].map(router => router.toLowerCase() as Address)
  // no explorer knows what happens on a simulated chain
  const { explorer: _, ...facts } = chain
  return { ...facts, routers: [...new Set([...chain.routers, ...own])] }
}

/** The same where a data folder holds a devchain: its tables were made with those routers. */
export const withDevchainOf = (chain: ChainConfig, folder: string) =>
  Effect.map(exists(join(folder, "devchain", chain.key)), isThere =>
    isThere ? withDevchainRouters(chain) : chain
  )
