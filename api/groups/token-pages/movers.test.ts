/** Movers against plain SQL over the tape, those that nobody knew two hours ago among them. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { applySegment, commitPending } from "../../../engine/runner/lane-core.ts"
import { tokens } from "../../../projections/tokens/output.ts"
import {
  advance,
  ask,
  contextOf,
  type MarketWorld,
  openMarketWorld,
  rows
} from "../../../test/support/market-world.ts"

/** A token's newest price, the newest before a time, and the first since. */
const pricesOf = (world: MarketWorld, token: number, since: number) =>
  rows(
    world,
    `SELECT arg_max(price, seq) AS close, arg_max(price, seq) FILTER (ts < ${since}) AS before,
       arg_min(price, seq) FILTER (ts >= ${since}) AS first
     FROM (SELECT seq, ts, price0 AS price, flags & 1 AS odd FROM tape WHERE token0 = ${token}
       UNION ALL SELECT seq, ts, price1, flags & 2 FROM tape WHERE token1 = ${token})
     WHERE odd = 0 AND price > 0`
  )

it("trending tells changes against the price before, or a young token's first", () =>
  Effect.gen(function* () {
    let [young, known] = [0, 0]
    for (let round = 0; round < 6; round++) {
      const world = yield* openMarketWorld(`movers ${round}`)
      const { r, core, log } = world
      for (let step = 0; step < 3; step++) {
        // a chain that is minutes old at first
        if (step > 0) yield* advance(world, step, () => r.integer(30, 60))
        else {
          for (let block = 0; block < 4; block++) {
            yield* applySegment(core, log.append(world.events("main", 1, 60)))
          }
          yield* commitPending(core)
        }
        const context = contextOf(world)
        const { addressOf, count } = context.output(tokens)
        const byAddress = new Map(
          Array.from({ length: count() }, (_, token) => [addressOf(token), token])
        )
        const found = yield* ask(world, "trending", { limit: 500 })
        const changes: Array<number> = []
        for (const { address, change2hPct } of found.tokens) {
          const token = byAddress.get(address) as number
          const [prices = {}] = yield* pricesOf(world, token, found.sinceHour)
          const { close = 0, before = null, first = 0 } = prices
          if (before === null) young++
          else known++
          expect(change2hPct).toBe((close / (before ?? first) - 1) * 100)
          changes.push(change2hPct)
        }
        expect(changes).toEqual(changes.toSorted((a, b) => b - a))
      }
    }
    // few tokens are traded by so many in two hours
    expect(young + known).toBeGreaterThan(0)
  }).pipe(Effect.scoped, Effect.runPromise))
