/** Serves every log of a data folder as it stands, without sources and simulated chains. */
import { Effect, Schema, Scope } from "effect"
import { completeSplice } from "../../engine/log/tape-log.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { watchDisk } from "../platform/disk-usage.ts"
import { JetStream } from "../platform/jetstream.ts"
import { watchNats } from "../platform/nats-watch.ts"
import { serveFirst } from "../platform/thread-priority.ts"
import { readChains } from "./chain-choice.ts"
import { isSimulated, withDevchainOf } from "./devchain-facts.ts"
import { keptLogs, settingsFor } from "./kept-logs.ts"
import { startHistory } from "./lane-set.ts"
import { emptiedLogs, emptiedWords, lostStreams } from "./lost-streams.ts"
import { logCheckConfig, scrubLogs } from "./scrub-logs.ts"
import { serveLanes } from "./serve-lanes.ts"
import { readServeSettings } from "./settings.ts"
import { withTokenLists } from "./token-lists.ts"

/** The folder holds no log that can be served. */
class NothingToServe extends Schema.TaggedError<NothingToServe>()("NothingToServe", {
  message: Schema.String
}) {}

export interface HistoryOptions {
  readonly folder: string
  readonly natsUrl: string
  /** true where the server's streams are in the folder; false for a server at `NATS_URL` */
  readonly isOwn: boolean
  readonly chainFiles: ReadonlyArray<string>
  readonly json: boolean
}

const undescribed = (keys: ReadonlyArray<string>): string =>
  `there is a log of ${keys.join(", ")}, but no chain of that key: ` +
  "describe it in a file and pass --chain-file, or set CHAINS_FILE"

/** Returns the chains whose logs are kept, with the token lists. */
const chainsOf = ({ folder, isOwn, chainFiles }: HistoryOptions) =>
  Effect.gen(function* () {
    const [lost] = isOwn ? yield* lostStreams(folder) : []
    // Serving only the other logs would hide that this one exists.
    if (lost !== undefined) return yield* lost
    const keys = yield* keptLogs
    const emptied = yield* Effect.forEach(isOwn ? yield* emptiedLogs(folder, keys) : [], key =>
      Effect.map(settingsFor([key]), setting => emptiedWords(folder, key, setting))
    )
    if (keys.length === 0 && emptied.length > 0) {
      return yield* new NothingToServe({ message: emptied.join("; ") })
    }
    for (const words of emptied) yield* Effect.logWarning(`${words}; not served`)
    if (keys.length === 0) {
      const message = `${folder} holds no log: fill one with npm run replay, or with npm start`
      return yield* new NothingToServe({ message })
    }
    const known = yield* readChains(chainFiles)
    const missing = keys.filter(key => known.every(chain => chain.key !== key))
    if (missing.length === keys.length) {
      return yield* new NothingToServe({ message: undescribed(missing) })
    }
    if (missing.length > 0) yield* Effect.logWarning(`${undescribed(missing)}; not served`)
    const kept = known.filter(({ key }) => keys.includes(key))
    const listed = yield* Effect.forEach(kept, chain =>
      Effect.gen(function* () {
        return yield* withTokenLists([{ chain }], yield* isSimulated(folder, chain.key))
      })
    )
    return yield* Effect.forEach(listed.flat(), ({ chain }) => withDevchainOf(chain, folder))
  })

/**
 * Completes a log whose engine was killed while it put late blocks in place; otherwise the log
 * would never be served whole. This needs only the log. A damaged log is served up to its damage.
 */
const complete = ({ key }: ChainConfig) =>
  Effect.gen(function* () {
    if (!(yield* completeSplice(key))) return
    yield* Effect.logInfo(`${key}: put the rest of the blocks in place that came late`)
  }).pipe(
    Effect.catch(({ message }) => Effect.logWarning(`${key}: the log stays as it is: ${message}`))
  )

/** Serves until interrupted. The caller has locked the data folder and started its nats-server. */
export const serveHistory = (options: HistoryOptions) =>
  Effect.gen(function* () {
    yield* serveFirst
    const check = yield* logCheckConfig
    const settings = { ...(yield* readServeSettings), dataDir: options.folder }
    const jetStream = JetStream.layer({ url: options.natsUrl })
    const chains = yield* chainsOf(options).pipe(Effect.provide(jetStream))
    yield* Effect.forEach(chains, complete).pipe(Effect.provide(jetStream))
    const { silentMs: serverSilentMs } = yield* watchNats(options.natsUrl)
    const side = yield* Scope.make("parallel")
    yield* Effect.addFinalizer(exit => Scope.close(side, exit))
    const lanes = yield* Effect.forEach(chains, chain =>
      startHistory(chain, { ...options, settings, serverSilentMs }).pipe(Scope.provide(side))
    )
    const { folder: dataDir, natsUrl, isOwn, json } = options
    const clients = lanes.map(({ client }) => client)
    const place = { natsUrl, dataDir, json }
    yield* scrubLogs(clients, { ...place, isOwn, check }).pipe(Scope.provide(side))
    return yield* serveLanes(lanes, settings, yield* watchDisk(dataDir), place)
  })
