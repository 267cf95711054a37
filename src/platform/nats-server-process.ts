/** Starts one run of nats-server, waits until it is ready, and finds it again by its arguments. */
import { randomInt, randomUUID } from "node:crypto"
import { createServer } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { jetstreamManager } from "@nats-io/jetstream"
import { connect } from "@nats-io/transport-node"
import { Data, Effect } from "effect"
import { describeExit, startChild } from "./child.ts"
import { keyVariable, readNatsKey } from "./nats-key.ts"
import { processesWith, terminate } from "./process-table.ts"

/** nats-server cannot be started or does not become ready. */
export class NatsServerError extends Data.TaggedError("NatsServerError")<{
  readonly message: string
}> {}

const configuration = fileURLToPath(new URL("../../nats.conf", import.meta.url))
const host = "127.0.0.1"

/** Milliseconds that a server gets to stop before it is killed. */
export const stopGraceMs = 3_000

/** Returns the server's address, with the key where it is not null. */
export const urlOf = (port: number, key: string | null): string =>
  `nats://${key === null ? "" : `${key}@`}${host}:${port}`

/** Returns the arguments that name a server's store; `natsServersOn` finds a server by them. */
const storeOf = (dataDirectory: string) => ["-sd", join(dataDirectory, "nats")] as const

const isFree = (port: number): Effect.Effect<boolean> =>
  Effect.callback(resume => {
    const probe = createServer()
    probe.once("error", () => resume(Effect.succeed(false)))
    probe.listen(port, host, () => probe.close(() => resume(Effect.succeed(true))))
  })

/**
 * Chooses a free TCP port from 20000 to 31999. The kernel takes ports of outgoing connections from
 * 32768 upwards, so no such connection takes the port while the server restarts.
 */
export const choosePort: Effect.Effect<number> = Effect.suspend(() => {
  const port = randomInt(20_000, 32_000)
  return Effect.flatMap(isFree(port), free => (free ? Effect.succeed(port) : choosePort))
})

/** Succeeds where the server of this name listens at the port and its JetStream answers. */
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

/** Milliseconds of one attempt: a client whose server goes away may wait for ever. */
const attemptMs = 10_000
/** Time between two log lines about a server that does not answer yet. */
const tellEvery = "30 seconds"

/** Waits until the server answers, without a limit: recovering large streams takes time. */
const untilItAnswers = (port: number, serverName: string, key: string): Effect.Effect<void> =>
  answers(port, serverName, key).pipe(
    Effect.timeout(attemptMs),
    Effect.catch(() =>
      Effect.sleep("20 millis").pipe(Effect.andThen(untilItAnswers(port, serverName, key)))
    )
  )

/** Logs after `slowAfterMs`, and then every 30 s, that the server does not answer yet. */
const tellWaiting = (pid: number, slowAfterMs: number): Effect.Effect<never> =>
  Effect.logInfo(
    `waiting for nats-server ${pid}, which reads its streams and does not answer yet`
  ).pipe(Effect.andThen(Effect.sleep(tellEvery)), Effect.forever, Effect.delay(slowAfterMs))

/** The settings of one run of the server. */
export interface NatsServerRun {
  readonly program: string
  readonly dataDirectory: string
  readonly port: number
  /** the token that clients must send */
  readonly key: string
  /** milliseconds of a start after which the wait for an answer is logged */
  readonly slowAfterMs: number
  /** Called with every line of the server's log, marked `[INF]`, `[WRN]`, `[ERR]` or `[FTL]`. */
  readonly onLogLine: (line: string) => void
}

/**
 * Starts nats-server and waits until JetStream answers. The scope's end stops the server.
 *
 * @returns the running child
 */
export const startNatsServer = Effect.fnUntraced(function* (run: NatsServerRun) {
  // A unique name distinguishes this server from another one on the same port.
  const serverName = `swaptape-${randomUUID()}`
  const child = yield* startChild({
    command: run.program,
    args: [
      ...["-c", configuration, "-n", serverName, "-a", host, "-p", String(run.port)],
      ...[...storeOf(run.dataDirectory), "-T=false"]
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
  const answered = untilItAnswers(run.port, serverName, run.key)
  yield* Effect.raceFirst(Effect.raceFirst(answered, died), tellWaiting(child.pid, run.slowAfterMs))
  return child
})

/** A nats-server that runs on a data folder. */
export interface RunningNatsServer {
  readonly pid: number
  readonly port: number
  readonly url: string
}

/**
 * Returns the nats-servers that run on a data folder, found by the store in their arguments: none
 * or one, and more only where somebody else started one.
 */
export const natsServersOn = (
  dataDirectory: string
): Effect.Effect<ReadonlyArray<RunningNatsServer>> =>
  Effect.sync(() =>
    processesWith(...storeOf(dataDirectory)).map(({ pid, args }) => {
      const port = Number(args[args.indexOf("-p") + 1])
      return { pid, port, url: urlOf(port, readNatsKey(dataDirectory)) }
    })
  )

/**
 * Stops the nats-server that a killed engine left running on a data folder, since two servers on
 * one store destroy the store. Only the holder of the folder's lock may call this.
 */
export const stopOrphans = Effect.fnUntraced(function* (dataDirectory: string) {
  for (const { pid } of yield* natsServersOn(dataDirectory)) {
    yield* Effect.logWarning(`stopping nats-server ${pid}, left by a killed engine`)
    yield* terminate(pid, stopGraceMs)
  }
})
