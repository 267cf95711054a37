/**
 * Runs Anvil, a local EVM node, as a child process. The binary comes from the npm package
 * `@foundry-rs/anvil` for this platform, never from PATH.
 */
import { existsSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { Data, Effect, type Scope } from "effect"
import { type ChildExit, describeExit, startChild } from "./child.ts"
import { makeFolders } from "./make-folder.ts"
import { choosePort } from "./nats-server-process.ts"
import { processesWith, terminate } from "./process-table.ts"

/** Anvil could not be found or started. */
export class AnvilError extends Data.TaggedError("AnvilError")<{
  readonly message: string
}> {}

export interface AnvilOptions {
  /** holds Anvil's own files; one Anvil per folder */
  readonly folder: string
  readonly chainId: number
  /** a fixed port; where absent, a free port is chosen */
  readonly port?: number
  /** time of block 0, Unix seconds */
  readonly genesisTimeSeconds: number
  /** how many of Anvil's well-known dev accounts are unlocked for `eth_sendTransaction` */
  readonly accounts: number
  readonly blockGasLimit: number
  /** path of a JSON state file to continue from */
  readonly loadState?: string
  /** number of newest blocks whose transactions, receipts and logs stay readable */
  readonly keepBlocks: number
  /** number of newest blocks whose state stays readable; also the deepest `anvil_rollback` */
  readonly keepStates: number
}

export interface Anvil {
  readonly port: number
  readonly url: string
  readonly wsUrl: string
  readonly pid: number
  /** waits until the process has ended, for whatever reason */
  readonly exited: Effect.Effect<ChildExit>
}

const startTimeoutMs = 15_000
const stopGraceMs = 2_000
const startAttempts = 5

/** Returns the path of the file that Anvil writes once it listens. */
const configOf = (folder: string): string => join(folder, "anvil.json")

/** Returns the arguments that name Anvil's folder; `stopLeftover` finds a process by them. */
const toldConfig = (folder: string) => ["--config-out", configOf(folder)] as const

/** Returns the path of the Anvil binary in node_modules; fails naming the missing package. */
const findAnvil: Effect.Effect<string, AnvilError> = Effect.suspend(() => {
  const cpu = process.arch === "x64" ? "amd64" : process.arch
  const platform = `@foundry-rs/anvil-${process.platform}-${cpu}`
  const binary = process.platform === "win32" ? "anvil.exe" : "anvil"
  return Effect.try({
    try: () => {
      const anvil = createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json")
      return createRequire(anvil).resolve(`${platform}/bin/${binary}`)
    },
    catch: () => new AnvilError({ message: `${platform} is not installed: run npm ci` })
  })
})

const argumentsOf = (options: AnvilOptions, port: number): ReadonlyArray<string> => {
  return [
    ...["--host", "127.0.0.1", "--port", String(port), "--no-cors", "--no-request-size-limit"],
    ...["--chain-id", String(options.chainId), "--accounts", String(options.accounts)],
    ...["--timestamp", String(options.genesisTimeSeconds)],
    ...["--gas-limit", String(options.blockGasLimit)],
    ...["--transaction-block-keeper", String(options.keepBlocks)],
    ...["--prune-history", String(options.keepStates)],
    // Mining on demand, with transactions in the order sent, makes a run repeatable.
    ...["--no-mining", "--order", "fifo"],
    // Later hard forks store every block's hash in the state, which then grows for hours.
    ...["--hardfork", "cancun"],
    ...[...toldConfig(options.folder), "--cache-path", join(options.folder, "anvil-cache")],
    ...(options.loadState === undefined ? [] : ["--load-state", options.loadState])
  ]
}

const appears = (path: string): Effect.Effect<void> =>
  Effect.suspend(() =>
    existsSync(path)
      ? Effect.void
      : Effect.sleep("5 millis").pipe(Effect.andThen(Effect.suspend(() => appears(path))))
  )

/**
 * Stops every Anvil that a killed run left on this folder, recognized by its command line. The
 * caller must hold the folder's lock, else this stops the Anvil of another engine.
 */
const stopLeftover = Effect.fnUntraced(function* (folder: string) {
  for (const { pid } of processesWith(...toldConfig(folder))) {
    yield* Effect.logWarning(`stopping anvil ${pid}, left by a killed run`)
    yield* terminate(pid, stopGraceMs)
  }
})

const startOn = Effect.fnUntraced(function* (options: AnvilOptions, port: number) {
  const config = configOf(options.folder)
  const binary = yield* findAnvil
  const words: Array<string> = []
  yield* Effect.sync(() => rmSync(config, { force: true }))
  const child = yield* startChild({
    command: binary,
    args: argumentsOf(options, port),
    onErrorLine: line => words.splice(0, Math.max(0, words.push(line) - 10)),
    graceMs: stopGraceMs
  }).pipe(Effect.mapError(({ message }) => new AnvilError({ message })))
  const died = child.exited.pipe(
    Effect.flatMap(
      exit =>
        new AnvilError({ message: `anvil ended with ${describeExit(exit)}: ${words.join(" ")}` })
    )
  )
  yield* Effect.raceFirst(appears(config), died).pipe(
    Effect.timeoutOrElse({
      duration: startTimeoutMs,
      orElse: () => new AnvilError({ message: `anvil does not listen after ${startTimeoutMs} ms` })
    })
  )
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    pid: child.pid,
    exited: child.exited
  }
})

/**
 * Starts Anvil and returns once Anvil listens. The end of the scope stops Anvil. Where Anvil ends
 * before that, `exited` completes.
 */
export const startAnvil = Effect.fnUntraced(function* (
  options: AnvilOptions
): Effect.fn.Return<Anvil, AnvilError, Scope.Scope> {
  yield* Effect.sync(() => makeFolders(options.folder))
  yield* stopLeftover(options.folder)
  const { port } = options
  if (port !== undefined) return yield* startOn(options, port)
  return yield* choosePort.pipe(
    Effect.flatMap(chosen => startOn(options, chosen)),
    // Another program can take the chosen port before Anvil binds it.
    Effect.retry({
      times: startAttempts - 1,
      while: error => error.message.includes("Address already in use")
    })
  )
})
