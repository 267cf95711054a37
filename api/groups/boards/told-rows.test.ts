import { Effect } from "effect"
import { expect, it } from "vitest"
import { tokens } from "../../../projections/tokens/output.ts"
import { advance, ask, contextOf, openMarketWorld } from "../../../test/support/market-world.ts"
import { TokenView, tokenRows } from "./token-row.ts"
import { toldRows } from "./told-rows.ts"
import { windowOf } from "./window-of.ts"

/** What the map of prices tells of a row. */
const pricesOf = (row: ReturnType<typeof tokenRows>[number] | undefined) => {
  if (row === undefined) throw new Error("a row that no token has")
  const { priceUsd, priceTs, change24hPct, changeSince, volume24h, trades24h, lastTradeTs } = row
  const { wash, impostor } = row
  const flags = { ...(wash && { wash }), ...(impostor && { impostor }) }
  const told = { priceUsd, priceTs, change24hPct, changeSince, volume24h, trades24h, lastTradeTs }
  return { ...told, ...flags }
}

it("rows that were kept are those that would be made", () =>
  Effect.gen(function* () {
    const world = yield* openMarketWorld("row texts")
    let rows = 0
    for (let round = 0; round < 12; round++) {
      yield* advance(world, round, random => random.integer(0, 20))
      const context = contextOf(world)
      const view = new TokenView(context, windowOf(context))
      const all = world.r.shuffle(
        Array.from({ length: context.output(tokens).count() }, (_, token) => token)
      )
      const text = new TextDecoder().decode(toldRows(context, view, all, ["[", "]"]))
      expect(text).toBe(JSON.stringify(tokenRows(context, view, all)))
      const params = { sort: "volume", limit: 100, offset: 0, includeUnlisted: true, rules: null }
      const board = yield* ask(world, "tokenBoard", { ...params, asOf: null })
      const shown = board.tokens.map(({ address }: { readonly address: string }) => address)
      const places = all.filter(token => shown.includes(view.facts.tokens.addressOf(token)))
      const byAddress = new Map(
        tokenRows(context, view, places).map(row => [row.address, row] as const)
      )
      expect(board.tokens).toEqual(shown.map((address: string) => byAddress.get(address)))
      const { prices, total } = yield* ask(world, "priceMap", { limit: 100 })
      const cut = shown.slice(0, 100).map((address: string) => pricesOf(byAddress.get(address)))
      expect([Object.keys(prices), Object.values(prices)]).toEqual([shown, cut])
      expect(total).toBe(board.total)
      rows += shown.length
    }
    expect(rows).toBeGreaterThan(0)
  }).pipe(Effect.scoped, Effect.runPromise))
