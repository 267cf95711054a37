import { Cause, Effect } from "effect"
import { expect, it, vi } from "vitest"
import { loggerLayer } from "./logging.ts"

/** What is written of a line with a cause. */
const written = async (json: boolean): Promise<string> => {
  const spy = vi.spyOn(process.stderr, "write").mockReturnValue(true)
  try {
    const line = Effect.logError("request failed", "POST", Cause.die(new Error("no such leg")))
    await Effect.runPromise(Effect.provide(line, loggerLayer(json)))
    return spy.mock.calls.map(([text]) => String(text)).join("")
  } finally {
    spy.mockRestore()
  }
}

it("tells the cause that a line is logged with", async () => {
  const [first = "", second = ""] = (await written(false)).split("\n")
  expect(first.slice(9)).toBe("ERROR request failed POST: Error: no such leg")
  expect(second.trim()).toMatch(/^at .*logging\.test\.ts/)
  const { level, message } = JSON.parse(await written(true))
  expect([level, message.split("\n")[0]]).toEqual([
    ...["Error", "request failed POST: Error: no such leg"]
  ])
})

it("writes a line without one as it is", async () => {
  const spy = vi.spyOn(process.stderr, "write").mockReturnValue(true)
  await Effect.runPromise(Effect.provide(Effect.logInfo("ready"), loggerLayer(false)))
  const [[text] = [""]] = spy.mock.calls
  spy.mockRestore()
  expect(String(text).slice(9)).toBe("ready\n")
})
