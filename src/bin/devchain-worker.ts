/** Worker thread that runs a devchain: a node of its own, with simulated traders. */
import { Effect } from "effect"
import { startDevchain } from "../../streams/sources/devchain/devchain.ts"
import { startSolanaDevchain } from "../../streams/sources/solana-devchain/devchain.ts"
import { parent, workerInput } from "../platform/worker.ts"
import { type DevchainKey, devchainRouter } from "./devchain-facts.ts"
import { runWorker } from "./worker-main.ts"

export interface DevchainInput {
  readonly chain: DevchainKey
  readonly dataDir: string
  readonly json: boolean
}

export interface DevchainReady {
  readonly type: "ready"
  /** where it answers, the best first */
  readonly endpoints: ReadonlyArray<string>
  /** the first block that a new log of it begins with */
  readonly start: string
}

const input = workerInput<DevchainInput>()
const port = parent<{ readonly type: "stop" }, DevchainReady>()

const evmDevchain = (chain: "arc" | "base") =>
  Effect.gen(function* () {
    const router = devchainRouter(chain)
    const devchain = yield* startDevchain({ chain, dataDir: input.dataDir, router })
    port.post({ type: "ready", endpoints: [devchain.wsUrl, devchain.rpcUrl], start: "0" })
    return yield* devchain.failed
  })

const solanaDevchain = Effect.gen(function* () {
  const { url, firstSlot, failed } = yield* startSolanaDevchain(input.dataDir)
  port.post({ type: "ready", endpoints: [url], start: String(firstSlot) })
  return yield* failed
})

const program = Effect.gen(function* () {
  return yield* input.chain === "solana" ? solanaDevchain : evmDevchain(input.chain)
})

runWorker(port, input.json, program)
