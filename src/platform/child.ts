/** Runs a child process that ends with its scope and, where the system can, with this process. */
import {
  type ChildProcess,
  type SpawnOptionsWithStdioTuple,
  type StdioNull,
  type StdioPipe,
  spawn,
  spawnSync
} from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { createInterface } from "node:readline"
import { Data, Deferred, Effect, type Scope } from "effect"

/** The program could not be started. */
class ChildStartError extends Data.TaggedError("ChildStartError")<{
  readonly message: string
}> {}

/** How a child ended: exactly one of the two is not null. */
export interface ChildExit {
  readonly code: number | null
  readonly signal: string | null
}

export interface Child {
  readonly pid: number
  /** Waits until the child has ended, for whatever reason. */
  readonly exited: Effect.Effect<ChildExit>
}

export interface ChildOptions {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Variables added to this process's own environment. */
  readonly env?: { readonly [name: string]: string }
  /** Called with every line that the child writes to its standard error. */
  readonly onErrorLine: (line: string) => void
  /** Milliseconds from SIGTERM to SIGKILL when the scope closes. */
  readonly graceMs: number
}

/** Returns how a child ended, in words. */
export const describeExit = ({ code, signal }: ChildExit): string =>
  signal === null ? `exit code ${code}` : `signal ${signal}`

let deathCanBeBound: boolean | undefined

/** Returns true where util-linux's setpriv is installed; BusyBox's setpriv lacks the option. */
const canBindDeath = (): boolean => {
  deathCanBeBound ??=
    process.platform === "linux" &&
    spawnSync("setpriv", ["--pdeathsig", "TERM", "true"], { stdio: "ignore" }).status === 0
  return deathCanBeBound
}

const canRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns true where the program exists. Without this check setpriv would start, then fail. */
const isProgram = (command: string): boolean =>
  command.includes("/")
    ? canRun(command)
    : (process.env["PATH"] ?? "").split(delimiter).some(folder => canRun(join(folder, command)))

/**
 * Spawns the program. On Linux, setpriv makes the kernel send the child SIGTERM where this process
 * dies without stopping it (`kill -9`, out of memory), then becomes the program with the same pid.
 */
const spawnBound = ({ command, args, env }: ChildOptions) => {
  const bound = ["--pdeathsig", "TERM", "--", command, ...args]
  // A process group of its own keeps a terminal's Ctrl-C from the child, so that the scope alone
  // decides when the child stops.
  const options: SpawnOptionsWithStdioTuple<StdioNull, StdioNull, StdioPipe> = {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"]
  }
  return canBindDeath() ? spawn("setpriv", bound, options) : spawn(command, args, options)
}

interface Running {
  readonly process: ChildProcess
  readonly exit: Deferred.Deferred<ChildExit>
}

const start = (options: ChildOptions): Effect.Effect<Running, ChildStartError> =>
  Effect.callback(resume => {
    if (!isProgram(options.command)) {
      const message = `cannot start ${options.command}: there is no such program`
      return resume(new ChildStartError({ message }))
    }
    const exit = Deferred.makeUnsafe<ChildExit>()
    const child = spawnBound(options)
    const killWithUs = () => child.kill("SIGTERM")
    process.once("exit", killWithUs)
    createInterface({ input: child.stderr }).on("line", options.onErrorLine)
    child.once("spawn", () => resume(Effect.succeed({ process: child, exit })))
    child.once("error", cause => {
      process.off("exit", killWithUs)
      resume(new ChildStartError({ message: `cannot start ${options.command}: ${cause.message}` }))
    })
    // Unlike `exit`, `close` fires after the last line of standard error has been read.
    child.once("close", (code, signal) => {
      process.off("exit", killWithUs)
      Deferred.doneUnsafe(exit, Effect.succeed({ code, signal }))
    })
  })

const stop = ({ process: child, exit }: Running, graceMs: number): Effect.Effect<void> =>
  Effect.sync(() => child.kill("SIGTERM")).pipe(
    Effect.andThen(Deferred.await(exit)),
    Effect.timeoutOrElse({
      duration: graceMs,
      orElse: () =>
        Effect.sync(() => child.kill("SIGKILL")).pipe(Effect.andThen(Deferred.await(exit)))
    }),
    Effect.asVoid
  )

/**
 * Starts a program. The scope's end stops the program and waits until it is gone. On Linux with
 * setpriv, the program also ends when this process is killed.
 */
export const startChild = (
  options: ChildOptions
): Effect.Effect<Child, ChildStartError, Scope.Scope> =>
  Effect.acquireRelease(start(options), running => stop(running, options.graceMs)).pipe(
    Effect.map(({ process: child, exit }) => ({
      pid: child.pid as number,
      exited: Deferred.await(exit)
    }))
  )
