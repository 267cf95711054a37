/** Locks the data folder and finds or starts its nats-server, as every command does. */
import { resolve } from "node:path"
import { Context, Effect, Layer } from "effect"
import { DataLock } from "../platform/data-lock.ts"
import { optionalText, textOr } from "../platform/environment.ts"
import { NatsServer } from "../platform/nats-server.ts"

/**
 * The locked folder, the server's address, and whether the server is the folder's own; all are held
 * until the scope ends.
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
