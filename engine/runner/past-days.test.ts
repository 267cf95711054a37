/** Pages that read the past while the newest block takes the rows of a day away. */
import { Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { allPages } from "../../api/queries.ts"
import { allProjections } from "../../projections/all.ts"
import { NEWEST } from "../../projections/tape/cursor.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { opening, sale, sealed, TOKEN } from "../../test/support/small-lane.ts"
import { openStore } from "../store/store.ts"
import { newFoldSet } from "./fold-set.ts"
import { applySegment, commitPending, loadCore } from "./lane-core.ts"
import { openQueries } from "./queries.ts"

const DAY = 86_400
const START = 19_700 * DAY
const ASKED = { name: "chainTrades", params: { token: TOKEN, limit: 50, ...NEWEST } }

interface Tape {
  readonly trades: ReadonlyArray<{ readonly block: number }>
}

/** A lane that keeps the trades of two days before the newest, and one of them in memory. */
const openLane = Effect.gen(function* () {
  const folds = newFoldSet(testChain, allProjections, () => 1)
  const retention = { raw: 2, minutes: null }
  const store = yield* openStore(":memory:", folds.tables, { threads: 1, retention })
  const log = new MemoryLog()
  const core = yield* loadCore(store, folds, log.read)
  const queries = yield* openQueries(store, testChain, folds, core, allPages)
  return {
    commit: commitPending(core),
    fold: (at: number) => applySegment(core, log.append([sale(at, 1, 2_000_000), sealed(at)])),
    begin: applySegment(core, log.append([...opening(START), sealed(START)])),
    /** the position of a page, and the blocks of its trades */
    ask: Effect.map(queries.answer(ASKED), answer => {
      if (!answer.ok) throw new Error(answer.refusal.message)
      const { trades } = JSON.parse(new TextDecoder().decode(answer.body)) as Tape
      return { seq: answer.seq, blocks: trades.map(({ block }) => block) }
    })
  }
})

const days = (...list: ReadonlyArray<number>) => list.map(day => START + day * DAY)

it("tells the days that are kept as of its position, before the commit and after it", () =>
  Effect.gen(function* () {
    const lane = yield* openLane
    yield* lane.begin
    for (const at of days(0, 1, 2)) yield* lane.fold(at)
    yield* lane.commit
    const before = yield* lane.ask
    expect(before.blocks).toEqual(days(2, 1, 0))
    yield* lane.fold(START + 3 * DAY)
    const asked = yield* Effect.forkChild(lane.ask)
    // the question has looked by then
    yield* Effect.yieldNow
    yield* lane.commit
    const told = yield* Fiber.join(asked)
    expect(told).toEqual({ seq: before.seq + 2, blocks: days(3, 2, 1) })
    expect(yield* lane.ask).toEqual(told)
  }).pipe(Effect.scoped, Effect.runPromise))

it("answers alike at a position while the next block's commit takes a day away", () =>
  Effect.gen(function* () {
    const lane = yield* openLane
    yield* lane.begin
    for (const at of days(0, 1, 2)) yield* lane.fold(at)
    yield* lane.commit
    const { seq } = yield* lane.ask
    const questions = Array.from({ length: 20 }, () => lane.ask)
    const asked = yield* Effect.forkChild(Effect.all(questions, { concurrency: "unbounded" }))
    yield* Effect.yieldNow
    yield* lane.fold(START + 3 * DAY)
    yield* lane.commit
    for (const told of yield* Fiber.join(asked)) {
      const blocks = told.seq === seq ? days(2, 1, 0) : days(3, 2, 1)
      expect(told).toEqual({ seq: told.seq, blocks })
    }
  }).pipe(Effect.scoped, Effect.runPromise))
