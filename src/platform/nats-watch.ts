/**
 * Whether a NATS server answers: it is asked twice a second over a connection of its own. One that
 * hangs keeps its connections open, so only an answer shows that it lives.
 */
import { connect, type NatsConnection } from "@nats-io/transport-node"
import { Effect, type Scope } from "effect"
import { connectionOptions } from "./nats.ts"

export interface NatsWatch {
  /** milliseconds since it should have answered; 0 where it does */
  readonly silentMs: () => number
}

const EVERY_MS = 500
const PATIENCE_MS = 1500
/** What a pause of this very process, or of the whole machine, counts at most. */
const LONGEST_LOOK_MS = 2 * PATIENCE_MS

/** Gives the promise's value, or fails after a while. */
const within = <A>(promise: Promise<A>): Promise<A> => {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("no answer in time")), PATIENCE_MS).unref()
  })
  return Promise.race([promise, late])
}

/** Asks over the connection, or a new one; gives the one to ask over next time. */
const look = async (url: string, open: NatsConnection | null): Promise<NatsConnection | null> => {
  const options = { ...connectionOptions({ url, timeoutMs: PATIENCE_MS }), reconnect: false }
  const opening = open === null ? connect(options) : Promise.resolve(open)
  try {
    const connection = await within(opening)
    await within(connection.rtt())
    return connection
  } catch {
    // closing waits for the server, which is the one that does not answer
    opening.then(connection => connection.close()).catch(() => undefined)
    return null
  }
}

/** Watches a server for the length of the scope. */
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
