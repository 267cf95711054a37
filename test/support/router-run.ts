/** Routers on a server's logs, of this thread and of one of their own, which end at once. */
import { Effect, Exit, Fiber, Scope } from "effect"
import { makeRouterClient } from "../../engine/trade/router-client.ts"
import { runRouter, type SnapshotSetting } from "../../engine/trade/router-host.ts"
import type { FromRouter, ToRouter } from "../../engine/trade/router-messages.ts"
import type { RouterInput } from "../../src/bin/router-worker.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { JetStream } from "../../src/platform/jetstream.ts"
import { type ParentPort, spawnWorker, type WorkerHandle } from "../../src/platform/worker.ts"
import type { LogServer } from "./log-server.ts"
import { PATIENCE_MS } from "./patience.ts"

/** Both ends of a channel within one thread. */
const channel = () => {
  const [inside, outside]: [Array<(m: ToRouter) => void>, Array<(m: FromRouter) => void>] = [[], []]
  const port: ParentPort<ToRouter, FromRouter> = {
    post: message => queueMicrotask(() => outside.forEach(listen => listen(message))),
    onMessage: listener => void inside.push(listener),
    close: () => {}
  }
  const worker: WorkerHandle<ToRouter, FromRouter> = {
    post: message => queueMicrotask(() => inside.forEach(listen => listen(message))),
    onMessage: listener => void outside.push(listener),
    ended: Effect.never
  }
  return { port, worker }
}

export const startRouterHere = (
  { nats }: LogServer,
  chain: ChainConfig,
  snapshots: SnapshotSetting | null
) => {
  const { port, worker } = channel()
  const client = makeRouterClient(() => {})
  const jetStream = JetStream.layer({ url: nats.url, timeoutMs: PATIENCE_MS, patient: false })
  const router = runRouter(port, snapshots).pipe(Effect.scoped, Effect.provide(jetStream))
  const fiber = Effect.runFork(router)
  client.attach(worker)
  client.follow(chain)
  return {
    trade: client.trade,
    status: () => Effect.runPromise(client.trade.status(chain.key)),
    end: () => Effect.runPromise(Fiber.interrupt(fiber))
  }
}

/** A router on a thread as the engine has it, which is terminated wherever it is. */
export const startRouterThread = async (
  { nats }: LogServer,
  chain: ChainConfig,
  snapshots: RouterInput["snapshots"]
) => {
  const scope = Scope.makeUnsafe()
  const entry = new URL("../../src/bin/router-worker.ts", import.meta.url)
  const input: RouterInput = { natsUrl: nats.url, json: false, snapshots }
  const thread = spawnWorker<ToRouter, FromRouter>(entry, input, { type: "stop" }, 0)
  const worker = await Effect.runPromise(Scope.provide(thread, scope))
  const client = makeRouterClient(() => {})
  client.attach(worker)
  client.follow(chain)
  return {
    trade: client.trade,
    status: () => Effect.runPromise(client.trade.status(chain.key)),
    end: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
