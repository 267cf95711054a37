/** A child process whose life is bound to a scope, and as far as possible to this process. */
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

/** The program could not be started at all. */
class ChildStartError extends Data.TaggedError("ChildStartError")<{
  readonly message: string
}> {}

/** How a child ended; one of the two is set. */
export interface ChildExit {
  readonly code: number | null
  readonly signal: string | null
}

export interface Child {
  readonly pid: number
  /** Waits for the end of the child, however it comes. */
  readonly exited: Effect.Effect<ChildExit>
}

export interface ChildOptions {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Set besides what this process has. */
  readonly env?: { readonly [name: string]: string }
  /** Called with every line the child writes to its standard error. */
  readonly onErrorLine: (line: string) => void
  /** From SIGTERM to SIGKILL when the scope closes, in milliseconds. */
  readonly graceMs: number
}

/** How a child ended, in words. */
export const describeExit = ({ code, signal }: ChildExit): string =>
  signal === null ? `exit code ${code}` : `signal ${signal}`

let deathCanBeBound: boolean | undefined

/** Whether util-linux's setpriv is here; the BusyBox tool of that name lacks the option. */
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

/** Whether there is such a program: without one setpriv would start, and fail on its own. */
const isProgram = (command: string): boolean =>
  command.includes("/")
    ? canRun(command)
    : (process.env["PATH"] ?? "").split(delimiter).some(folder => canRun(join(folder, command)))

/**
 * On Linux the kernel sends the child SIGTERM when we die without stopping it (`kill -9`, out of
 * memory): setpriv asks for that, then becomes the program under the same pid.
 */
const spawnBound = ({ command, args, env }: ChildOptions) => {
  const bound = ["--pdeathsig", "TERM", "--", command, ...args]
  // Its own process group: a Ctrl-C in the terminal reaches only us, and the scope decides when
  // the child stops.
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
    // Unlike `exit`, `close` comes when the last line has been read.
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
 * Starts a program for the length of the scope, whose end stops it and waits until it is gone.
 * Where the kernel can do it, the program also ends when this process is killed.
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
