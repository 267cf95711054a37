/** Detects that a replay cannot go on: its lane has failed, or its events cannot be stored. */
import { Effect, Schedule, Schema } from "effect"
import type { LaneClient } from "../../engine/lane/lane-client.ts"
import type { TapeLog } from "../../engine/log/tape-log.ts"
import { GOES_ON, wantOfRoom } from "../platform/room.ts"

class ReplayStopped extends Schema.TaggedError<ReplayStopped>()("ReplayStopped", {
  message: Schema.String
}) {}

const reason = (client: LaneClient, log: TapeLog, folder: string): string | null => {
  const { state, problem } = client.status()
  if (state === "failed") return problem ?? "the lane ended without a word"
  const delay = log.delay()
  return delay === null ? null : wantOfRoom(delay, folder)
}

/** Fails as soon as the replay cannot go on, since nobody mends things while a command waits. */
export const cannotGoOn = (
  client: LaneClient,
  log: TapeLog,
  folder: string
): Effect.Effect<never, ReplayStopped> =>
  Effect.sync(() => reason(client, log, folder)).pipe(
    Effect.repeat({ until: found => found !== null, schedule: Schedule.spaced("100 millis") }),
    Effect.flatMap(
      found =>
        new ReplayStopped({
          message:
            `the replay of ${client.config.key} stopped: ${(found ?? "").replace(GOES_ON, "")}. ` +
            "Then run it again: it adds what is missing"
        })
    )
  )
