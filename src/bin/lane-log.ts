/** Gives a lane its log in JetStream, which another thread reads where the log is long. */
import { Effect, Option, Stream } from "effect"
import { type LogStream, logIdentity, persist } from "../../engine/log/log-stream.ts"
import { joinedReader } from "../../engine/log/read-joined.ts"
import { logEnd, openSegment, readSegments } from "../../engine/log/read-log.ts"
import { readAhead } from "../../engine/log/reading-thread.ts"
import { endOf, type LogPosition } from "../../engine/log/segment.ts"
import type { LaneLog } from "../../engine/runner/lane-log.ts"

/** Least number of events to the log's end for which a reading thread pays. */
const FAR_EVENTS = 400_000

/** Settings of the thread that reads the log. */
export interface Reading {
  readonly natsUrl: string
  readonly json: boolean
  /** least number of events to the log's end for which that thread reads; `FAR_EVENTS` if absent */
  readonly farEvents?: number
}

/** Follows the log after `from`; another thread reads up to the present end where that is far. */
const followed = (stream: LogStream, reading: Reading, from: LogPosition) => {
  const { natsUrl, json, farEvents = FAR_EVENTS } = reading
  return Stream.unwrap(
    Effect.map(logEnd(stream), ({ position }) => {
      let at = from
      const rest = Stream.suspend(() => readSegments(stream, at, { follow: true }))
      if (position.seq - from.seq < farEvents) return rest
      const entry = new URL("./log-worker.ts", import.meta.url)
      const ahead = readAhead(entry, { chain: stream.chain, natsUrl, from, json }).pipe(
        Stream.tap(({ header }) =>
          Effect.sync(() => {
            at = endOf(header)
          })
        )
      )
      return Stream.concat(ahead, rest)
    })
  )
}

/** Returns the lane's log of a stream. Without `reading`, no other thread reads ahead. */
export const laneLog = (stream: LogStream, reading?: Reading): LaneLog => ({
  end: logEnd(stream).pipe(
    Effect.map(({ position, header }) => ({
      ...position,
      isSplicing: header !== null && header.splicing !== null
    }))
  ),
  read: (from, { follow }) =>
    follow && reading !== undefined
      ? followed(stream, reading, from)
      : readSegments(stream, from, { follow }),
  joined: joinedReader(stream),
  identity: logIdentity(stream),
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
