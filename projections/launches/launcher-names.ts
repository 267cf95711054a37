/** What the chain's list calls a launchpad; nothing is named otherwise. */
import type { ChainConfig } from "../../src/domain/chain.ts"

/** Names by address. */
export const launcherNames = ({ launchpads = [] }: ChainConfig): ReadonlyMap<string, string> =>
  new Map(launchpads.map(({ address, name }) => [address, name]))
