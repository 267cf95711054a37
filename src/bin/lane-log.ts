/** The JetStream log as a lane reads it. */
import { Effect, Option } from "effect"
import type { ReadError } from "../../engine/log/log-errors.ts"
import { type LogStream, persist } from "../../engine/log/log-stream.ts"
import { logEnd, openSegment, readSegments } from "../../engine/log/read-log.ts"
import type { LaneLog } from "../../engine/runner/lane-log.ts"

export const laneLog = (stream: LogStream): LaneLog<ReadError> => ({
  end: logEnd(stream).pipe(Effect.map(({ position }) => position)),
  read: (from, options) => readSegments(stream, from, options),
  hashAt: streamSeq =>
    persist(stream, stream.jetStream.message(stream.name, streamSeq)).pipe(
      Effect.flatMap(found =>
        Option.isNone(found)
          ? Effect.succeed(null)
          : Effect.fromResult(openSegment(stream, found.value)).pipe(
              Effect.map(({ header }) => header.hash),
              Effect.orElseSucceed(() => null)
            )
      )
    )
})
