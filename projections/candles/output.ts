/** What the candles' queries read of their fold. */
import type { OutputKey } from "../../engine/projection.ts"
import type { RecentCandles } from "./recent.ts"

export const candlesOutput: OutputKey<RecentCandles> = { name: "candles" }
