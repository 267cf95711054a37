/** Worker thread of a lane: holds its tables, folds its log and answers its queries. */
import { Effect } from "effect"
import { allPages } from "../../api/queries.ts"
import { runLane } from "../../engine/lane/lane-host.ts"
import { type Upkeep, upkeepDefaults } from "../../engine/lane/lane-open.ts"
import type { FromLane, ToLane } from "../../engine/lane/messages.ts"
import { logStream } from "../../engine/log/log-stream.ts"
import { allProjections } from "../../projections/all.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { JetStream } from "../platform/jetstream.ts"
import { followsHere } from "../platform/thread-priority.ts"
import { tracing } from "../platform/tracing.ts"
import { parent, workerInput } from "../platform/worker.ts"
import { laneLog } from "./lane-log.ts"
import { runWorker } from "./worker-main.ts"

export interface LaneInput {
  readonly chain: ChainConfig
  readonly natsUrl: string
  readonly file: string
  readonly threads: number
  readonly upkeep?: Upkeep
  /** true: feed copies of tables on the serving thread; false by default */
  readonly isCopied?: boolean
  /** most events to fold again in place, while readers wait; more are folded in a copy beside */
  readonly inPlaceEvents?: number
  /** true where no source writes the log; false by default */
  readonly isHistory?: boolean
  readonly json: boolean
}

const input = workerInput<LaneInput>()
const port = parent<ToLane, FromLane>()

const program = Effect.gen(function* () {
  yield* followsHere
  const stream = yield* logStream(input.chain.key)
  yield* runLane({
    chain: input.chain,
    projections: allProjections,
    pages: allPages,
    file: input.file,
    threads: input.threads,
    database: new URL("./duckdb-worker.ts", import.meta.url),
    upkeep: input.upkeep ?? upkeepDefaults,
    isCopied: input.isCopied ?? false,
    inPlaceEvents: input.inPlaceEvents,
    isHistory: input.isHistory,
    log: laneLog(stream, input),
    port
  })
}).pipe(Effect.provide(JetStream.layer({ url: input.natsUrl })))

const tracer = tracing({ "swaptape.thread": `lane ${input.chain.key}` })

runWorker(port, input.json, program.pipe(Effect.provide(tracer)))
