/** Names candles, of whose memory nothing is read. */
import type { OutputKey } from "../../engine/query.ts"

export const candlesOutput: OutputKey<null> = { name: "candles" }
