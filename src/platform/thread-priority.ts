/** How the threads of this process share the machine. */
import { readdirSync } from "node:fs"
import { setPriority } from "node:os"
import { Effect, Schedule, type Scope } from "effect"

/** As `nice -n 10`: about a tenth of what the serving thread asks for, and all that it leaves. */
const BACKGROUND = 10
/** How soon a new thread is noticed. */
const EVERY = "2 seconds"

const THREADS = "/proc/self/task"

const lowerOthers = Effect.try(() => {
  for (const name of readdirSync(THREADS)) {
    const thread = Number(name)
    // the main thread has the number of the process
    if (thread !== process.pid) setPriority(thread, BACKGROUND)
  }
})

/**
 * Lets the main thread go first, for as long as the scope is open: workers, the database's threads
 * and the collector's take what it leaves. Answers then wait for a core for less than folding at
 * full speed would make them wait. Linux alone gives threads priorities of their own; elsewhere,
 * and where a thread ends meanwhile or it is not permitted, nothing changes.
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
