/**
 * What a lane's worker and the serving thread say to each other. The worker owns the fold, the
 * DuckDB file and the queries; the serving thread owns sockets, the answer cache and replicas of
 * some tables (`engine/replica`). Everything is structured-clonable; answers are JSON in bytes,
 * encoded by the worker, or by a replica that has all that a query needs.
 */
import type { Assurance } from "../../src/domain/assurance.ts"
import type { Gap, SourceStatus } from "../../streams/source.ts"
import type { WordRun } from "../late/word-runs.ts"

export type QueryParams = { readonly [name: string]: string | number | boolean | null }

/** A read, answered by a projection's query of that name. */
export interface QueryRequest {
  readonly name: string
  readonly params: QueryParams
}

/** A query's refusal, one of the codes of the spec's part 7. */
export interface QueryRefusal {
  readonly status: 400 | 404 | 410 | 503
  readonly code: string
  readonly message: string
}

export type QueryAnswer =
  | {
      readonly ok: true
      /** the log position the answer reflects */
      readonly seq: number
      readonly body: Uint8Array
    }
  | { readonly ok: false; readonly seq: number; readonly refusal: QueryRefusal }

/** One live frame, encoded once. `seq` is the log position of the event behind it. */
export interface LiveFrame {
  /** `trades`, `candles` or `prices`; of `boards` and `status` lanes make no frames */
  readonly channel: string
  /** what is subscribed to within the channel: a token address, `token:tf`, or `*` */
  readonly key: string
  readonly seq: number
  readonly body: string
  /** it tells of a rollback */
  readonly undo?: true
}

/**
 * Sent by the worker for each commit, of some channels at a time. Frames that memory can tell go
 * out before it: the log holds the events behind them, and the tables follow some milliseconds
 * later, or after a restart.
 */
export interface FramesNotice {
  readonly channels: ReadonlyArray<string>
  /** where these channels' last notice ended; one that was not heard of tells of a lost one */
  readonly since: number
  readonly seq: number
  /** wanted frames after `since` up to `seq`; null where none were made, behind the log's head */
  readonly frames: ReadonlyArray<LiveFrame> | null
  /** when the first of what is new was read from the log, ms since 1970; absent: not known */
  readonly readAtMs?: number
}

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

/** Committed state of a lane; `/status` shows it as it is. */
export interface LaneStatus {
  readonly chain: string
  readonly state: (typeof LANE_STATES)[number]
  readonly problem: string | null
  /** committed log position, newest position in the log */
  readonly seq: number
  readonly logSeq: number
  readonly block: number | null
  readonly blockTime: number | null
  /** start of the oldest UTC day whose raw rows are kept, Unix seconds; null while all are */
  readonly retentionCutoffDay: number | null
  /** start of the oldest UTC day whose candles of a minute are kept, likewise */
  readonly minutesCutoffDay: number | null
  readonly events: number
  readonly swaps: number
  readonly quarantined: ReadonlyArray<{ readonly reason: string; readonly count: number }>
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
