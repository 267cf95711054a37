/** The connection to NATS: opened once, and reopened after each loss until the scope ends. */
import { isMainThread } from "node:worker_threads"
import { JetStreamApiError } from "@nats-io/jetstream"
import {
  type ConnectionOptions,
  connect,
  InvalidArgumentError,
  type NatsConnection
} from "@nats-io/transport-node"
import { Config, Context, Data, Deferred, Effect, Layer, Schedule, type Scope } from "effect"

/** No answer came or the connection broke: the server may or may not have done the request. */
export class NatsUnavailable extends Data.TaggedError("NatsUnavailable")<{
  readonly message: string
}> {}

/** The server refused the request and would refuse it again. */
export class NatsRefused extends Data.TaggedError("NatsRefused")<{
  /** JetStream's error code, 0 where there is none */
  readonly code: number
  readonly message: string
}> {}

export type NatsError = NatsUnavailable | NatsRefused

export interface NatsOptions {
  /** one address or several, comma-separated: `nats://127.0.0.1:4222`, `tls://user:pass@host` */
  readonly url: string
  /** milliseconds that a request may take; 5,000 where absent */
  readonly timeoutMs?: number
  /** false: fail where the first attempt to connect fails, instead of retrying for ever */
  readonly patient?: boolean
}

const defaultTimeoutMs = 5_000
const firstReconnectDelayMs = 20
const longestReconnectDelayMs = 1_000

/**
 * Holds the delay between two attempts to reconnect: it doubles from 20 ms to 1 s, plus a random
 * part of up to half. The client reads the delay several times per attempt, so a read must not
 * change it.
 */
class ReconnectDelay {
  ms = firstReconnectDelayMs

  /** Doubles the delay; called after each attempt. */
  grow(): void {
    const doubled = Math.min(longestReconnectDelayMs, this.ms * 2)
    this.ms = doubled * (1 + Math.random() / 2)
  }

  reset(): void {
    this.ms = firstReconnectDelayMs
  }
}

/** Returns the client's options for an address list, where the client ignores credentials. */
export const serversOf = (
  url: string
): Pick<ConnectionOptions, "servers" | "tls" | "token" | "user" | "pass"> => {
  const addresses = url.split(",").map(address => new URL(address.trim()))
  const [first] = addresses
  const user = decodeURIComponent(first?.username ?? "")
  const pass = decodeURIComponent(first?.password ?? "")
  return {
    servers: addresses.map(address => `${address.hostname}:${address.port || "4222"}`),
    ...(first?.protocol === "tls:" ? { tls: {} } : {}),
    ...(user === "" ? {} : pass === "" ? { token: user } : { user, pass })
  }
}

/** Returns the options of a client that reconnects for ever to the servers of an address list. */
export const connectionOptions = ({ url, timeoutMs }: NatsOptions): ConnectionOptions => ({
  ...serversOf(url),
  name: "swaptape",
  timeout: timeoutMs ?? defaultTimeoutMs,
  maxReconnectAttempts: -1,
  ignoreAuthErrorAbort: true,
  noAsyncTraces: true,
  // Two pings without an answer close a half-open connection, at most 30 s after it broke.
  pingInterval: 10_000,
  maxPingOut: 2
})

/** Returns an address list without user, password and token, so that it can be shown. */
export const withoutCredentials = (url: string): string => url.replaceAll(/\/\/[^@/,]*@/g, "//")

/** JetStream's error code where a stream of several copies needs a cluster. */
const replicasNotSupported = 10074

/** Returns true where a retry is useless. Status 5xx is temporary (no leader, no space, shutting
 *  down), except `replicasNotSupported`. */
const isFinal = ({ status, code }: JetStreamApiError): boolean =>
  status < 500 || code === replicasNotSupported

/** Returns a function that turns a failed request's cause into an error naming the operation. */
const toNatsError =
  (operation: string) =>
  (cause: unknown): NatsError => {
    const text = cause instanceof Error ? cause.message : String(cause)
    const message = `${operation}: ${text}`
    if (cause instanceof JetStreamApiError && isFinal(cause))
      return new NatsRefused({ code: cause.code, message })
    if (cause instanceof InvalidArgumentError) return new NatsRefused({ code: 0, message })
    return new NatsUnavailable({ message })
  }

/** Holds whether the connection is up and calls listeners on each change. */
class Link {
  up = true
  private readonly listeners = new Set<(up: boolean) => void>()

  set(up: boolean): void {
    this.up = up
    for (const listener of [...this.listeners]) listener(up)
  }

