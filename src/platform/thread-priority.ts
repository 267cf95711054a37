/** Sets how the threads of this process share the machine's cores. */
import { readdirSync } from "node:fs"
import { setPriority } from "node:os"
import { Effect, Schedule, type Scope } from "effect"

/** As `nice -n 10`: on a contended core about a tenth of the serving thread's share, else all. */
const BACKGROUND = 10
/** Time between two searches for new threads. */
const EVERY = "2 seconds"

const THREADS = "/proc/self/task"

/** A thread may end before it is reached, or the system may forbid the change. */
const lower = (thread: number): void => {
  try {
    setPriority(thread, BACKGROUND)
  } catch {
    // the next search finds those that live
  }
}

const lowerOthers = Effect.try(() => {
  for (const name of readdirSync(THREADS)) {
    const thread = Number(name)
    // The main thread's id is the process's id.
    if (thread !== process.pid) lower(thread)
  }
})

/**
 * Lowers, until the scope ends, the priority of every thread but the main one: workers, DuckDB's
 * threads and the garbage collector's. Answers then wait less for a core while lanes fold at full
 * speed. Only Linux has priorities per thread; elsewhere nothing changes.
 */
export const serveFirst: Effect.Effect<void, never, Scope.Scope> =
  process.platform === "linux"
    ? lowerOthers.pipe(
        Effect.ignore,
        Effect.repeat(Schedule.spaced(EVERY)),
        Effect.forkScoped,
        Effect.asVoid
      )
    : Effect.void
