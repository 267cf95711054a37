/** What a lane needs of the log to follow it. */

import type { Effect, Stream } from "effect"
import type { ReadError } from "../log/log-errors.ts"
import type { LogIdentity } from "../log/log-stream.ts"
import type { ReadJoined } from "../log/read-joined.ts"
import type { LogPosition, Segment } from "../log/segment.ts"

/** The newest position in the log. */
export interface LogEnd extends LogPosition {
  /** whether blocks are being put in their place there, so that what stands behind them follows */
  readonly isSplicing?: boolean
}

export interface LaneLog {
  readonly end: Effect.Effect<LogEnd, ReadError>
  /** segments after a position, verified; endless with `follow`, else up to the present end */
  readonly read: (
    from: LogPosition,
    options: { readonly follow: boolean }
  ) => Stream.Stream<Segment, ReadError>
  /** events of the side log that the log joins, verified */
  readonly joined: ReadJoined
  /** hash of the segment stored at a stream sequence, null where there is none */
  readonly hashAt: (streamSeq: number) => Effect.Effect<string | null, ReadError>
  /** absent where the log cannot become another one */
  readonly identity?: LogIdentity
}
