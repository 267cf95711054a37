/** The smallest trade that a chain's index counts (spec 1.8). */
import type { ChainConfig } from "../../src/domain/chain.ts"

/**
 * A chain's floor in dollars; 0 where every trade counts. Folds apply the registry's floor to the
 * whole log, and another floor makes all tables anew, so its history is one entry from the start.
 */
export const ingestFloorOf = ({ ingestFloorUsd = 0 }: ChainConfig) => ({
  minTradeUsd: ingestFloorUsd,
  history: [{ usd: ingestFloorUsd, fromTs: 0 }]
})

/** The same where the registry declares one; nothing elsewhere. */
export const declaredFloor = (chain: ChainConfig) =>
  chain.ingestFloorUsd === undefined ? {} : { ingestFloor: ingestFloorOf(chain) }
