/** What later projections and queries read of markets: their tables in memory, and a day's sums. */
import type { OutputKey } from "../../engine/query.ts"
import type { MarketFold } from "./fold.ts"
import type { MarketIndex } from "./market-index.ts"

/** The fold without what changes it. */
export interface Markets extends Readonly<Omit<MarketFold, "index" | "apply" | "reloaded">> {
  readonly index: Pick<MarketIndex, "markets" | "listings" | "venues" | "ofPool" | "ofToken">
}

export const markets: OutputKey<Markets> = { name: "markets" }
