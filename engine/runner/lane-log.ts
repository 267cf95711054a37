/** What a lane needs of the log to follow it. */
import type { Effect, Stream } from "effect"
import type { LogIdentity } from "../log/log-stream.ts"
import type { ReadJoined } from "../log/read-joined.ts"
import type { LogPosition, Segment } from "../log/segment.ts"

/** The newest position in the log. */
export interface LogEnd extends LogPosition {
  /** whether blocks are being put in their place there, so that what stands behind them follows */
  readonly isSplicing?: boolean
}

export interface LaneLog<E> {
  readonly end: Effect.Effect<LogEnd, E>
  /** segments after a position, verified; endless with `follow`, else up to the present end */
  readonly read: (
    from: LogPosition,
    options: { readonly follow: boolean }
  ) => Stream.Stream<Segment, E>
  /** events of the side log that the log joins, verified */
  readonly joined: ReadJoined<E>
  /** hash of the segment stored at a stream sequence, null where there is none */
  readonly hashAt: (streamSeq: number) => Effect.Effect<string | null, E>
  /** absent where the log cannot become another one */
  readonly identity?: LogIdentity<E>
}
