/** What candles keep in memory beside their tables, for queries. */
import type { OutputKey } from "../../engine/query.ts"
import type { KeptWallets } from "./kept-wallets.ts"
import type { SaidMarks } from "./log-marks.ts"

export type { SaidMarks }

export interface CandlesMemory {
  /** what was counted for questions before */
  readonly kept: KeptWallets
  readonly said: () => SaidMarks
}

export const candlesOutput: OutputKey<CandlesMemory> = { name: "candles" }
