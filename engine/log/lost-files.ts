/** Finds that files of a running server's stream are gone, which the server itself never sees. */
import { Effect, Option } from "effect"
import { lostBytes } from "../../src/platform/stream-files.ts"
import type { LogStream } from "./log-stream.ts"

/** Returns what is lost of the files of a stream in a data folder; null where all is there. */
export const filesLost = (
  dataFolder: string,
  { jetStream, name }: LogStream
): Effect.Effect<string | null> =>
  Effect.gen(function* () {
    const state = yield* jetStream.stream(name)
    if (Option.isNone(state)) return null
    const look = Effect.sync(() => lostBytes(dataFolder, name, state.value.bytes))
    if ((yield* look) === null) return null
    // what the server has counted it may be about to write
    return yield* Effect.delay(look, "1 second")
  }).pipe(Effect.orElseSucceed(() => null))
