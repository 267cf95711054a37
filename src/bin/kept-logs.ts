/** Which logs a data folder holds, and which of them a start does not serve. */
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { streamPrefix } from "../../engine/log/log-stream.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { exists } from "../platform/files.ts"
import { JetStream } from "../platform/jetstream.ts"
import { readChains } from "./chain-choice.ts"
import { lostStreams } from "./lost-streams.ts"

/** The data folder holds logs that this start must not come beside, or go on with. */
class OtherLogs extends Schema.TaggedError<OtherLogs>()("OtherLogs", {
  message: Schema.String
}) {}

/** Keys of the chains whose log holds something. */
export const keptLogs = Effect.gen(function* () {
  const { streams } = yield* JetStream
  const found = yield* streams(streamPrefix)
  return found
    .filter(({ messages }) => messages > 0)
    .map(({ name }) => name.slice(streamPrefix.length).toLowerCase())
    .sort()
})

/** The same, and of those whose log is on disk, but unknown to the server until it is repaired. */
const logsIn = (folder: string) =>
  Effect.gen(function* () {
    const lost = yield* lostStreams(folder)
    return [...new Set([...(yield* keptLogs), ...lost.map(({ chain }) => chain)])].sort()
  })

/** What turns each of these logs on with a source: its setting, by id where the chain is known. */
export const settingsFor = (keys: ReadonlyArray<string>) =>
  Effect.map(readChains([]), known => {
    const id = (key: string) => known.find((chain: ChainConfig) => chain.key === key)?.id
    return keys.map(key => `RPC_${id(key) ?? `(the id of ${key})`}`).join(", ")
  })

const named = (keys: ReadonlyArray<string>): string =>
  `${keys.length === 1 ? "the log" : "logs"} of ${keys.join(", ")}`

/** Whether the log that a folder holds of a chain is a simulated one's. */
export const isSimulated = (folder: string, key: string) => exists(join(folder, "devchain", key))

/** Refuses to go on with the log of a simulated chain from nodes of the real one. */
export const refuseSimulated = (folder: string, chains: ReadonlyArray<ChainConfig>) =>
  Effect.gen(function* () {
    const kept = yield* logsIn(folder)
    const found = yield* Effect.filter(
      chains.filter(({ key }) => kept.includes(key)),
      ({ key }) => isSimulated(folder, key)
    )
    if (found.length === 0) return
    const settings = found.map(({ id }) => `RPC_${id}`).join(", ")
    return yield* new OtherLogs({
      message:
        `${settings} is set, and ${folder} holds ${named(found.map(({ key }) => key))} as the ` +
        "simulated chain has it: blocks of the real one must not stand in the same log. Set " +
        `another DATA_DIR, or unset ${settings} to go on with the simulated chain`
    })
  })

/**
 * Refuses to run simulated chains in a folder that holds other logs than theirs: a real chain's
 * blocks and a simulated one's must never stand in one log, nor pass for each other.
 */
export const refuseOtherLogs = (folder: string) =>
  Effect.gen(function* () {
    const kept = yield* logsIn(folder)
    const others = yield* Effect.filter(kept, key =>
      Effect.map(isSimulated(folder, key), is => !is)
    )
    if (others.length === 0) return
    return yield* new OtherLogs({
      message:
        `${folder} holds ${named(others)}, and no ${yield* settingsFor(others)} is set, so this ` +
        "would start the simulated chains beside it: `npm run serve -- --data " +
        `${folder}\` shows what is there, an endpoint continues it, ` +
        "another DATA_DIR is for the simulated chains"
    })
  })

/** Says of which logs of the folder this start shows nothing. */
export const tellUnserved = (folder: string, served: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const others = (yield* logsIn(folder)).filter(key => !served.includes(key))
    if (others.length === 0) return
    yield* Effect.logWarning(
      `${folder} also holds ${named(others)}, which this start does not serve: set ` +
        `${yield* settingsFor(others)}, or see all of it with \`npm run serve -- --data ${folder}\``
    )
  })
