/** The router's thread on a log that is there, beside the same log read and decoded alone. */
import { Effect, Schedule, Stream } from "effect"
import { LOG_START } from "../../engine/log/segment.ts"
import { openTapeLog } from "../../engine/log/tape-log.ts"
import { makeRouterClient } from "../../engine/trade/router-client.ts"
import type { FromRouter, ToRouter } from "../../engine/trade/router-messages.ts"
import { findChain } from "../../src/bin/chain-choice.ts"
import { openNats } from "../../src/bin/nats-choice.ts"
import type { RouterInput } from "../../src/bin/router-worker.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { namesIn } from "../../src/platform/files.ts"
import { JetStream } from "../../src/platform/jetstream.ts"
import { spawnWorker } from "../../src/platform/worker.ts"
import { makeFileSource } from "../../streams/sources/file/file-source.ts"
import type { LogFiles } from "../generate/cached-logs.ts"
import { assist } from "../measure/assist.ts"
import { peakMemory } from "../measure/memory.ts"

export interface FoldInput {
  readonly dataFolder: string
  readonly chain: string
}

export interface Logged {
  readonly events: number
  readonly swaps: number
}

export interface Followed {
  /** from the moment the thread runs, its code loaded, until it quotes */
  readonly seconds: number
  /** of all threads of the process, the garbage collector's among them */
  readonly cpuSeconds: number
  readonly pools: number
  readonly quotable: number
  readonly engineBytes: number
}

/** With 1 event, the router ends once the newest position has its snapshot. */
export type SnapshotUse = NonNullable<RouterInput["snapshots"]>

let opened: { readonly chain: ChainConfig; readonly natsUrl: string } | null = null

const open = ({ dataFolder, chain }: FoldInput) =>
  Effect.gen(function* () {
    const { url } = yield* openNats(dataFolder)
    opened = { chain: yield* findChain(chain, []), natsUrl: url }
  })

const withLog = <A, E>(
  use: (log: Effect.Success<ReturnType<typeof openTapeLog>>) => Effect.Effect<A, E>
) =>
  Effect.suspend(() => {
    if (opened === null) return Effect.die(new Error("the log was not opened"))
    const { chain, natsUrl } = opened
    const jetStream = JetStream.layer({ url: natsUrl })
    return Effect.flatMap(openTapeLog(chain.key), use).pipe(Effect.provide(jetStream))
  })

/** Appends the events of files. */
const append = (files: LogFiles) =>
  withLog(log => {
    const chain = (opened as NonNullable<typeof opened>).chain
    const source = makeFileSource({ ...files, chain })
    const batches = source.batches({ blocks: [], knownPools: [], knownTokens: [] })
    return Stream.runDrain(log.appendAll(batches))
  })

/** Reads and decodes the log alone; seconds, and what it holds. */
const read = () =>
  withLog(log =>
    Effect.gen(function* () {
      let [events, swaps] = [0, 0]
      const began = performance.now()
      yield* Stream.runForEach(log.read(LOG_START, { follow: false }), ({ batch }) =>
        Effect.sync(() => {
          events += batch.count
          swaps += batch.columns.SwapExecuted.pool.count
        })
      )
      const seconds = (performance.now() - began) / 1000
      return { seconds, events, swaps } satisfies Logged & { readonly seconds: number }
    })
  )

/** How often the router is asked how far it is. */
const LOOK = Schedule.spaced("20 millis")

/** Waits until a folder has a snapshot of the log's end. */
const written = (folder: string, seq: number) =>
  Effect.map(namesIn(folder), names => names.some(name => name.endsWith(`-${seq}.pools`))).pipe(
    Effect.repeat({ until: is => is, schedule: LOOK })
  )

/** Starts a router on the log, with snapshots or none, and ends it once it quotes. */
const follow = (snapshots: SnapshotUse | null) =>
  Effect.gen(function* () {
    const { chain, natsUrl } = opened as NonNullable<typeof opened>
    const client = makeRouterClient(() => {})
    const input: RouterInput = { natsUrl, json: false, snapshots }
    const entry = new URL("../../src/bin/router-worker.ts", import.meta.url)
    const worker = yield* spawnWorker<ToRouter, FromRouter>(entry, input, { type: "stop" })
    client.attach(worker)
    const status = client.trade.status(chain.key)
    // the thread refuses what it is not told to follow, and with that has begun
    yield* Effect.exit(status)
    client.follow(chain)
    const [began, cpuBefore] = [performance.now(), process.cpuUsage()]
    const live = yield* Effect.raceFirst(
      status.pipe(Effect.repeat({ until: ({ state }) => state === "live", schedule: LOOK })),
      worker.ended
    )
    const seconds = (performance.now() - began) / 1000
    const { user, system } = process.cpuUsage(cpuBefore)
    if (snapshots?.everyEvents === 1) yield* written(snapshots.folder, live.seq)
    const cpuSeconds = (user + system) / 1e6
    const { pools, quotable } = live
    const engineBytes = peakMemory(process.pid) ?? 0
    return { seconds, cpuSeconds, pools, quotable, engineBytes } satisfies Followed
  }).pipe(Effect.scoped)

assist({ open, append, read, follow })
