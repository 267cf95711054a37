/**
 * Anvil, a local EVM node, as a supervised child process. The binary is the one the npm package
 * `@foundry-rs/anvil` brings for this platform; nothing is looked up on PATH.
 *
 * The child runs in its own process group, so a Ctrl-C in the terminal reaches only us and the
 * scope decides when it stops. After a `kill -9` of ours it lives on; the next start finds it by
 * its pid file and stops it.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { Data, Deferred, Effect, type Scope } from "effect"

/** Anvil could not be found, started or stopped, or its data folder is in use. */
export class AnvilError extends Data.TaggedError("AnvilError")<{
  readonly message: string
  readonly cause?: unknown
}> {}

export interface AnvilOptions {
  readonly chainId: number
  /** 0 takes any free port */
  readonly port: number
  /** Unix seconds of block 0 */
  readonly genesisTimeSeconds: number
  /** how many of Anvil's well-known dev accounts are unlocked for `eth_sendTransaction` */
  readonly accounts: number
  readonly blockGasLimit: number
  /** JSON state file to continue from */
  readonly loadState?: string
  /** newest blocks whose transactions, receipts and logs stay readable */
  readonly keepBlocks: number
  /** newest blocks whose state stays readable, hence also the deepest rollback */
  readonly keepStates: number
  /** where the pid is left for the next start; its path also names our process on the command line */
  readonly pidFile: string
}

/** How the child ended: by itself, by our stop, or by someone's signal. */
export interface AnvilExit {
  readonly code: number | null
  readonly signal: string | null
}

export interface Anvil {
  readonly url: string
  readonly wsUrl: string
  readonly pid: number
  /** completes when the process is gone, whoever ended it */
  readonly exited: Effect.Effect<AnvilExit>
}

const START_TIMEOUT_MS = 15_000
const STOP_TIMEOUT_MS = 3_000
const LISTENING = /Listening on 127\.0\.0\.1:(\d+)/

/** Path of the Anvil binary inside node_modules, or an error that names the missing package. */
export const findAnvil: Effect.Effect<string, AnvilError> = Effect.suspend(() => {
  const cpu = { x64: "amd64", arm64: "arm64" }[process.arch as string] ?? process.arch
  const platform = `@foundry-rs/anvil-${process.platform}-${cpu}`
  const binary = process.platform === "win32" ? "anvil.exe" : "anvil"
  return Effect.try({
    try: () => {
      const here = createRequire(import.meta.url)
      return createRequire(here.resolve("@foundry-rs/anvil/package.json")).resolve(
        `${platform}/bin/${binary}`
      )
    },
    catch: cause =>
      new AnvilError({ message: `${platform} is not installed: run npm ci on this machine`, cause })
  })
})

const argumentsOf = (options: AnvilOptions): ReadonlyArray<string> => [
  "--host",
  "127.0.0.1",
  "--port",
  String(options.port),
  "--chain-id",
  String(options.chainId),
  "--timestamp",
  String(options.genesisTimeSeconds),
  "--accounts",
  String(options.accounts),
  "--gas-limit",
  String(options.blockGasLimit),
  "--transaction-block-keeper",
  String(options.keepBlocks),
  "--prune-history",
  String(options.keepStates),
  // Later forks write every block hash into the state, which then grows for hours.
  "--hardfork",
  "cancun",
  // Blocks are mined on demand, transactions in the order sent, so that a run can be repeated.
  "--no-mining",
  "--order",
  "fifo",
  "--no-cors",
  "--no-request-size-limit",
  "--cache-path",
  `${options.pidFile}.cache`,
  ...(options.loadState === undefined ? [] : ["--load-state", options.loadState])
]

interface Running {
  readonly child: ChildProcess
  readonly exited: Deferred.Deferred<AnvilExit>
}

const spawnAnvil = (binary: string, options: AnvilOptions): Effect.Effect<Running, AnvilError> =>
  Effect.try({
    try: () => {
      mkdirSync(dirname(options.pidFile), { recursive: true })
      const exited = Deferred.makeUnsafe<AnvilExit>()
      const child = spawn(binary, argumentsOf(options), {
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, NO_COLOR: "1", RUST_LOG: "" }
      })
      const ended = (exit: AnvilExit) => Deferred.doneUnsafe(exited, Effect.succeed(exit))
      child.once("exit", (code, signal) => ended({ code, signal }))
      child.once("error", () => ended({ code: null, signal: null }))
      if (child.pid !== undefined) {
        writeFileSync(options.pidFile, JSON.stringify({ pid: child.pid, parent: process.pid }))
      }
      return { child, exited }
    },
    catch: cause => new AnvilError({ message: `cannot start ${binary}`, cause })
  })

