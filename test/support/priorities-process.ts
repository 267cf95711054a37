/**
 * A process with two workers, of which one serves. It lowers the others' priority, and prints by how
 * much those of the three are lower than its own was, once that of the one that does not serve is;
 * null where it has been started niced.
 */
import { getPriority } from "node:os"
import { Effect, Schedule } from "effect"
import { serveFirst } from "../../src/platform/thread-priority.ts"
import { spawnWorker } from "../../src/platform/worker.ts"

const entry = new URL("./priorities-worker.ts", import.meta.url)

const startWorker = (serves: boolean) =>
  Effect.flatMap(spawnWorker<"stop", number>(entry, serves, "stop"), worker =>
    Effect.callback<number>(resume => worker.onMessage(thread => resume(Effect.succeed(thread))))
  )

await Effect.gen(function* () {
  const serving = yield* startWorker(true)
  const other = yield* startWorker(false)
  const own = getPriority()
  if (own > 0) return console.log("null")
  const lowered = (thread: number) => getPriority(thread) - own
  yield* serveFirst
  yield* Effect.sync(() => lowered(other)).pipe(
    Effect.repeat({ until: by => by > 0, schedule: Schedule.spaced("20 millis") })
  )
  const [main, ...threads] = [process.pid, serving, other].map(lowered)
  return console.log(JSON.stringify({ main, threads }))
}).pipe(Effect.scoped, Effect.runPromise)
