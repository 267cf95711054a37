/** What candles keep in memory beside their tables, for queries. */
import type { OutputKey } from "../../engine/query.ts"
import type { KeptWallets } from "./kept-wallets.ts"
import type { Blocks } from "./open-gaps.ts"

/** What the log says of the time that it covers. */
export interface SaidMarks {
  /** second before which everything is older than the log; 0 where it begins with the chain */
  readonly start: number
  /** blocks that it lacks; the same list until something else is said */
  readonly open: ReadonlyArray<Blocks>
}

export interface CandlesMemory {
  /** what was counted for questions before */
  readonly kept: KeptWallets
  readonly said: () => SaidMarks
}

export const candlesOutput: OutputKey<CandlesMemory> = { name: "candles" }
