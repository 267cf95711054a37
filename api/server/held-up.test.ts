/** A thread that serves nobody for a while says so. */
import { Effect, Fiber, Logger } from "effect"
import { expect, it } from "vitest"
import { newCounters } from "../counters.ts"
import { watchHeldUp } from "./held-up.ts"

/** Nothing else runs on this thread until so many milliseconds are over. */
const holdUp = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it("counts by how much it was held up, and tells of a second and more", async () => {
  const counters = newCounters()
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => lines.push(String(message)))
  const fiber = Effect.runFork(watchHeldUp(counters).pipe(Effect.provide(Logger.layer([logger]))))
  holdUp(1_300)
  await expect.poll(() => lines.length).toBeGreaterThan(0)
  const [, seconds] = /^the serving thread was held up for (\d+\.\d) s: requests and live/.exec(
    lines[0] ?? ""
  ) as RegExpExecArray
  // a busy machine holds it up longer, and again
  expect(Number(seconds)).toBeGreaterThan(1.1)
  expect(counters.heldUpSeconds).toBeGreaterThan(1.1)
  expect(counters.longestHeldUpSeconds).toBeGreaterThan(1.1)
  await Effect.runPromise(Fiber.interrupt(fiber))
})
