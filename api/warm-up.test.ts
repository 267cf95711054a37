import { Effect } from "effect"
import { expect, it } from "vitest"
import { LaneUnavailable } from "../engine/lane/lanes.ts"
import type { QueryRequest } from "../engine/query.ts"
import { testChain } from "../test/support/chain-config.ts"
import { advance, openMarketWorld } from "../test/support/market-world.ts"
import { MemoryLane } from "../test/support/memory-lane.ts"
import { chainPages, countedCandlesOf, tokenPagesOf, warmUp } from "./warm-up.ts"

/** A lane of so many swaps, over the queries of a market; keeps what it is asked. */
const laneOf = (
  world: Effect.Success<ReturnType<typeof openMarketWorld>>,
  swaps: number,
  isDown = false
) => {
  const lane = new MemoryLane(testChain, world.log)
  const asked: Array<QueryRequest> = []
  const answered: Array<boolean> = []
  const query: typeof lane.query = request =>
    Effect.gen(function* () {
      asked.push(request)
      if (isDown) return yield* new LaneUnavailable({ chain: testChain.key, message: "gone" })
      const answer = yield* Effect.orDie(world.queries.answer(request))
      answered.push(answer.ok)
      return answer
    })
  const status = { ...lane.status(), swaps }
  return { lane: Object.assign(lane, { query, status: () => status }), asked, answered }
}

it("asks for each page of the chain, and of the tokens that trade most", () =>
  Effect.gen(function* () {
    const world = yield* openMarketWorld("warm-up")
    yield* advance(world, 1, random => random.integer(5, 40))
    const { lane, asked, answered } = laneOf(world, 1_000_000)
    yield* warmUp(lane, "1 hour")
    const tokens = asked.flatMap(({ name, params }) =>
      name === "tokenPage" ? [String(params["token"])] : []
    )
    expect(new Set(tokens).size).toBe(5)
    const pages = [...tokens.flatMap(tokenPagesOf), ...tokens.flatMap(countedCandlesOf)]
    expect(asked.slice(1)).toEqual([...chainPages, ...pages])
    expect(answered).toEqual(asked.map(() => true))
  }).pipe(Effect.scoped, Effect.runPromise))

it("asks nothing of a lane with few swaps, and leaves one that does not answer", () =>
  Effect.gen(function* () {
    const world = yield* openMarketWorld("warm-up of few")
    const few = laneOf(world, 10)
    yield* warmUp(few.lane)
    expect(few.asked).toEqual([])
    const down = laneOf(world, 1_000_000, true)
    yield* warmUp(down.lane)
    expect(down.asked.length).toBe(1)
  }).pipe(Effect.scoped, Effect.runPromise))
