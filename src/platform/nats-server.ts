/** Supervises the embedded nats-server: one child process per data folder, restarted on death. */
import { accessSync, constants } from "node:fs"
import { join } from "node:path"
import { Config, Context, Deferred, Effect, Fiber, Layer, Schedule } from "effect"
import { describeExit } from "./child.ts"
import { DataLock } from "./data-lock.ts"
import { steadyMillis } from "./elapsed.ts"
import { RestartPauses } from "./keep-alive.ts"
import { fileInTheWay } from "./make-folder.ts"
import { makeNatsKey } from "./nats-key.ts"
import {
  choosePort,
  NatsServerError,
  type NatsServerRun,
  startNatsServer,
  stopOrphans,
  urlOf
} from "./nats-server-process.ts"
import { watchNats } from "./nats-watch.ts"
import { wantOfRoom } from "./room.ts"
import { Seldom } from "./seldom.ts"
import { streamsFolder } from "./stream-files.ts"
import { mendTornStreams } from "./torn-streams.ts"

/** The present state of the supervised server. */
export interface NatsServerStatus {
  /** `stopped` is final: the scope has closed or the first start failed */
  readonly state: "starting" | "ready" | "restarting" | "stopped"
  /** null while no process is ready */
  readonly pid: number | null
  /** number of starts after the first ready one, failed starts included */
  readonly restarts: number
  /** how the last run ended, such as "signal SIGKILL"; null while none has */
  readonly lastExit: string | null
  /** newest error line of the server's log; null where there is none */
  readonly lastError: string | null
}

export interface NatsServerOptions {
  /** a fixed port; where absent, a free port is chosen and kept over restarts */
  readonly port?: number
  /** milliseconds without an answer after which a server is killed and restarted; 20,000 */
  readonly hungAfterMs?: number
  /** milliseconds of a start after which the wait is logged; 5,000 */
  readonly slowAfterMs?: number
  /** the nats-server binary; else the setting `NATS_SERVER`, else nats-server on PATH */
  readonly program?: string
}

const RESTARTS = { firstMs: 50, longestMs: 2_000, wellAfterMs: 3_000 }
const startAttempts = 5
/** Longer than a busy disk delays a server's answer. */
const hungAfterMs = 20_000
const slowAfterMs = 5_000
const keptLogLines = 20
/** A text that repeats is logged once a minute: a full disk or a failed start repeats its error. */
const TOLD_EVERY_MS = 60_000

interface Supervisor {
  readonly run: Omit<NatsServerRun, "port" | "onLogLine">
  readonly hungAfterMs: number
  status: NatsServerStatus
  /** the newest lines of the server's log, for the message of a failed start */
  readonly log: Array<string>
  /** the texts that were logged */
  readonly told: Seldom<string>
}

const update = (supervisor: Supervisor, change: Partial<NatsServerStatus>) =>
  Effect.sync(() => {
    supervisor.status = { ...supervisor.status, ...change }
  })

const isNews = ({ told }: Supervisor, text: string): boolean => told.isDue(text, performance.now())

/**
 * Returns what the server lacks (room, rights) by its log line, and what helps; null for another
 * failure. The server reports a folder that it may not enter as "not a directory".
 */
const wantIn = (line: string, folder: string): string | null => {
  const inTheWay = line.includes("not a directory") ? fileInTheWay(streamsFolder(folder)) : null
  if (inTheWay !== null) return inTheWay
  if (!line.includes("storage directory is not a directory")) return wantOfRoom(line, folder)
  try {
    accessSync(join(folder, "nats"), constants.R_OK | constants.W_OK | constants.X_OK)
    return null
  } catch (cause) {
    return wantOfRoom((cause as Error).message, folder)
  }
}

/** Copies the server's log into ours: errors and warnings as warnings, the rest as debug lines. */
const keepLogLine =
  (supervisor: Supervisor, log: (effect: Effect.Effect<void>) => void) =>
  (line: string): void => {
    supervisor.log.push(line)
    if (supervisor.log.length > keptLogLines) supervisor.log.shift()
    const severe = /\[(ERR|FTL)\]/.test(line)
    if (severe) supervisor.status = { ...supervisor.status, lastError: line }
    const want = severe ? wantIn(line, supervisor.run.dataDirectory) : null
    // Without the pid, which differs after each start.
    const text = want ?? line.replace(/^\[\d+\] /, "")
    const isTold = (severe || line.includes("[WRN]")) && isNews(supervisor, text)
    log(
      isTold ? Effect.logWarning(`nats-server: ${text}`) : Effect.logDebug(`nats-server: ${line}`)
    )
  }

/** Returns the reason once the server has not answered for `hungAfterMs`; the caller stops it. */
const whenHung = ({ hungAfterMs, run }: Supervisor, port: number) =>
  Effect.gen(function* () {
    const watch = yield* watchNats(urlOf(port, run.key))
    yield* Effect.sync(watch.silentMs).pipe(
      Effect.repeat({ until: ms => ms >= hungAfterMs, schedule: Schedule.spaced("250 millis") })
    )
    return `no answer for ${Math.round(watch.silentMs() / 1000)} s`
  })

