/** Finds the logs that a data folder holds, and refuses or warns where a start does not fit. */
import { Effect, Schema } from "effect"
import { logParts } from "../../engine/log/log-stream.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { rpcSettingOf } from "../domain/shown-chain.ts"
import { JetStream } from "../platform/jetstream.ts"
import { readChains } from "./chain-choice.ts"
import { holdsDevchain, isSimulated } from "./devchain-facts.ts"
import { lostStreams } from "./lost-streams.ts"

/** The data folder holds logs that this start must neither continue nor stand beside. */
class OtherLogs extends Schema.TaggedError<OtherLogs>()("OtherLogs", {
  message: Schema.String
}) {}

/** Returns the sorted keys of the chains whose log on the server has messages. */
export const keptLogs = Effect.gen(function* () {
  const { streams } = yield* JetStream
  const { prefix } = logParts.log
  const found = yield* streams(prefix)
  return found
    .filter(({ messages }) => messages > 0)
    .map(({ name }) => name.slice(prefix.length).toLowerCase())
    .sort()
})

/** Adds to `keptLogs` the chains whose log is on disk, but unknown to the server until repaired. */
const logsIn = (folder: string) =>
  Effect.gen(function* () {
    const lost = yield* lostStreams(folder)
    return [...new Set([...(yield* keptLogs), ...lost.map(({ chain }) => chain)])].sort()
  })

/** Returns the names of the settings that give these chains a source, joined by commas. */
export const settingsFor = (keys: ReadonlyArray<string>) =>
  Effect.map(readChains([]), known => {
    const setting = (key: string) => {
      const chain = known.find((one: ChainConfig) => one.key === key)
      return chain === undefined ? `RPC_(the id of ${key})` : rpcSettingOf(chain)
    }
    return keys.map(setting).join(", ")
  })

const named = (keys: ReadonlyArray<string>): string =>
  `${keys.length === 1 ? "the log" : "logs"} of ${keys.join(", ")}`

/** Fails where a chain with endpoints has a log of its simulated chain in the folder. */
export const refuseSimulated = (folder: string, chains: ReadonlyArray<ChainConfig>) =>
  Effect.gen(function* () {
    const kept = yield* logsIn(folder)
    const found = yield* Effect.filter(
      chains.filter(({ key }) => kept.includes(key)),
      ({ key }) => isSimulated(folder, key)
    )
    if (found.length === 0) return
    const settings = found.map(rpcSettingOf).join(", ")
    return yield* new OtherLogs({
      message:
        `${settings} is set, and ${folder} holds ${named(found.map(({ key }) => key))} as the ` +
        "simulated chain has it: blocks of the real one must not stand in the same log. Set " +
        `another DATA_DIR, or unset ${settings} to go on with the simulated chain`
    })
  })

/**
 * Fails where the folder holds logs of real chains, before simulated chains start in it: blocks of
 * a real and a simulated chain must never share a log or be mistaken for each other.
 */
export const refuseOtherLogs = (folder: string) =>
  Effect.gen(function* () {
    const kept = yield* logsIn(folder)
    const others = yield* Effect.filter(kept, key =>
      Effect.map(holdsDevchain(folder, key), is => !is)
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

/** Warns about the logs of the folder that this start does not serve. */
export const tellUnserved = (folder: string, served: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const others = (yield* logsIn(folder)).filter(key => !served.includes(key))
    if (others.length === 0) return
    yield* Effect.logWarning(
      `${folder} also holds ${named(others)}, which this start does not serve: set ` +
        `${yield* settingsFor(others)}, or see all of it with \`npm run serve -- --data ${folder}\``
    )
  })
