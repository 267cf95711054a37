import { Effect } from "effect"
import { expect, it } from "vitest"
import { advance, contextOf, openMarketWorld } from "../../test/support/market-world.ts"
import { tokens } from "../tokens/output.ts"
import { tapeOutput } from "./output.ts"
import { heldPrints } from "./token-prints.ts"

it("what memory forgot comes back as it was", () =>
  Effect.gen(function* () {
    const world = yield* openMarketWorld("refill")
    let swaps = 0
    for (let round = 0; round < 6; round++) {
      yield* advance(world, round, random => random.integer(5, 40))
      const context = contextOf(world)
      const { recent } = context.output(tapeOutput)
      const all = () =>
        Array.from({ length: context.output(tokens).count() }, (_, token) =>
          heldPrints(context, token, Number.MAX_SAFE_INTEGER)
        )
      // a fork made memory forget, and some came after it
      yield* world.queries.refillTails
      const before = all()
      const { count } = recent.held
      expect(before.every(({ isWhole }) => isWhole)).toBe(true)
      recent.clear()
      expect(yield* world.queries.refillTails).toBe(count)
      expect(all()).toEqual(before)
      // two at a time, which the lane does not do, take no swap twice
      recent.clear()
      const { refillTails } = world.queries
      const taken = yield* Effect.all([refillTails, refillTails], { concurrency: "unbounded" })
      expect([...taken].sort()).toEqual([0, count].sort())
      expect(recent.held.count).toBe(count)
      expect(all()).toEqual(before)
      expect(yield* world.queries.refillTails).toBe(0)
      swaps += count
    }
    expect(swaps).toBeGreaterThan(0)
  }).pipe(Effect.scoped, Effect.runPromise))
