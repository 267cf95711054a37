/** The smallest trade that a chain's index counts (spec 1.8). */
import type { ChainConfig } from "../../src/domain/chain.ts"

/**
 * Returns a chain's floor in dollars; 0 where every trade counts. Folds apply the registry's floor
 * to the whole log, and a changed floor rebuilds all tables, so the history has a single entry.
 */
export const ingestFloorOf = ({ ingestFloorUsd = 0 }: ChainConfig) => ({
  minTradeUsd: ingestFloorUsd,
  history: [{ usd: ingestFloorUsd, fromTs: 0 }]
})

/** Returns the field `ingestFloor` where the registry declares a floor; no field elsewhere. */
export const declaredFloor = (chain: ChainConfig) =>
  chain.ingestFloorUsd === undefined ? {} : { ingestFloor: ingestFloorOf(chain) }
