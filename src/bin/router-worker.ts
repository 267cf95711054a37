/** Worker thread of the router: folds the pools of all chains' logs and answers quotes. */
import { Effect } from "effect"
import { runRouter, type SnapshotSetting } from "../../engine/trade/router-host.ts"
import type { FromRouter, ToRouter } from "../../engine/trade/router-messages.ts"
import { JetStream } from "../platform/jetstream.ts"
import { digestOfSources } from "../platform/source-digest.ts"
import { servesHere } from "../platform/thread-priority.ts"
import { parent, workerInput } from "../platform/worker.ts"
import { runWorker } from "./worker-main.ts"

export interface RouterInput {
  readonly natsUrl: string
  readonly json: boolean
  /** where snapshots of pools are kept, and after how many events one is written; null: nowhere */
  readonly snapshots: Omit<SnapshotSetting, "engine"> | null
}

/** What folds of pools are made of: a snapshot is of no use to other code. */
const FOLDS = ["src/domain", "src/math", "streams", "engine/trade/pools", "engine/trade/snapshot"]

const { natsUrl, json, snapshots } = workerInput<RouterInput>()
const port = parent<ToRouter, FromRouter>()

const engine = digestOfSources(new URL("../../", import.meta.url), FOLDS)
const setting = snapshots === null ? null : { ...snapshots, engine }
const router = Effect.andThen(servesHere, runRouter(port, setting))

runWorker(port, json, router.pipe(Effect.provide(JetStream.layer({ url: natsUrl }))))
