/**
 * A process with three workers, of which one serves and one follows. It lowers the others' priority,
 * and prints by how much those of the four are lower than its own was, once that of the one that does
 * neither is; null where it has been started niced.
 */
import { getPriority } from "node:os"
import { Effect, Schedule } from "effect"
import { serveFirst } from "../../src/platform/thread-priority.ts"
import { spawnWorker } from "../../src/platform/worker.ts"
import type { Place } from "./priorities-worker.ts"

const entry = new URL("./priorities-worker.ts", import.meta.url)

const startWorker = (place: Place) =>
  Effect.flatMap(spawnWorker<"stop", number>(entry, place, "stop"), worker =>
    Effect.callback<number>(resume => worker.onMessage(thread => resume(Effect.succeed(thread))))
  )

await Effect.gen(function* () {
  const serving = yield* startWorker("serves")
  const following = yield* startWorker("follows")
  const other = yield* startWorker("other")
  const own = getPriority()
  if (own > 0) return console.log("null")
  const lowered = (thread: number) => getPriority(thread) - own
  yield* serveFirst
  yield* Effect.sync(() => lowered(other)).pipe(
    Effect.repeat({ until: by => by > 0, schedule: Schedule.spaced("20 millis") })
  )
  const [main, ...threads] = [process.pid, serving, following, other].map(lowered)
  return console.log(JSON.stringify({ main, threads }))
}).pipe(Effect.scoped, Effect.runPromise)
