import { Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { opening, openSmallLane, sale, sealed, TOKEN } from "../../test/support/small-lane.ts"

const TIME = 1_700_000_000

it("makes a commit's frames while readers keep all their connections busy", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const seq = yield* lane.commit([...opening(TIME), sale(TIME, 1, 2_000_000), sealed(TIME)])
    let done = 0
    const slow = lane
      .rows("SELECT sum(hash(a.range + b.range)) FROM range(10000) a, range(8000) b")
      .pipe(Effect.tap(() => Effect.sync(() => done++)))
    const readers = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(slow))
    yield* Effect.sleep(20)
    const frames = yield* lane.frames(0, new Map([["trades", new Set([TOKEN])]]))
    expect([frames.length, frames[0]?.seq, done]).toEqual([1, seq - 1, 0])
    yield* Effect.forEach(readers, Fiber.interrupt)
  }).pipe(Effect.scoped, Effect.runPromise))