  onChange(listener: (up: boolean) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
}

const whenUp = (link: Link): Effect.Effect<void> =>
  Effect.callback(resume => {
    if (link.up) return resume(Effect.void)
    const stop = link.onChange(up => {
      if (!up) return
      stop()
      resume(Effect.void)
    })
    return Effect.sync(stop)
  })

/**
 * Starts a request and calls `done` with its outcome. A loss of the connection fails the request at
 * once, before its timeout.
 *
 * @returns a function that stops listening for that loss
 */
const start = <A>(
  link: Link,
  operation: string,
  attempt: () => Promise<A>,
  done: (outcome: Effect.Effect<A, NatsError>) => void
): (() => void) => {
  const stop = link.onChange(up => {
    if (!up) settle(new NatsUnavailable({ message: `${operation}: the connection broke` }))
  })
  const settle = (outcome: Effect.Effect<A, NatsError>) => {
    stop()
    done(outcome)
  }
  attempt().then(
    value => settle(Effect.succeed(value)),
    (cause: unknown) => settle(Effect.fail(toNatsError(operation)(cause)))
  )
  return stop
}

/** Sends at once where the connection is up; the returned effect waits for the answer. */
const send = <A>(link: Link, operation: string, attempt: () => Promise<A>) =>
  Effect.sync((): Effect.Effect<A, NatsError> => {
    if (!link.up)
      return Effect.fail(new NatsUnavailable({ message: `${operation}: not connected` }))
    const answer = Deferred.makeUnsafe<A, NatsError>()
    start(link, operation, attempt, outcome => Deferred.doneUnsafe(answer, outcome))
    return Deferred.await(answer)
  })

const run = <A>(link: Link, operation: string, attempt: () => Promise<A>) =>
  Effect.callback<A, NatsError>(resume => {
    const stop = start(link, operation, attempt, resume)
    return Effect.sync(stop)
  })

const watch = async (
  connection: NatsConnection,
  link: Link,
  delay: ReconnectDelay,
  log: (line: string) => void
): Promise<void> => {
  for await (const status of connection.status()) {
    if (status.type === "disconnect") {
      log(`NATS at ${status.server} does not answer any more: reconnecting`)
      link.set(false)
    } else if (status.type === "reconnect") {
      log(`NATS at ${status.server} answers again`)
      delay.reset()
      link.set(true)
    } else if (status.type === "reconnecting") delay.grow()
    else if (status.type === "error") log(`NATS reports: ${status.error.message}`)
  }
}

const firstConnection = (options: NatsOptions, delay: ReconnectDelay) => {
  const address = withoutCredentials(options.url)
  const attempt = Effect.tryPromise({
    try: async signal => {
      const reconnectDelayHandler = () => delay.ms
      const opened = await connect({ ...connectionOptions(options), reconnectDelayHandler })
      // The caller is gone and nobody else would close this connection.
      if (signal.aborted) await opened.close()
      return opened
    },
    catch: cause =>
      new NatsUnavailable({
        message:
          `no NATS server answers at ${address} (${(cause as Error).message}): ` +
          "start one there, or set NATS_URL to another"
      })
  })
  if (options.patient === false) return attempt
  const waiting = attempt.pipe(Effect.tapError(({ message }) => Effect.logWarning(message)))
  const delays = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])
  return waiting.pipe(Effect.retry(Schedule.jittered(delays)))
}

const make = Effect.fnUntraced(function* (options: NatsOptions) {
  const delay = new ReconnectDelay()
  const connection = yield* Effect.acquireRelease(
    firstConnection(options, delay),
    opened => Effect.promise(() => opened.close()),
    { interruptible: true }
  )
  const link = new Link()
  const runFork = Effect.runForkWith(yield* Effect.context<Scope.Scope>())
  // Every thread has a connection and notices a loss: the main thread alone warns.
  const log = (line: string) =>
    runFork(isMainThread ? Effect.logWarning(line) : Effect.logDebug(line))
  yield* Effect.sync(() => watch(connection, link, delay, log))
  return Nats.of({
    connection,
    timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
    isUp: () => link.up,
    onChange: listener => link.onChange(listener),
    send: (operation, attempt) => send(link, operation, attempt),
    call: (operation, attempt) => Effect.andThen(whenUp(link), run(link, operation, attempt))
  })
})

/** A connection to the NATS servers, which reconnects for ever. */
export class Nats extends Context.Service<
  Nats,
  {
    /** the client's connection, for the files of src/platform only */
    readonly connection: NatsConnection
    readonly timeoutMs: number
    readonly isUp: () => boolean
    /** calls `listener` on each loss (false) and return (true) until the returned function runs */
    readonly onChange: (listener: (up: boolean) => void) => () => void
    /** waits for the connection, then runs a request; fails when the connection breaks */
    readonly call: <A>(operation: string, attempt: () => Promise<A>) => Effect.Effect<A, NatsError>
    /** runs a request at once, in call order; the effect it returns waits for the answer */
    readonly send: <A>(
      operation: string,
      attempt: () => Promise<A>
    ) => Effect.Effect<Effect.Effect<A, NatsError>>
  }
>()("swaptape/platform/Nats") {
  static readonly layer = (options: NatsOptions) => Layer.effect(Nats, make(options))

  /** Connects to the servers of `NATS_URL`. */
  static readonly layerConfig = Layer.unwrap(
    Config.String("NATS_URL").pipe(Effect.map(url => Nats.layer({ url })))
  )
}
