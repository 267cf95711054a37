/**
 * A process with two workers, of which one serves. It lowers the others' priority, and prints the
 * priorities of the three once the one that does not serve has a lower one.
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
  yield* serveFirst
  yield* Effect.sync(() => getPriority(other)).pipe(
    Effect.repeat({ until: priority => priority > 0, schedule: Schedule.spaced("20 millis") })
  )
  const priorities = [process.pid, serving, other].map(thread => getPriority(thread))
  console.log(JSON.stringify(priorities))
}).pipe(Effect.scoped, Effect.runPromise)
