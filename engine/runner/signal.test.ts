import { Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { Signal } from "./signal.ts"

it("lets go on whoever waits for what has become true, and nobody else", () =>
  Effect.gen(function* () {
    const signal = new Signal()
    let at = 0
    const reached: Array<number> = []
    const waiting = (wanted: number) =>
      Effect.andThen(
        signal.until(() => at >= wanted),
        Effect.sync(() => reached.push(wanted))
      )
    yield* waiting(0)
    const fibers = yield* Effect.forEach([3, 1, 2], wanted => Effect.forkChild(waiting(wanted)))
    yield* Effect.yieldNow
    expect(reached).toEqual([0])
    at = 2
    signal.ring()
    for (const fiber of fibers.slice(1)) yield* Fiber.join(fiber)
    expect(reached).toEqual([0, 1, 2])
    at = 3
    signal.ring()
    for (const fiber of fibers) yield* Fiber.join(fiber)
    expect(reached).toEqual([0, 1, 2, 3])
  }).pipe(Effect.runPromise))
