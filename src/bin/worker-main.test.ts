import { Effect } from "effect"
import { expect, it } from "vitest"
import { spawnWorker } from "../platform/worker.ts"

const entry = new URL("../../test/support/throwing-worker.ts", import.meta.url)

const run = (type: "stop" | "throw") =>
  Effect.gen(function* () {
    const said: Array<string> = []
    const worker = yield* spawnWorker<{ readonly type: "stop" | "throw" }, string>(entry, null, {
      type: "stop"
    })
    worker.onMessage(message => {
      said.push(message)
      if (message === "opened") worker.post({ type })
    })
    const { message } = yield* Effect.flip(worker.ended)
    return { said, message: message.split("\n")[0] }
  }).pipe(Effect.scoped, Effect.runPromise)

it("closes what is open when it is told to stop, and before it ends of what nobody caught", async () => {
  expect(await run("stop")).toEqual({
    said: ["opened", "closed"],
    message: "worker ended with code 0"
  })
  expect(await run("throw")).toEqual({
    said: ["opened", "closed"],
    message: "nobody catches this"
  })
})
