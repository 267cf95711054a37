/** Edges of windows from memory, from hours read into it, and from the tables: the same. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { advance, contextOf, openMarketWorld } from "../../test/support/market-world.ts"
import { tapeOutput } from "../tape/output.ts"
import { tokens } from "../tokens/output.ts"
import { boardsOutput } from "./board-memory.ts"
import { heldEdges, readEdges, wholeEdges } from "./held-edges.ts"
import { edgesOf } from "./window-edges.ts"

const HOUR = 3600

it("edges are the same from memory as from the tables", () =>
  Effect.gen(function* () {
    const world = yield* openMarketWorld("held edges")
    let [traded, whole, kept] = [0, 0, 0]
    for (let round = 0; round < 12; round++) {
      yield* advance(world, round, random => random.integer(5, 40))
      const context = contextOf(world)
      const known = context.output(tokens)
      const { recent } = context.output(tapeOutput)
      // every other time nothing is remembered, as after a start
      if (world.r.boolean(0.5)) recent.clear()
      const windows = [300, HOUR, 6 * HOUR, 24 * HOUR].map(width => {
        const from = context.blockTime - width + 1
        return { from, edge: Math.min(Math.ceil(from / HOUR) * HOUR, context.blockTime + 1) }
      })
      for (let token = 0; token < known.count(); token++) {
        const scale = known.scale(token)
        const expected = yield* edgesOf(context, token, windows, scale, 0)
        const held = heldEdges(context, token, windows, scale)
        if (wholeEdges(held) !== null) whole++
        expect(yield* readEdges(context, held, 0)).toEqual(expected)
        const again = heldEdges(context, token, windows, scale)
        expect(yield* readEdges(context, again, 0)).toEqual(expected)
        traded += expected.edges.reduce((sum, { trades }) => sum + trades, 0)
        const { hoursHeld } = context.output(boardsOutput)
        if (windows.some(({ from }) => hoursHeld.of(from - (from % HOUR)))) kept++
      }
    }
    expect(Math.min(traded, whole, kept)).toBeGreaterThan(0)
  }).pipe(Effect.scoped, Effect.runPromise))
