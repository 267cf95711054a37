/** What candles keep in memory beside their tables, for queries. */
import type { OutputKey } from "../../engine/query.ts"
import type { KeptWallets } from "./kept-wallets.ts"

export interface CandlesMemory {
  /** what was counted for questions before */
  readonly kept: KeptWallets
}

export const candlesOutput: OutputKey<CandlesMemory> = { name: "candles" }
