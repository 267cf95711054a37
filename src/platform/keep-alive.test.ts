import { Effect } from "effect"
import { expect, it } from "vitest"
import { keepAlive, RestartPauses } from "./keep-alive.ts"

const PAUSES = { firstMs: 200, longestMs: 1_000, wellAfterMs: 60_000 }

it("pauses double with each early death, and begin anew after a long life", () => {
  const pauses = new RestartPauses(PAUSES)
  expect([5, 5, 5, 5, 5].map(lived => pauses.next(lived))).toEqual([200, 400, 800, 1_000, 1_000])
  expect([60_000, 5, 60_000].map(lived => pauses.next(lived))).toEqual([200, 400, 200])
})

it("starts again what fails or throws, and tells why in plain words", async () => {
  const words: Array<string> = []
  let starts = 0
  const ends = [Effect.fail(new Error("one")), Effect.die(new Error("two"))]
  const run = Effect.suspend((): Effect.Effect<never, Error> => ends[starts++] ?? Effect.never)
  const whole = Effect.gen(function* () {
    yield* keepAlive(run, { ...PAUSES, firstMs: 1 }, said => words.push(said))
    while (starts < 3) yield* Effect.sleep(1)
  })
  await Effect.runPromise(Effect.scoped(whole))
  expect([starts, words]).toEqual([3, ["one", "two"]])
})
