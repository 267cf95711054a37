/** Pages that read the past while the newest block takes the rows of a day away. */
import { Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { NEWEST } from "../../projections/tape/cursor.ts"
import {
  opening,
  openSmallLaneThatKeeps,
  sale,
  sealed,
  TOKEN
} from "../../test/support/small-lane.ts"

const DAY = 86_400
const START = 19_700 * DAY
const NO_TRADES = "0".repeat(16)

const days = (...list: ReadonlyArray<number>) => list.map(day => START + day * DAY)

/**
 * A lane that keeps the trades of two days before the newest, and one of them in memory. It has
 * committed one of each of three days.
 */
const openLane = Effect.gen(function* () {
  const lane = yield* openSmallLaneThatKeeps({ raw: 2, minutes: null }, () => 1)
  const trade = (at: number) => lane.fold([sale(at, 1, 2_000_000), sealed(at)])
  yield* lane.fold([...opening(START), sealed(START)])
  yield* Effect.forEach(days(0, 1, 2), trade)
  yield* lane.commitFolded
  /** the position of a page, and the blocks of its trades */
  const page = Effect.map(
    lane.answer("chainTrades", { token: TOKEN, limit: 50, ...NEWEST }),
    ({ seq, value }) => ({
      seq,
      blocks: (value.trades as ReadonlyArray<{ block: number }>).map(({ block }) => block)
    })
  )
  /** what a proof tells of all trades of a second */
  const proof = (t: number) =>
    Effect.map(
      lane.answer("candleProof", {
        ...{ token: TOKEN, pool: null, quote: "usd", tf: "1s", t, limit: 9 },
        ...{ afterBlock: null, afterLogIndex: null }
      }),
      ({ value: { trades, hash } }) => ({ trades, hash })
    )
  const before = yield* page
  expect(before.blocks).toEqual(days(2, 1, 0))
  return { before, page, proof, commit: lane.commitFolded, foldNext: trade(START + 3 * DAY) }
})

it("tells the days that are kept as of its position, before the commit and after it", () =>
  Effect.gen(function* () {
    const { before, page, commit, foldNext } = yield* openLane
    yield* foldNext
    const asked = yield* Effect.forkChild(page)
    // the question has looked by then
    yield* Effect.yieldNow
    yield* commit
    const told = yield* Fiber.join(asked)
    expect(told).toEqual({ seq: before.seq + 2, blocks: days(3, 2, 1) })
    expect(yield* page).toEqual(told)
  }).pipe(Effect.scoped, Effect.runPromise))

it("proves a bucket whose trades have left by no hash, and one without trades by that of none", () =>
  Effect.gen(function* () {
    const { foldNext, commit, proof } = yield* openLane
    const first = yield* proof(START)
    expect(first).toMatchObject({ trades: 1, hash: expect.stringMatching(/^[0-9a-f]{16}$/) })
    expect(first.hash).not.toBe(NO_TRADES)
    yield* foldNext
    yield* commit
    expect(yield* proof(START)).toEqual({ trades: 0, hash: null })
    expect(yield* proof(START + 2 * DAY + 60)).toEqual({ trades: 0, hash: NO_TRADES })
  }).pipe(Effect.scoped, Effect.runPromise))

it("answers alike at a position while the next block's commit takes a day away", () =>
  Effect.gen(function* () {
    const { before, page, commit, foldNext } = yield* openLane
    const questions = Array.from({ length: 20 }, () => page)
    const asked = yield* Effect.forkChild(Effect.all(questions, { concurrency: "unbounded" }))
    yield* Effect.yieldNow
    yield* foldNext
    yield* commit
    for (const told of yield* Fiber.join(asked)) {
      const blocks = told.seq === before.seq ? days(2, 1, 0) : days(3, 2, 1)
      expect(told).toEqual({ seq: told.seq, blocks })
    }
  }).pipe(Effect.scoped, Effect.runPromise))
