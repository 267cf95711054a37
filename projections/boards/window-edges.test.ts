/** Edges of windows taken row by row and summed by SQL: the same of any token at any time. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { advance, contextOf, openMarketWorld } from "../../test/support/market-world.ts"
import { tokens } from "../tokens/output.ts"
import { edgesOf } from "./window-edges.ts"

const HOUR = 3600

it("edges are the same row by row as summed by the database", () =>
  Effect.gen(function* () {
    const world = yield* openMarketWorld("window edges")
    const { r } = world
    let traded = 0
    for (let round = 0; round < 12; round++) {
      yield* advance(world, round, random => random.integer(5, 40))
      const context = contextOf(world)
      const known = context.output(tokens)
      const now = context.blockTime - r.pick([0, 0, 1, 59, 600, HOUR, 7 * HOUR])
      const windows = [300, HOUR, 6 * HOUR, 24 * HOUR].map(width => {
        const from = now - width + 1
        return { from, edge: Math.min(Math.ceil(from / HOUR) * HOUR, now + 1) }
      })
      for (let token = 0; token < known.count(); token++) {
        const scale = known.scale(token)
        const rows = yield* edgesOf(context, token, windows, scale, 0)
        expect(rows).toEqual(yield* edgesOf(context, token, windows, scale, 0, -1))
        traded += rows.edges.reduce((sum, { trades }) => sum + trades, 0)
      }
    }
    expect(traded).toBeGreaterThan(0)
  }).pipe(Effect.scoped, Effect.runPromise))
