/** A worker that has something open when it throws where nobody catches. */
import { Effect } from "effect"
import { runWorker } from "../../src/bin/worker-main.ts"
import { parent } from "../../src/platform/worker.ts"

const port = parent<{ readonly type: "stop" | "throw" }, string>()

const program = Effect.acquireRelease(
  Effect.sync(() => port.post("opened")),
  () => Effect.andThen(Effect.sleep(50), () => Effect.sync(() => port.post("closed")))
).pipe(Effect.andThen(Effect.never))

runWorker(port, false, program)
port.onMessage(({ type }) => {
  if (type === "stop") return
  setTimeout(() => {
    throw new Error("nor this, while it is closing")
  }, 10)
  throw new Error("nobody catches this")
})
