/** Worker thread that reads files into the log at full speed, where `start` has its RPC source. */
import { Effect, Stream } from "effect"
import { openTapeLog } from "../../engine/log/tape-log.ts"
import { runWorker } from "../../src/bin/worker-main.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { JetStream } from "../../src/platform/jetstream.ts"
import { parent, workerInput } from "../../src/platform/worker.ts"
import { makeFileSource } from "../../streams/sources/file/file-source.ts"
import type { LogFiles } from "../generate/cached-logs.ts"

export interface FileSourceInput {
  readonly chain: ChainConfig
  readonly natsUrl: string
  readonly files: LogFiles
}

export interface FromFileSource {
  readonly type: "ended"
  /** of the log */
  readonly seq: number
}

const input = workerInput<FileSourceInput>()
const port = parent<{ readonly type: "stop" }, FromFileSource>()

const program = Effect.gen(function* () {
  const { chain, files } = input
  const log = yield* openTapeLog(chain.key)
  const source = makeFileSource({ ...files, chain })
  const batches = source.batches({ blocks: [], knownPools: [], knownTokens: [] })
  yield* Stream.runDrain(log.appendAll(batches))
  port.post({ type: "ended", seq: log.position().seq })
  return yield* Effect.never
}).pipe(Effect.provide(JetStream.layer({ url: input.natsUrl })))

runWorker(port, false, program)
