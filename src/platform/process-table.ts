/** Reads the operating system's process table, and ends processes that are not our children. */
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
 * Returns true where a process exists and runs. A zombie does not count on Linux: it has ended, but
 * its parent never collected its exit code, as happens in containers without an init.
 */
export const isRunning = (pid: number): boolean => {
  if (process.platform === "linux") {
    const stat = readOrNull(`/proc/${pid}/stat`)
    // "pid (name) state ...": the name may hold spaces and parentheses.
    return stat !== null && !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2))
  }
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A running process and its command line, the program first. */
export interface ProcessEntry {
  readonly pid: number
  readonly args: ReadonlyArray<string>
}

const argumentsOf = (pid: number): ReadonlyArray<string> =>
  readOrNull(`/proc/${pid}/cmdline`)?.split("\0").slice(0, -1) ?? []

/**
 * Returns every process. Outside Linux the arguments come from `ps`, where a space inside an
 * argument looks like the space between two arguments.
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

/** Returns the running processes whose arguments `matches` accepts. */
export const processesWhere = (
  matches: (args: ReadonlyArray<string>) => boolean
): ReadonlyArray<ProcessEntry> =>
  processes().filter(({ pid, args }) => matches(args) && isRunning(pid))

/**
 * Returns the running processes whose arguments contain `told`, side by side and in this order. A
 * command line exists as long as its process. A pid file does not: a killed engine may not have
 * written one yet, or leaves it behind for long.
 */
export const processesWith = (...told: ReadonlyArray<string>): ReadonlyArray<ProcessEntry> =>
  processesWhere(args => args.some((_, at) => told.every((word, n) => args[at + n] === word)))

const signal = (pid: number, name: NodeJS.Signals) =>
  Effect.sync(() => {
    try {
      process.kill(pid, name)
    } catch {
      // The process has ended meanwhile, which the signal was for.
    }
  })

const gone = (pid: number): Effect.Effect<void> =>
  Effect.suspend(() =>
    isRunning(pid) ? Effect.sleep("10 millis").pipe(Effect.andThen(gone(pid))) : Effect.void
  )

/**
 * Ends a process that is not our child and waits until it is gone: SIGTERM first, then SIGKILL
 * where the process still runs after `graceMs`.
 */
export const terminate = (pid: number, graceMs: number): Effect.Effect<void> =>
  signal(pid, "SIGTERM").pipe(
    Effect.andThen(gone(pid)),
    Effect.timeoutOrElse({
      duration: graceMs,
      orElse: () => signal(pid, "SIGKILL").pipe(Effect.andThen(gone(pid)))
    })
  )
