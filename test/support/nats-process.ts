/** A process with the nats-server of a data folder, which lives until it is killed. */
import { Effect } from "effect"
import { NatsServer } from "../../src/platform/nats-server.ts"

const [, , dataDirectory = ""] = process.argv

await Effect.runPromise(
  Effect.gen(function* () {
    const server = yield* NatsServer
    const { pid } = yield* server.status
    yield* Effect.sync(() => console.log(pid, server.port))
    return yield* Effect.never
  }).pipe(Effect.provide(NatsServer.layer(dataDirectory)))
)
