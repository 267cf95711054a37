/** What later projections and queries read of markets: their tables in memory, and a day's sums. */
import type { OutputKey } from "../../engine/query.ts"
import type { MarketFold } from "./fold.ts"

export const markets: OutputKey<MarketFold> = { name: "markets" }
