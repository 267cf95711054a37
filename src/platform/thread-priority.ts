/** Sets how the threads of this process share the machine's cores. */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs"
import { constants, getPriority, setPriority } from "node:os"
import { basename } from "node:path"
import { Effect, Schedule, type Scope } from "effect"

/**
 * What threads get, as `nice -n`, by the names that the system knows them by. On a contended core
 * what reads the chain and folds it, which live frames wait for, has a third of the share of a
 * thread that answers readers, and all others a tenth: DuckDB's, the compiler's, the collector's.
 */
const STEPS: ReadonlyMap<string, number> = new Map([
  ["serves", 0],
  ["follows", 5]
])
const BACKGROUND = 10
/** A process may have been started niced itself. */
const LOWEST = constants.priority.PRIORITY_LOW
/** Time between two searches for new threads. */
const EVERY = "2 seconds"

const THREADS = "/proc/self/task"

/** Names the calling thread, with its number, as threads that it starts have its name too. */
const named = (name: string): Effect.Effect<void> =>
  process.platform === "linux"
    ? Effect.ignore(
        Effect.try(() => {
          const thread = basename(readlinkSync("/proc/thread-self"))
          // the system keeps 15 letters
          writeFileSync("/proc/thread-self/comm", `${name} ${thread}`)
        })
      )
    : Effect.void

/** Keeps the calling thread's priority when the others' is lowered. Only Linux names threads. */
export const servesHere: Effect.Effect<void> = named("serves")

/** Has the calling thread lowered by less than others: what it does readers are told of. */
export const followsHere: Effect.Effect<void> = named("follows")

/** A thread may end before it is reached, or the system may forbid the change. */
const lower = (thread: number, priority: number): void => {
  try {
    setPriority(thread, priority)
  } catch {
    // the next search finds those that live
  }
}

/** By how much a thread is lowered; null where it has ended. */
const stepOf = (thread: string): number | null => {
  try {
    const told = readFileSync(`${THREADS}/${thread}/comm`, "utf8").trim()
    const [name = "", number] = told.split(" ")
    return (number === thread ? STEPS.get(name) : undefined) ?? BACKGROUND
  } catch {
    return null
  }
}

/** Lowers the threads that an earlier search has seen: a new one has had time for its name. */
const lowerOthers = (seen: Set<string>, own: number) =>
  Effect.try(() => {
    const names = readdirSync(THREADS)
    for (const name of names) {
      const thread = Number(name)
      // the main thread's id is the process's id
      if (!seen.has(name) || thread === process.pid) continue
      const step = stepOf(name)
      if (step !== null && step > 0) lower(thread, Math.min(own + step, LOWEST))
    }
    seen.clear()
    for (const name of names) seen.add(name)
  })

/**
 * Lowers, until the scope ends, the priority of every thread but the main one and those that serve
 * too (`servesHere`); least of those that follow the chain (`followsHere`). Answers then wait less
 * for a core while lanes fold at full speed, and frames less while tables are written. Only Linux
 * has priorities per thread; elsewhere nothing changes.
 */
export const serveFirst: Effect.Effect<void, never, Scope.Scope> =
  process.platform === "linux"
    ? Effect.sync(() => getPriority(process.pid)).pipe(
        Effect.flatMap(own =>
          lowerOthers(new Set(), own).pipe(
            Effect.ignore,
            Effect.repeat(Schedule.spaced(EVERY)),
            Effect.forkScoped
          )
        ),
        Effect.asVoid
      )
    : Effect.void