/** The port from Anvil's banner; its last words where it ends before it listens. */
const listeningPort = ({ child, exited }: Running): Effect.Effect<number, AnvilError> => {
  const port = Effect.callback<number, AnvilError>(resume => {
    let text = ""
    const read = (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-8192)
      const found = LISTENING.exec(text)
      if (found === null) return
      child.stdout?.off("data", read)
      // Nobody reads the request log, but a full pipe would block the process.
      child.stdout?.resume()
      child.stderr?.resume()
      resume(Effect.succeed(Number(found[1])))
    }
    child.stdout?.on("data", read)
    child.stderr?.on("data", read)
    child.once("close", () =>
      resume(new AnvilError({ message: `anvil ended at start: ${text.trim().slice(-500)}` }))
    )
  })
  const gone = Deferred.await(exited).pipe(
    // A moment for `close`, which carries the output.
    Effect.delay("200 millis"),
    Effect.flatMap(() => new AnvilError({ message: "anvil ended at start" }))
  )
  return Effect.raceFirst(port, gone).pipe(
    Effect.timeoutOrElse({
      duration: START_TIMEOUT_MS,
      orElse: () => new AnvilError({ message: `anvil not up within ${START_TIMEOUT_MS} ms` })
    })
  )
}

const stopChild = ({ child, exited }: Running, pidFile: string): Effect.Effect<void> =>
  Effect.sync(() => child.kill("SIGTERM")).pipe(
    Effect.andThen(Deferred.await(exited)),
    Effect.timeoutOrElse({
      duration: STOP_TIMEOUT_MS,
      orElse: () =>
        Effect.sync(() => child.kill("SIGKILL")).pipe(Effect.andThen(Deferred.await(exited)))
    }),
    Effect.andThen(Effect.sync(() => rmSync(pidFile, { force: true })))
  )

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The pid of an Anvil that this pid file left running, with its parent; null where there is none.
 *  A reused pid is told apart by the command line, which names the pid file. */
const findLeftover = (pidFile: string): { pid: number; parent: number } | null => {
  const text = readText(pidFile)
  if (text === null) return null
  const [, pid, parent] = /"pid":(\d+),"parent":(\d+)/.exec(text) ?? []
  const commandLine = readText(`/proc/${pid}/cmdline`)
  return commandLine?.includes(`${pidFile}.cache`) === true
    ? { pid: Number(pid), parent: Number(parent) }
    : null
}

/**
 * Stops an Anvil left behind by a killed run. Fails where its parent still lives, since then two
 * of us share one data folder.
 */
export const stopLeftover = Effect.fnUntraced(function* (pidFile: string) {
  const left = findLeftover(pidFile)
  if (left === null) return
  const stat = readText(`/proc/${left.pid}/stat`) ?? ""
  // The fields after the command name in parentheses: state, parent pid.
  const parentNow = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
  if (parentNow === left.parent && isAlive(left.parent)) {
    return yield* new AnvilError({
      message: `${pidFile}: its anvil is run by process ${left.parent}, which is still alive`
    })
  }
  process.kill(left.pid, "SIGKILL")
  for (let waited = 0; isAlive(left.pid) && waited < STOP_TIMEOUT_MS; waited += 20) {
    yield* Effect.sleep(20)
  }
})

/**
 * Starts Anvil for the length of the scope. Ready to answer when this succeeds. The end of the
 * scope stops it (SIGTERM, after 3 s SIGKILL); an end of its own shows in `exited`.
 */
export const startAnvil = Effect.fnUntraced(function* (
  options: AnvilOptions
): Effect.fn.Return<Anvil, AnvilError, Scope.Scope> {
  const binary = yield* findAnvil
  yield* stopLeftover(options.pidFile)
  const running = yield* Effect.acquireRelease(spawnAnvil(binary, options), started =>
    stopChild(started, options.pidFile)
  )
  const port = yield* listeningPort(running)
  return {
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    pid: running.child.pid as number,
    exited: Deferred.await(running.exited)
  }
})
