/** Sets how the threads of this process share the machine's cores. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { constants, getPriority, setPriority } from "node:os"
import { Effect, Schedule, type Scope } from "effect"

/** As `nice -n 10`: on a contended core about a tenth of the serving thread's share, else all. */
const BACKGROUND = 10
/** What other threads get in a process that may have been started niced itself. */
const background = (): number =>
  Math.min(getPriority(process.pid) + BACKGROUND, constants.priority.PRIORITY_LOW)
/** Time between two searches for new threads. */
const EVERY = "2 seconds"

const THREADS = "/proc/self/task"

/** The name, as the system knows it, of a thread that answers readers. */
const SERVING = "serving"

/** Keeps the calling thread's priority when the others' is lowered. Only Linux names threads. */
export const servesHere: Effect.Effect<void> =
  process.platform === "linux"
    ? Effect.ignore(Effect.try(() => writeFileSync("/proc/thread-self/comm", SERVING)))
    : Effect.void

/** A thread may end before it is reached, or the system may forbid the change. */
const lower = (thread: number, priority: number): void => {
  try {
    setPriority(thread, priority)
  } catch {
    // the next search finds those that live
  }
}

const serves = (name: string): boolean => {
  try {
    return readFileSync(`${THREADS}/${name}/comm`, "utf8").trim() === SERVING
  } catch {
    return false // it has ended
  }
}

/** Lowers the threads that an earlier search has seen: a new one has had time for its name. */
const lowerOthers = (seen: Set<string>, priority: number) =>
  Effect.try(() => {
    const names = readdirSync(THREADS)
    for (const name of names) {
      const thread = Number(name)
      // The main thread's id is the process's id.
      if (seen.has(name) && thread !== process.pid && !serves(name)) lower(thread, priority)
    }
    seen.clear()
    for (const name of names) seen.add(name)
  })

/**
 * Lowers, until the scope ends, the priority of every thread but the main one and those that serve
 * too (`servesHere`): workers, DuckDB's threads and the garbage collector's. Answers then wait less
 * for a core while lanes fold at full speed. Only Linux has priorities per thread; elsewhere
 * nothing changes.
 */
export const serveFirst: Effect.Effect<void, never, Scope.Scope> =
  process.platform === "linux"
    ? Effect.sync(background).pipe(
        Effect.flatMap(priority =>
          lowerOthers(new Set(), priority).pipe(
            Effect.ignore,
            Effect.repeat(Schedule.spaced(EVERY)),
            Effect.forkScoped
          )
        ),
        Effect.asVoid
      )
    : Effect.void
