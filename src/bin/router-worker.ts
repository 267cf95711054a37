/** Worker thread of the router: folds the pools of all chains' logs and answers quotes. */
import { Effect } from "effect"
import { runRouter } from "../../engine/trade/router-host.ts"
import type { FromRouter, ToRouter } from "../../engine/trade/router-messages.ts"
import { JetStream } from "../platform/jetstream.ts"
import { parent, workerInput } from "../platform/worker.ts"
import { runWorker } from "./worker-main.ts"

export interface RouterInput {
  readonly natsUrl: string
  readonly json: boolean
}

const { natsUrl, json } = workerInput<RouterInput>()
const port = parent<ToRouter, FromRouter>()

runWorker(port, json, runRouter(port).pipe(Effect.provide(JetStream.layer({ url: natsUrl }))))
