/** Worker thread that reads a long log for a lane. */
import { Effect } from "effect"
import { logStream } from "../../engine/log/log-stream.ts"
import {
  type FromReading,
  type ReadingInput,
  serveReading,
  type ToReading
} from "../../engine/log/reading-thread.ts"
import { JetStream } from "../platform/jetstream.ts"
import { parent, workerInput } from "../platform/worker.ts"
import { runWorker } from "./worker-main.ts"

const { chain, natsUrl, from, json } = workerInput<ReadingInput>()
const port = parent<ToReading, FromReading>()

const program = Effect.gen(function* () {
  yield* serveReading(port, yield* logStream(chain), from)
}).pipe(Effect.provide(JetStream.layer({ url: natsUrl })))

runWorker(port, json, program)
