/** One run of nats-server: how it is started, known to be ready, and found again. */
import { randomInt, randomUUID } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { jetstreamManager } from "@nats-io/jetstream"
import { connect } from "@nats-io/transport-node"
import { Data, Effect, Option } from "effect"
import { describeExit, startChild } from "./child.ts"
import { keyVariable, readNatsKey } from "./nats-key.ts"
import { commandLine, isRunning, terminate } from "./process-table.ts"

/** nats-server cannot be started, or does not become ready. */
export class NatsServerError extends Data.TaggedError("NatsServerError")<{
  readonly message: string
}> {}

const configuration = fileURLToPath(new URL("../../nats.conf", import.meta.url))
const host = "127.0.0.1"

/** How long a server gets to stop before it is killed. */
export const stopGraceMs = 3_000

/** The address with the key of the server's folder in it, if there is one. */
export const urlOf = (port: number, key: string | null): string =>
  `nats://${key === null ? "" : `${key}@`}${host}:${port}`

/** Where the streams are stored, and where nats-server leaves its pid. */
const pathsOf = (dataDirectory: string) => ({
  store: join(dataDirectory, "nats"),
  pidFile: join(dataDirectory, "nats.pid")
})

const isFree = (port: number): Effect.Effect<boolean> =>
  Effect.callback(resume => {
    const probe = createServer()
    probe.once("error", () => resume(Effect.succeed(false)))
    probe.listen(port, host, () => probe.close(() => resume(Effect.succeed(true))))
  })

/**
 * A free TCP port outside the range from which the kernel takes the ports of outgoing
 * connections (32768 upwards), so that none of those takes it while the server restarts.
 */
export const choosePort: Effect.Effect<number> = Effect.suspend(() => {
  const port = randomInt(20_000, 32_000)
  return Effect.flatMap(isFree(port), free => (free ? Effect.succeed(port) : choosePort))
})

/** Asks the server at the port for its JetStream account, if it is the one of this name. */
const answers = (port: number, serverName: string, token: string) =>
  Effect.tryPromise({
    try: async () => {
      const servers = `${host}:${port}`
      const connection = await connect({ servers, token, reconnect: false, timeout: 2_000 })
      try {
        if (connection.info?.server_name !== serverName) throw new Error("another server answers")
        await (await jetstreamManager(connection)).getAccountInfo()
      } finally {
        await connection.close()
      }
    },
    catch: cause => new NatsServerError({ message: `not ready: ${(cause as Error).message}` })
  })

/** Recovering large streams takes its time, so this waits as long as the server lives. */
const untilItAnswers = (port: number, serverName: string, key: string): Effect.Effect<void> =>
  answers(port, serverName, key).pipe(
    Effect.catch(() =>
      Effect.sleep("20 millis").pipe(Effect.andThen(untilItAnswers(port, serverName, key)))
    )
  )

/** What one run of the server is told. */
export interface NatsServerRun {
  readonly program: string
  readonly dataDirectory: string
  readonly port: number
  /** what clients must show it */
  readonly key: string
  /** Called with every line of the server's log, which says `[INF]`, `[WRN]`, `[ERR]`, `[FTL]`. */
  readonly onLogLine: (line: string) => void
}

/**
 * Starts nats-server for the length of the scope and waits until JetStream answers.
 *
 * @returns the running child
 */
export const startNatsServer = Effect.fnUntraced(function* (run: NatsServerRun) {
  const { store, pidFile } = pathsOf(run.dataDirectory)
  // A name of its own tells this server from another one on the same port.
  const serverName = `swaptape-${randomUUID()}`
  const child = yield* startChild({
    command: run.program,
    args: [
      ...["-c", configuration, "-n", serverName, "-a", host, "-p", String(run.port)],
      ...["-sd", store, "-P", pidFile, "-T=false"]
    ],
    env: { [keyVariable]: run.key },
    onErrorLine: run.onLogLine,
    graceMs: stopGraceMs
  }).pipe(
    Effect.mapError(
      ({ message }) =>
        new NatsServerError({
          message: `${message}: set NATS_SERVER to a nats-server, or unset it and run npm run setup`
        })
    )
  )
  const died = child.exited.pipe(
    Effect.flatMap(
      exit => new NatsServerError({ message: `nats-server ended with ${describeExit(exit)}` })
    )
  )
  yield* Effect.raceFirst(untilItAnswers(run.port, serverName, run.key), died)
  return child
})

/** A nats-server that runs on a data folder. */
export interface RunningNatsServer {
  readonly pid: number
  readonly port: number
  readonly url: string
}

/**
 * The nats-server that runs on a data folder, found by the pid file it wrote. A pid that another
 * process has been given since is told apart by the command line, which names the folder.
 */
export const findNatsServer = (
  dataDirectory: string
): Effect.Effect<Option.Option<RunningNatsServer>> =>
  Effect.sync(() => {
    const { store, pidFile } = pathsOf(dataDirectory)
    if (!existsSync(pidFile)) return Option.none()
    const pid = Number.parseInt(readFileSync(pidFile, "utf8"), 10)
    const args = Number.isInteger(pid) && isRunning(pid) ? (commandLine(pid) ?? []) : []
    const argumentOf = (flag: string) => args[args.indexOf(flag) + 1]
    if (argumentOf("-sd") !== store || argumentOf("-P") !== pidFile) return Option.none()
    const port = Number(argumentOf("-p"))
    return Option.some({ pid, port, url: urlOf(port, readNatsKey(dataDirectory)) })
  })

/**
 * Stops the nats-server that a killed engine left running on a data folder, since two on one
 * store destroy it. Only the holder of the folder's lock may call this.
 */
export const stopOrphan = Effect.fnUntraced(function* (dataDirectory: string) {
  const orphan = yield* findNatsServer(dataDirectory)
  if (Option.isNone(orphan)) return
  yield* Effect.logWarning(`stopping nats-server ${orphan.value.pid}, left by a killed engine`)
  yield* terminate(orphan.value.pid, stopGraceMs)
})
