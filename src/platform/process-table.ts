/** What the operating system says about other processes. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { Effect } from "effect"

const readOrNull = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}

/**
 * Whether a process exists and still runs. One that has ended, but whose parent never asked how
 * (a zombie, as containers without an init keep), does not run.
 */
export const isRunning = (pid: number): boolean => {
  if (process.platform === "linux") {
    const stat = readOrNull(`/proc/${pid}/stat`)
    // "pid (name) state ...", where the name may hold spaces and parentheses.
    return stat !== null && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2))
  }
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A process that runs, and what it was started with: the program first. */
export interface ProcessEntry {
  readonly pid: number
  readonly args: ReadonlyArray<string>
}

const argumentsOf = (pid: number): ReadonlyArray<string> =>
  readOrNull(`/proc/${pid}/cmdline`)?.split("\0").slice(0, -1) ?? []

/**
 * Every process that runs. Outside Linux the arguments come from `ps`, which does not tell a space
 * inside an argument from the space between two.
 */
const processes = (): ReadonlyArray<ProcessEntry> => {
  if (process.platform === "linux") {
    const pids = readdirSync("/proc").filter(name => /^\d+$/.test(name))
    return pids.map(name => ({ pid: Number(name), args: argumentsOf(Number(name)) }))
  }
  try {
    const text = execFileSync("ps", ["-axww", "-o", "pid=,args="], { encoding: "utf8" })
    return text.split("\n").flatMap(line => {
      const [pid = "", ...args] = line.trim().split(" ")
      return pid === "" ? [] : [{ pid: Number(pid), args }]
    })
  } catch {
    return []
  }
}

/** The processes that run, of those that were started with such arguments. */
export const processesWhere = (
  matches: (args: ReadonlyArray<string>) => boolean
): ReadonlyArray<ProcessEntry> =>
  processes().filter(({ pid, args }) => matches(args) && isRunning(pid))

/**
 * The processes that were told this, side by side and in this order. A command line is there from
 * a process' first moment to its last, unlike a file with its pid, which an engine that is killed
 * may leave before it is written, or long after.
 */
export const processesWith = (...told: ReadonlyArray<string>): ReadonlyArray<ProcessEntry> =>
  processesWhere(args => args.some((_, at) => told.every((word, n) => args[at + n] === word)))

const signal = (pid: number, name: NodeJS.Signals) =>
  Effect.sync(() => {
    try {
      process.kill(pid, name)
    } catch {
      // It ended in the meantime, which is what the signal is for.
    }
  })

const gone = (pid: number): Effect.Effect<void> =>
  Effect.suspend(() =>
    isRunning(pid) ? Effect.sleep("10 millis").pipe(Effect.andThen(gone(pid))) : Effect.void
  )

/**
 * Ends a process that is not our child: SIGTERM, SIGKILL if it is still there after `graceMs`,
 * and done when it is gone.
 */
export const terminate = (pid: number, graceMs: number): Effect.Effect<void> =>
  signal(pid, "SIGTERM").pipe(
    Effect.andThen(gone(pid)),
    Effect.timeoutOrElse({
      duration: graceMs,
      orElse: () => signal(pid, "SIGKILL").pipe(Effect.andThen(gone(pid)))
    })
  )
