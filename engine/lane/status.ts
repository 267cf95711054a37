/** What a lane says of itself. */
import type { Assurance } from "../../src/domain/assurance.ts"
import type { Gap, SourceStatus } from "../../streams/source.ts"
import type { WordRun } from "../late/word-runs.ts"

/** In the order in which they come; `history`: it has all of a log that no source writes. */
export const LANE_STATES = [
  "starting",
  "rebuilding",
  "catching-up",
  "live",
  "stalled",
  "history",
  "failed"
] as const

/** A position of a log with its block; without one where nothing is there yet. */
export interface CountedAt {
  readonly seq: number
  readonly block: number | null
  readonly blockTime: number | null
}

/** Committed state of a lane; `/status` shows it as it is, at the position of what is counted. */
export interface LaneStatus {
  readonly chain: string
  readonly state: (typeof LANE_STATES)[number]
  readonly problem: string | null
  /** committed log position, newest position in the log */
  readonly seq: number
  readonly logSeq: number
  readonly block: number | null
  readonly blockTime: number | null
  /** position of what is counted: events, swaps, quarantined logs, gaps, words and assurance */
  readonly counted: CountedAt
  /** start of the oldest UTC day whose raw rows are kept, Unix seconds; null while all are */
  readonly retentionCutoffDay: number | null
  /** start of the oldest UTC day whose candles of a minute are kept, likewise */
  readonly minutesCutoffDay: number | null
  readonly events: number
  readonly swaps: number
  /** logs that were not read, by reason; reasons that name accounts and amounts are one */
  readonly quarantined: ReadonlyArray<{ readonly reason: string; readonly count: number }>
  /** the newest of them, newest first */
  readonly quarantinedLogs: ReadonlyArray<{
    readonly block: number
    /** Unix seconds */
    readonly time: number
    /** null of a log that belongs to the block alone */
    readonly tx: string | null
    readonly account: string
    readonly reason: string
  }>
  readonly gaps: ReadonlyArray<Gap>
  /** how the least known block of the log is known, gaps aside; null until the tables tell */
  readonly assurance: Assurance | null
  /** runs of blocks that are not proven, the newest */
  readonly words: ReadonlyArray<WordRun>
  readonly rollbacks: number
  readonly lastRollbackDepth: number | null
  readonly memoryBytes: number
  readonly projections: ReadonlyArray<{ readonly name: string; readonly version: number }>
  readonly source: SourceStatus | null
  readonly warnings: ReadonlyArray<string>
}
