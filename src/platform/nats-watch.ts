/**
 * Watches whether a NATS server answers: pings the server twice a second over a separate
 * connection. A hung server keeps its connections open, so only an answer proves that it lives.
 */
import { connect, type NatsConnection } from "@nats-io/transport-node"
import { Effect, type Scope } from "effect"
import { connectionOptions } from "./nats.ts"

export interface NatsWatch {
  /** returns for how many milliseconds the server has not answered; 0 where it answers */
  readonly silentMs: () => number
}

const EVERY_MS = 500
const PATIENCE_MS = 1500
/** Most silence, in milliseconds, of one look: this process may have paused, not the server. */
const LONGEST_LOOK_MS = 2 * PATIENCE_MS

/** Returns the promise's value; fails after `PATIENCE_MS`. */
const within = <A>(promise: Promise<A>): Promise<A> => {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("no answer in time")), PATIENCE_MS).unref()
  })
  return Promise.race([promise, late])
}

/** Pings over `open`, or a new connection; returns the connection, null where nobody answered. */
const look = async (url: string, open: NatsConnection | null): Promise<NatsConnection | null> => {
  const options = { ...connectionOptions({ url, timeoutMs: PATIENCE_MS }), reconnect: false }
  const opening = open === null ? connect(options) : Promise.resolve(open)
  try {
    const connection = await within(opening)
    await within(connection.rtt())
    return connection
  } catch {
    // Not awaited: closing waits for the server, which does not answer.
    opening.then(connection => connection.close()).catch(() => undefined)
    return null
  }
}

/** Watches a server until the scope ends. */
export const watchNats = (url: string): Effect.Effect<NatsWatch, never, Scope.Scope> =>
  Effect.gen(function* () {
    let silentMs = 0
    let connection: NatsConnection | null = null
    yield* Effect.addFinalizer(() =>
      Effect.promise(async () => connection?.close().catch(() => undefined)).pipe(
        Effect.timeoutOption(EVERY_MS)
      )
    )
    let before = performance.now()
    const once = Effect.promise(async () => {
      connection = await look(url, connection)
      const now = performance.now()
      silentMs = connection === null ? silentMs + Math.min(now - before, LONGEST_LOOK_MS) : 0
      before = now
    })
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(once, Effect.sleep(EVERY_MS))))
    return { silentMs: () => silentMs }
  })
