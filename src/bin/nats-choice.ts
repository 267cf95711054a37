/** Locks the data folder and finds or starts its nats-server, for commands that work on it. */
import { resolve } from "node:path"
import { Context, Effect, Layer } from "effect"
import { DataLock } from "../platform/data-lock.ts"
import { optionalText, textOr } from "../platform/environment.ts"
import { NatsServer } from "../platform/nats-server.ts"

/**
 * Locks the folder and returns its path and the server's address; `isOwn` is false for a server at
 * `NATS_URL`. The scope's end stops an own server and unlocks the folder.
 */
export const openNats = (dataDir: string | undefined) =>
  Effect.gen(function* () {
    const configured = yield* textOr("DATA_DIR", "./data")
    const lock = yield* Layer.build(DataLock.layer(resolve(dataDir ?? configured)))
    const folder = Context.get(lock, DataLock).dataDirectory
    const given = yield* optionalText("NATS_URL")
    if (given !== null) return { url: given, folder, isOwn: false }
    const server = yield* Layer.build(NatsServer.layerNoDeps()).pipe(Effect.provideContext(lock))
    return { url: Context.get(server, NatsServer).url, folder, isOwn: true }
  })
