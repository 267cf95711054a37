/** What windows begin with, from memory and from hours read into it: as SQL over the tape tells. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { Row, RowsView } from "../../../engine/query.ts"
import { numberOf } from "../../../engine/store/sql.ts"
import { tapeOutput } from "../../../projections/tape/output.ts"
import { tokens } from "../../../projections/tokens/output.ts"
import { advance, contextOf, openMarketWorld } from "../../../test/support/market-world.ts"
import { heldEdges, readEdges, wholeEdges } from "./held-edges.ts"
import { hoursHeld } from "./hour-swaps.ts"
import type { Window } from "./window-edges.ts"

const HOUR = 3600

const SIDES = [
  { token: "token0", buy: "bought0", price: "price0", amount: "amount0", bit: 1 },
  { token: "token1", buy: "1 - bought0", price: "price1", amount: "amount1", bit: 2 }
]

/** The prints of a token from one second to another, with their dollars a whole token. */
const printsBetween = (token: number, from: number, to: number, scale: number): string =>
  SIDES.map(
    ({ token: side, buy, price, amount, bit }) => `
      SELECT ts, ${buy} AS buy, usd, (flags & ${bit}) = 0 AS believed, seq, CASE
        WHEN (unscaled & ${bit}) = 0 THEN ${price}
        ELSE ${price} / ${amount} * ${Number.isNaN(scale) ? "NULL" : scale} END AS price
      FROM tape WHERE ${side} = ${token} AND ts >= ${from} AND ts < ${to}`
  ).join(" UNION ALL ")

const edgeSql = (token: number, { from, edge }: Window, scale: number): string => {
  const minute = Math.ceil(from / 60) * 60
  return `SELECT count(*) FILTER (ts >= ${from}) AS trades,
      count(*) FILTER (ts >= ${from} AND buy = 1) AS buys,
      coalesce(sum(usd) FILTER (ts >= ${from} AND buy = 1 AND believed), 0) AS bought,
      coalesce(sum(usd) FILTER (ts >= ${from} AND buy = 0 AND believed), 0) AS sold,
      arg_max(price, seq) FILTER (ts < ${from} AND believed AND price > 0) AS before,
      max(price) FILTER (ts >= ${from} AND ts < ${minute} AND believed AND price > 0) AS high,
      min(price) FILTER (ts >= ${from} AND ts < ${minute} AND believed AND price > 0) AS low
    FROM (${printsBetween(token, from - (from % HOUR), edge, scale)})`
}

const edgeOf = (row: Row = {}) => ({
  trades: Number(row["trades"]),
  buys: Number(row["buys"]),
  bought: Number(row["bought"]),
  sold: Number(row["sold"]),
  before: numberOf(row, "before"),
  high: numberOf(row, "high"),
  low: numberOf(row, "low")
})

/** The first parts of windows as the database sums them. */
const summed = ({ rows }: RowsView, token: number, windows: ReadonlyArray<Window>, scale: number) =>
  Effect.gen(function* () {
    const edges: Array<ReturnType<typeof edgeOf>> = []
    for (const window of windows) {
      const [row] = yield* rows(edgeSql(token, window, scale))
      edges.push(edgeOf(row))
    }
    const { from, edge } = windows.at(-1) as Window
    const pools = yield* rows(
      `SELECT pool, count(*) AS trades, coalesce(sum(usd) FILTER (flags = 0), 0) AS usd FROM tape
       WHERE ts >= ${from} AND ts < ${edge} AND (token0 = ${token} OR token1 = ${token})
       GROUP BY pool`
    )
    return {
      edges,
      pools: new Map(
        pools.map(({ pool, trades, usd }) => [
          Number(pool),
          { trades: Number(trades), usd: Number(usd) }
        ])
      )
    }
  })

it("edges are the same from memory as from the tables", () =>
  Effect.gen(function* () {
    const world = yield* openMarketWorld("held edges")
    let [traded, whole, kept, apart] = [0, 0, 0, 0]
    for (let round = 0; round < 12; round++) {
      yield* advance(world, round, random => random.integer(5, 40))
      const view = contextOf(world)
      const known = view.output(tokens)
      const { recent } = view.output(tapeOutput)
      // every other time nothing is remembered, as after a start
      if (world.r.boolean(0.5)) recent.clear()
      const windows = [300, HOUR, 6 * HOUR, 24 * HOUR].map(width => {
        const from = view.blockTime - width + 1
        return { from, edge: Math.min(Math.ceil(from / HOUR) * HOUR, view.blockTime + 1) }
      })
      for (let token = 0; token < known.count(); token++) {
        const scale = known.scale(token)
        const expected = yield* summed(view, token, windows, scale)
        const told = (found: ReturnType<typeof heldEdges>) =>
          Effect.map(readEdges(view, found), ({ edges, pools }) => ({ edges, pools }))
        const held = heldEdges(view, token, windows, scale)
        if (wholeEdges(held) !== null) whole++
        // the hour that is not over is read of the token alone
        if (held.edges[0] === null) apart++
        expect(yield* told(held)).toEqual(expected)
        expect(yield* told(heldEdges(view, token, windows, scale))).toEqual(expected)
        traded += expected.edges.reduce((sum, { trades }) => sum + trades, 0)
        const hours = view.kept(hoursHeld)
        if (windows.some(({ from }) => hours.of(from - (from % HOUR)))) kept++
      }
    }
    expect(Math.min(traded, whole, kept, apart)).toBeGreaterThan(0)
  }).pipe(Effect.scoped, Effect.runPromise))
