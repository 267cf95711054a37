/** Finds or starts the nats-server that has the logs, for commands that run beside an engine. */
import { existsSync, realpathSync } from "node:fs"
import { resolve } from "node:path"
import { Context, Effect, Layer, Schema } from "effect"
import { wrongUsage } from "../platform/command-line.ts"
import { textOr } from "../platform/environment.ts"
import { JetStream } from "../platform/jetstream.ts"
import { NatsServer } from "../platform/nats-server.ts"
import { natsServersOn } from "../platform/nats-server-process.ts"
import { watchNats } from "../platform/nats-watch.ts"

/**
 * Returns the server that has the logs: the one at `NATS_URL` (`folder` is null), the one that runs
 * on the data folder, or else one started on the folder until the scope ends.
 */
export const logServer = Effect.fnUntraced(function* (command: string, data: string | undefined) {
  const given = yield* textOr("NATS_URL", "")
  if (given !== "") return { url: given, folder: null }
  const wanted = resolve(data ?? (yield* textOr("DATA_DIR", "./data")))
  if (!existsSync(wanted)) {
    return yield* wrongUsage(command, `there is no data folder ${wanted}`)
  }
  const folder = realpathSync(wanted)
  const [running] = yield* natsServersOn(folder)
  if (running !== undefined) return { url: running.url, folder }
  const server = Context.get(yield* Layer.build(NatsServer.layer(folder)), NatsServer)
  return { url: server.url, folder }
})

/** The server that has the logs is gone, as where another command had started it and ended. */
class ServerGone extends Schema.TaggedError<ServerGone>()("ServerGone", {
  message: Schema.String
}) {}

/** Milliseconds without an answer of its server after which a command gives up. */
const PATIENCE_MS = 5_000

/** Fails once the server has not answered for so long: what reads a log waits for it for ever. */
const untilServerGone = (url: string) =>
  Effect.gen(function* () {
    const { silentMs } = yield* watchNats(url)
    while (silentMs() < PATIENCE_MS) yield* Effect.sleep(500)
    return yield* new ServerGone({
      message:
        `the nats-server that has the logs has not answered for ${PATIENCE_MS / 1_000} s; where an engine ` +
        "or another command had started it, that has ended: run this command again"
    })
  })

/** Runs a program with a server's logs; fails once the server is gone. */
export const withServer = <A, E>(url: string, program: Effect.Effect<A, E, JetStream>) =>
  Effect.raceFirst(
    Effect.provide(program, JetStream.layer({ url, patient: false })),
    untilServerGone(url)
  )