/** Runs the server once, from its start to its death, and returns how the run ended. */
const runOnce = (supervisor: Supervisor, port: number, ready: Deferred.Deferred<void>) =>
  Effect.gen(function* () {
    const log = Effect.runForkWith(yield* Effect.context<never>())
    const onLogLine = keepLogLine(supervisor, log)
    const child = yield* startNatsServer({ ...supervisor.run, port, onLogLine })
    yield* update(supervisor, { state: "ready", pid: child.pid })
    yield* Deferred.succeed(ready, undefined)
    const exited = Effect.map(child.exited, describeExit)
    return yield* Effect.raceFirst(exited, whenHung(supervisor, port))
  }).pipe(
    Effect.scoped,
    Effect.catch(error => Effect.succeed(error.message))
  )

/** Restarts the server on its port for ever; fails only where the first run never becomes ready. */
const keepRunning = Effect.fnUntraced(function* (
  supervisor: Supervisor,
  port: number,
  ready: Deferred.Deferred<void>
) {
  const pauses = new RestartPauses(RESTARTS)
  while (true) {
    const startedAt = yield* steadyMillis
    const lastExit = yield* runOnce(supervisor, port, ready)
    if (!(yield* Deferred.isDone(ready))) {
      const { log } = supervisor
      const message =
        log.length === 0 ? lastExit : [`${lastExit}. Its log ends:`, ...log].join("\n")
      return yield* new NatsServerError({ message })
    }
    const restarts = supervisor.status.restarts + 1
    // A server that cannot even start dies again and again: its deaths are logged once a minute.
    const isTold = supervisor.status.state === "ready" || isNews(supervisor, lastExit)
    yield* update(supervisor, { state: "restarting", pid: null, restarts, lastExit })
    const died = `nats-server died (${lastExit}): restarting it on port ${port}`
    yield* isTold ? Effect.logWarning(died) : Effect.logDebug(died)
    yield* Effect.sleep(pauses.next((yield* steadyMillis) - startedAt))
  }
})

/** Starts the supervisor in the scope, waits until the server is ready, and returns its port. */
const supervise = Effect.fnUntraced(function* (supervisor: Supervisor, fixedPort?: number) {
  const port = fixedPort ?? (yield* choosePort)
  const ready = yield* Deferred.make<void>()
  const fiber = yield* Effect.forkScoped(keepRunning(supervisor, port, ready))
  yield* Effect.raceFirst(Deferred.await(ready), Fiber.join(fiber))
  return port
})

const make = Effect.fnUntraced(function* (options: NatsServerOptions) {
  const { dataDirectory } = yield* DataLock
  const configured = Config.String("NATS_SERVER").pipe(Config.withDefault("nats-server"))
  const program = options.program ?? (yield* configured)
  const inTheWay = fileInTheWay(streamsFolder(dataDirectory))
  if (inTheWay !== null) return yield* new NatsServerError({ message: inTheWay })
  yield* stopOrphans(dataDirectory)
  for (const stream of yield* mendTornStreams(dataDirectory)) {
    yield* Effect.logWarning(
      `the end of stream ${stream} is torn off: going back to its last whole message`
    )
  }
  const key = yield* Effect.try({
    try: () => makeNatsKey(dataDirectory),
    catch: cause =>
      new NatsServerError({
        message: `the key of the log's server cannot be written: ${(cause as Error).message}`
      })
  })
  const supervisor: Supervisor = {
    run: { program, dataDirectory, key, slowAfterMs: options.slowAfterMs ?? slowAfterMs },
    hungAfterMs: options.hungAfterMs ?? hungAfterMs,
    status: { state: "starting", pid: null, restarts: 0, lastExit: null, lastError: null },
    log: [],
    told: new Seldom(TOLD_EVERY_MS)
  }
  // Added before the supervisor's own finalizer, so this one runs after the server has stopped.
  yield* Effect.addFinalizer(() => update(supervisor, { state: "stopped", pid: null }))
  const port = yield* supervise(supervisor, options.port).pipe(
    // Another program can take the chosen port before the server binds it.
    Effect.retry({
      times: options.port === undefined ? startAttempts - 1 : 0,
      while: error => error.message.includes("address already in use")
    })
  )
  return NatsServer.of({
    url: urlOf(port, key),
    port,
    status: Effect.sync(() => supervisor.status)
  })
})

/** The embedded nats-server of a data folder, restarted until the scope ends. */
export class NatsServer extends Context.Service<
  NatsServer,
  {
    /** address with the key, so a secret; a restart keeps the address */
    readonly url: string
    readonly port: number
    readonly status: Effect.Effect<NatsServerStatus>
  }
>()("swaptape/platform/NatsServer") {
  /** Runs on the folder of the given `DataLock`. */
  static readonly layerNoDeps = (options: NatsServerOptions = {}) =>
    Layer.effect(NatsServer, make(options))

  /** Locks the data folder first and keeps the lock until the server has stopped. */
  static readonly layer = (dataDirectory: string, options: NatsServerOptions = {}) =>
    this.layerNoDeps(options).pipe(Layer.provideMerge(DataLock.layer(dataDirectory)))
}
