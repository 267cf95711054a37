/** What the operating system says about other processes. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
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

/**
 * The arguments a process was started with, program first; null when there is no such process.
 * Outside Linux they come from `ps`, which does not tell a space inside an argument from the space
 * between two.
 */
export const commandLine = (pid: number): ReadonlyArray<string> | null => {
  if (process.platform === "linux")
    return readOrNull(`/proc/${pid}/cmdline`)?.split("\0").slice(0, -1) ?? null
  try {
    const text = execFileSync("ps", ["-ww", "-o", "args=", "-p", String(pid)], { encoding: "utf8" })
    return text.trim().split(" ")
  } catch {
    return null
  }
}

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
