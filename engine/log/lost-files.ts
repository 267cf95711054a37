/** Finds that files of a running server's stream are gone, which the server itself never sees. */
import { join } from "node:path"
import { Effect, Option } from "effect"
import { bytesOnDisk, streamsFolder } from "../../src/platform/stream-files.ts"
import type { LogStream } from "./log-stream.ts"

/**
 * Returns what is lost, and what to do, where a stream's files in a data folder hold fewer bytes
 * than their server has stored, as after someone deleted them: the server goes on with the files
 * that it holds open. Null where all is there.
 */
export const filesLost = (
  dataFolder: string,
  { chain, jetStream, name }: LogStream
): Effect.Effect<string | null> =>
  Effect.gen(function* () {
    const state = yield* jetStream.stream(name)
    if (Option.isNone(state)) return null
    const stored = state.value.bytes
    const left = Effect.sync(() => bytesOnDisk(dataFolder, name))
    if ((yield* left) >= stored) return null
    // what the server has counted it may be about to write
    const bytes = yield* Effect.delay(left, "1 second")
    if (bytes >= stored) return null
    return (
      `files are missing in ${join(streamsFolder(dataFolder), name, "msgs")}: of ${stored} bytes ` +
      `${bytes} are left on disk, and nats-server holds the rest open until it ends. Put the files ` +
      `back from a copy and start again; without one "npm run log -- repair --chain ${chain} ` +
      '--from-source" reads the chain again'
    )
  }).pipe(Effect.orElseSucceed(() => null))
