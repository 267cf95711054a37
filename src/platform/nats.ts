/** The connection to NATS: made once, kept through any loss while the scope lives. */
import { isMainThread } from "node:worker_threads"
import { JetStreamApiError } from "@nats-io/jetstream"
import {
  type ConnectionOptions,
  connect,
  InvalidArgumentError,
  type NatsConnection
} from "@nats-io/transport-node"
import { Config, Context, Data, Deferred, Effect, Layer, Schedule, type Scope } from "effect"

/** Nobody answered, or the connection broke: whether the request was carried out is not known. */
export class NatsUnavailable extends Data.TaggedError("NatsUnavailable")<{
  readonly message: string
}> {}

/** The server answered no, and would do so again. */
export class NatsRefused extends Data.TaggedError("NatsRefused")<{
  /** JetStream's own number of the error, 0 where it gave none */
  readonly code: number
  readonly message: string
}> {}

export type NatsError = NatsUnavailable | NatsRefused

export interface NatsOptions {
  /** one address or several, comma-separated: `nats://127.0.0.1:4222`, `tls://user:pass@host` */
  readonly url: string
  /** how long a request may take, in milliseconds */
  readonly timeoutMs?: number
  /** false: fail where no server answers at once, instead of trying for ever */
  readonly patient?: boolean
}

const defaultTimeoutMs = 5_000
const firstReconnectDelayMs = 20
const longestReconnectDelayMs = 1_000

/**
 * The delay between two attempts to reconnect: doubles from 20 ms, plus up to half of it by chance.
 * The client asks for it several times between two attempts, so asking must not change it.
 */
class ReconnectDelay {
  ms = firstReconnectDelayMs

  /** An attempt has been made. */
  grow(): void {
    const doubled = Math.min(longestReconnectDelayMs, this.ms * 2)
    this.ms = doubled * (1 + Math.random() / 2)
  }

  reset(): void {
    this.ms = firstReconnectDelayMs
  }
}

/** Credentials in an address become options, since the client reads hosts and ports only. */
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

/** How a client connects to the servers of an address. */
export const connectionOptions = ({ url, timeoutMs }: NatsOptions): ConnectionOptions => ({
  ...serversOf(url),
  name: "swaptape",
  timeout: timeoutMs ?? defaultTimeoutMs,
  maxReconnectAttempts: -1,
  ignoreAuthErrorAbort: true,
  noAsyncTraces: true,
  // A half-open connection is noticed within 20 s.
  pingInterval: 10_000,
  maxPingOut: 2
})

/** An address as it may be shown. */
export const withoutCredentials = (url: string): string => url.replaceAll(/\/\/[^@/,]*@/g, "//")

/** Several copies of a stream need a cluster. */
const replicasNotSupported = 10074

/** 5xx is a server that cannot now: no leader, no space, shutting down; but for this one. */
const isFinal = ({ status, code }: JetStreamApiError): boolean =>
  status < 500 || code === replicasNotSupported

/** What a failed request says of itself. */
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

/** Knows whether the connection is up and tells who waits for a change. */
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
 * Starts a request, which ends with the connection it was sent on instead of at its timeout.
 *
 * @returns a function after which `done` is not called any more
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

/** Sends at once, if there is a connection; the answer is waited for by the effect returned. */
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
      // Nobody is left to close it.
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
  // each thread has a connection: what they all notice is told by whoever watches the server
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

/** One connection to the NATS servers; it reconnects for ever. */
export class Nats extends Context.Service<
  Nats,
  {
    /** for the files of this folder only */
    readonly connection: NatsConnection
    readonly timeoutMs: number
    readonly isUp: () => boolean
    /** calls back with each loss (false) and return (true) until the function it gives is called */
    readonly onChange: (listener: (up: boolean) => void) => () => void
    /** waits for the connection, then runs a request; fails when the connection breaks */
    readonly call: <A>(operation: string, attempt: () => Promise<A>) => Effect.Effect<A, NatsError>
    /** runs a request now, in the order of calls; the effect it gives waits for the answer */
    readonly send: <A>(
      operation: string,
      attempt: () => Promise<A>
    ) => Effect.Effect<Effect.Effect<A, NatsError>>
  }
>()("swaptape/platform/Nats") {
  static readonly layer = (options: NatsOptions) => Layer.effect(Nats, make(options))

  /** To the servers of `NATS_URL`. */
  static readonly layerConfig = Layer.unwrap(
    Config.String("NATS_URL").pipe(Effect.map(url => Nats.layer({ url })))
  )
}
