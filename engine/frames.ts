/** Live frames: how a projection or a page makes them, and how they go to the serving thread. */
import type { Effect } from "effect"
import type { FoldsView, ReadError, Row, RowsView } from "./query.ts"
import type { TableDef } from "./store/table.ts"

/** In place of a position: frames of the present state, for channels that tell the newest. */
export const PRESENT = -1

/** A live frame of a key, as readers get it. */
export interface Frame {
  readonly key: string
  readonly seq: number
  readonly body: string
}

/** Which frames are wanted of a channel. */
export interface FramesAsked {
  /** what changed after this position counts; `PRESENT` for what there is now */
  readonly since: number
  readonly keys: ReadonlySet<string>
  /**
   * Frames wanted at most; there may be more, never fewer while there are more, and never only some
   * of a position's.
   */
  readonly limit: number
  /**
   * Whether they are for one who stood at `since` when a rollback went back further, and knows it.
   * A channel whose readers want the present gives all of it then.
   */
  readonly isUndone: boolean
}

/** What both kinds of live channels have. */
interface NamedFrames {
  readonly channel: string
  /** Returns what a frame names of the topic of a key. */
  readonly named: (key: string) => { readonly [word: string]: string | number }
}

/** Makes frames of rows for some keys. */
export interface RowWatch {
  /** the condition that the rows of these keys meet, and no others */
  readonly where: string
  /** Makes the frames of rows, which may be of other keys too. */
  readonly framesOf: (rows: ReadonlyArray<Row>) => ReadonlyArray<Frame>
}

/** A live channel whose frames are rows of an `append` table with a tail. */
export interface RowFrames extends NamedFrames {
  readonly table: TableDef
  /** Returns what makes the frames of keys; null where nothing is known of any. */
  readonly watch: (view: FoldsView, keys: ReadonlySet<string>) => RowWatch | null
}

/** A live channel whose frames tell what became of rows that change. */
export interface ReadFrames extends NamedFrames {
  /** Makes frames; those of one key in the order of positions. */
  readonly frames: (
    view: RowsView,
    asked: FramesAsked
  ) => Effect.Effect<ReadonlyArray<Frame>, ReadError>
  /** `since`, or the oldest later position from which a key's past can be had; else any can */
  readonly oldest?: (view: RowsView, since: number, key: string) => Effect.Effect<number, ReadError>
}

/** Makes the live frames of a channel. */
export type FrameMaker = RowFrames | ReadFrames

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

export interface HistoryRequest {
  readonly channel: string
  readonly key: string
  /** a position, or `PRESENT` */
  readonly fromSeq: number
  readonly limit: number
}

export interface HistoryAnswer {
  readonly oldestSeq: number
  readonly frames: ReadonlyArray<LiveFrame> | null
  readonly complete: boolean
  readonly seq: number
}
