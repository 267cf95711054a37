/** Names of launchpads, from the chain's registry; other launchers have no name. */
import type { ChainConfig } from "../../../src/domain/chain.ts"

/** Returns the names of a chain's launchpads by address. */
export const launcherNames = ({ launchpads = [] }: ChainConfig): ReadonlyMap<string, string> =>
  new Map(launchpads.map(({ address, name }) => [address, name]))
