/** Pages that wait for rows while the newest block tells what earlier rows are shown with. */
import { Effect, Fiber } from "effect"
import { expect, it } from "vitest"
import { NEWEST } from "../../projections/tape/cursor.ts"
import {
  opening,
  openSmallLaneThatKeeps,
  POOL,
  sale,
  sealed,
  TOKEN
} from "../../test/support/small-lane.ts"
import { KEEP_ALL } from "../store/retention.ts"

const START = 1_700_000_000

/** A lane that has committed a trade of a token without decimals; it holds none in memory. */
const openLane = Effect.gen(function* () {
  const lane = yield* openSmallLaneThatKeeps(KEEP_ALL, () => 1)
  const [seen, ...rest] = opening(START)
  yield* lane.fold([...rest, sale(START, 3, 6_000_000), sealed(START)])
  yield* lane.fold([sale(START + 1, 1, 2_000_000), sealed(START + 1)])
  yield* lane.commitFolded
  const block = { ...seen?.block, number: START + 2, time: START + 2 }
  const learn = lane.fold([{ ...seen, block } as (typeof rest)[0], sealed(START + 2)])
  return { ...lane, learn }
})

const newest = { token: TOKEN, limit: 50, ...NEWEST }
const bucket = {
  ...{ token: null, pool: POOL, quote: "usd", tf: "1m", t: START, limit: 50 },
  ...{ afterBlock: null, afterLogIndex: null }
}

/** Amounts of whole tokens, oldest first. */
const amountsOf = (rows: ReadonlyArray<{ ts: number; tokenAmt: number | null }>) =>
  rows.toSorted((a, b) => a.ts - b.ts).map(({ tokenAmt }) => tokenAmt)

it.each([
  { name: "chainTrades", params: newest, rows: "trades" },
  { name: "candleProof", params: bucket, rows: "swaps" }
])("$name tells a position's facts while decimals are learned", ({ name, params, rows }) =>
  Effect.gen(function* () {
    const { answer, learn, commitFolded } = yield* openLane
    const page = Effect.map(answer(name, params), ({ seq, value }) => ({
      seq,
      amounts: amountsOf(value[rows])
    }))
    const before = yield* page
    expect(before.amounts).toEqual([null, null])
    const questions = Array.from({ length: 20 }, () => page)
    const asked = yield* Effect.forkChild(Effect.all(questions, { concurrency: "unbounded" }))
    yield* Effect.yieldNow
    yield* learn
    yield* commitFolded
    const after = { seq: before.seq + 2, amounts: [3, 1] }
    for (const told of yield* Fiber.join(asked)) {
      expect(told).toEqual(told.seq === before.seq ? before : after)
    }
    expect(yield* page).toEqual(after)
  }).pipe(Effect.scoped, Effect.runPromise)
)
