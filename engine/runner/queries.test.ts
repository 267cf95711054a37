import { Deferred, Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import { opening, openSmallLane, sale, sealed, TOKEN } from "../../test/support/small-lane.ts"

const TIME = 1_700_000_000

const BOARD = { sort: "volume", limit: 10, offset: 0, includeUnlisted: true }

it("tells of a block before it is committed, and lets who was told go on from there", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const before = yield* lane.commit([...opening(TIME), sealed(TIME)])
    const after = before + 2
    const found = yield* Deferred.make<ReadonlyArray<unknown>, DuckDbError>()
    const asking = Effect.all(
      [
        lane.ask("tokenBoard", { ...BOARD, rules: null, asOf: null }),
        lane.ask("tokenStats", { token: TOKEN }),
        lane.history({ channel: "trades", key: TOKEN, fromSeq: before, limit: 10 }),
        lane.history({ channel: "trades", key: TOKEN, fromSeq: after, limit: 10 }),
        lane.history({ channel: "trades", key: TOKEN, fromSeq: after + 1, limit: 10 })
      ],
      { concurrency: "unbounded" }
    )
    const at = TIME + 1
    const committed = yield* lane.commit([sale(at, 1, 2_000_000), sealed(at)], () => {
      Effect.runFork(Deferred.into(asking, found))
    })
    const answers = yield* Deferred.await(found)
    expect(committed).toBe(after)
    expect(answers).toMatchObject([
      { asOf: after },
      { totalTxns: 1 },
      { seq: before, frames: [] },
      { seq: after, frames: [] },
      { seq: before, frames: [] }
    ])
  }).pipe(Effect.scoped, Effect.runPromise))

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
