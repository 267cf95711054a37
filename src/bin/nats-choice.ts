/** Locks the data folder and finds or starts its nats-server, as every command does. */
import { resolve } from "node:path"
import { Context, Effect, Layer } from "effect"
import { DataLock } from "../platform/data-lock.ts"
import { optionalText, textOr } from "../platform/environment.ts"
import { NatsServer } from "../platform/nats-server.ts"

/** The locked folder and the server's address; both are held until the scope ends. */
export const openNats = (dataDir: string | undefined) =>
  Effect.gen(function* () {
    const configured = yield* textOr("DATA_DIR", "./data")
    const wanted = resolve(dataDir ?? configured)
    const given = yield* optionalText("NATS_URL")
    if (given !== null) {
      const services = yield* Layer.build(DataLock.layer(wanted))
      return { url: given, folder: Context.get(services, DataLock).dataDirectory }
    }
    const services = yield* Layer.build(NatsServer.layer(wanted))
    return {
      url: Context.get(services, NatsServer).url,
      folder: Context.get(services, DataLock).dataDirectory
    }
  })
