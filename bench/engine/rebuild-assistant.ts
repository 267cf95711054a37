/** A lane's worker that starts with an empty file and folds the log that is there. */
import { join } from "node:path"
import { Deferred, Effect, Schedule } from "effect"
import { makeLaneClient } from "../../engine/lane/lane-client.ts"
import { findChain } from "../../src/bin/chain-choice.ts"
import type { LaneInput } from "../../src/bin/lane-worker.ts"
import { openNats } from "../../src/bin/nats-choice.ts"
import { spawnLane } from "../../src/bin/spawn-lane.ts"
import { assist } from "../measure/assist.ts"
import { peakMemory } from "../measure/memory.ts"

export interface RebuildInput {
  readonly chain: string
  readonly dataFolder: string
  /** where the new tables go */
  readonly folder: string
}

export interface Rebuilt {
  readonly seq: number
  readonly swaps: number
  /** from the moment the worker runs, its code loaded, until all is committed */
  readonly seconds: number
  readonly engineBytes: number
}

const rebuild = ({ chain: key, dataFolder, folder }: RebuildInput) =>
  Effect.gen(function* () {
    const chain = yield* findChain(key, [])
    const { url } = yield* openNats(dataFolder)
    const input: LaneInput = {
      chain,
      natsUrl: url,
      file: join(folder, `${chain.key}.duckdb`),
      threads: 1,
      json: false
    }
    const client = yield* makeLaneClient(chain)
    const worker = yield* spawnLane(input)
    const loaded = yield* Deferred.make<number>()
    /** counted by the lane itself, told once a second; its counters may be of a commit before */
    let counted = { seq: 0, events: 0, swaps: 0 }
    worker.onMessage(message => {
      Effect.runSync(Deferred.succeed(loaded, performance.now()))
      if (message.type === "status") counted = message.status
    })
    client.attach(worker)
    const began = yield* Effect.raceFirst(Deferred.await(loaded), worker.ended)
    yield* Effect.raceFirst(client.caughtUp, worker.ended)
    const seconds = (performance.now() - began) / 1000
    const engineBytes = peakMemory(process.pid) ?? 0
    // no event of this log was rolled back
    yield* Effect.sync(() => counted.events >= client.seq()).pipe(
      Effect.repeat({ until: told => told, schedule: Schedule.spaced("20 millis") })
    )
    const { seq, swaps } = counted
    return { seq, swaps, seconds, engineBytes } satisfies Rebuilt
  })

assist({ rebuild })
