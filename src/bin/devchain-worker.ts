/** Worker thread that runs a devchain: Anvil and simulated traders. */
import { Effect } from "effect"
import { startDevchain } from "../../streams/sources/devchain/devchain.ts"
import { parent, workerInput } from "../platform/worker.ts"
import { devchainRouter } from "./devchain-facts.ts"
import { runWorker } from "./worker-main.ts"

export interface DevchainInput {
  readonly chain: "arc" | "base"
  readonly dataDir: string
  readonly json: boolean
}

export interface DevchainReady {
  readonly type: "ready"
  readonly rpcUrl: string
  readonly wsUrl: string
  readonly identity: string
  readonly routers: ReadonlyArray<string>
}

const input = workerInput<DevchainInput>()
const port = parent<{ readonly type: "stop" }, DevchainReady>()

const program = Effect.gen(function* () {
  const devchain = yield* startDevchain({
    ...{ chain: input.chain, dataDir: input.dataDir },
    router: devchainRouter(input.chain)
  })
  port.post({
    type: "ready",
    rpcUrl: devchain.rpcUrl,
    wsUrl: devchain.wsUrl,
    identity: devchain.identity,
    routers: devchain.routers.map(router => router.toLowerCase())
  })
  return yield* devchain.failed
})

runWorker(port, input.json, program)
