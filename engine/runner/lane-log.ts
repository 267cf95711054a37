/** What a lane needs of the log to follow it. */
import type { Effect, Stream } from "effect"
import type { LogPosition, Segment } from "../log/segment.ts"

export interface LaneLog<E> {
  /** the newest position in the log */
  readonly end: Effect.Effect<LogPosition, E>
  /** segments after a position, verified; endless with `follow`, else up to the present end */
  readonly read: (
    from: LogPosition,
    options: { readonly follow: boolean }
  ) => Stream.Stream<Segment, E>
  /** hash of the segment stored at a stream sequence, null where there is none */
  readonly hashAt: (streamSeq: number) => Effect.Effect<string | null, E>
}
