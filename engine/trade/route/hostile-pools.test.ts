/** Routes through pools of every kind whose events say what no pool of theirs would log. */
import { expect, it } from "vitest"
import type { Event } from "../../../streams/event.ts"
import { LISTED, marketOf } from "../../../test/support/route-markets.ts"
import { type Random, random } from "../../../test/support/seed.ts"
import { type KindUnderLaw, kindsUnderLaw } from "../../../test/support/venue-laws.ts"
import type { TradePool } from "../pools/pool-market.ts"
import { findRoute } from "./find-route.ts"
import { PoolCurves } from "./pool-curves.ts"

const ROUNDS = process.env["SWAPTAPE_LONG"] === "1" ? 400 : 4

const [SOLD, BOUGHT, ANCHOR] = ["0a", "0b", "0c"].map(byte => `0x${byte.repeat(20)}`) as [
  ...[string, string, string]
]
const PAIRS = [
  [SOLD, BOUGHT],
  [SOLD, ANCHOR],
  [ANCHOR, BOUGHT]
] as const

const oddInteger = (chance: Random, was: bigint): bigint => {
  const bits = chance.pick([8, 64, 96, 112, 128, 160, 192, 255, 256])
  const most = (1n << BigInt(bits)) - 1n
  return chance.pick([0n, 1n, was + 1n, was - 1n, was * 2n, -was, most, chance.bits(bits)])
}

const oddNumber = (chance: Random, was: number): number =>
  chance.pick([0, 1, -1, was + 1, was - 1, 887_272, -887_272, 1_000_000, 2 ** 31])

/** The event with some of its numbers changed. */
const hostile = (chance: Random, event: Event): Event => {
  const fields = Object.entries(event).map(([name, value]) => {
    if (name === "block" || name === "logIndex" || chance.integer(0, 2) > 0) return [name, value]
    if (typeof value === "bigint") return [name, oddInteger(chance, value)]
    return [name, typeof value === "number" ? oddNumber(chance, value) : value]
  })
  return Object.fromEntries(fields) as Event
}

const poolOf = ({ kind, laws }: KindUnderLaw, chance: Random, number: number): TradePool => {
  const { facts: own, history } = laws.pool(chance)
  const pair = chance.pick(PAIRS)
  const facts = { ...own, tokens: own.tokens.map((token, i) => pair[i] ?? token) }
  let state = kind.pool.initial(own)
  for (const event of history) {
    const isHostile = chance.integer(0, 2) === 0
    state = kind.pool.fold(state, isHostile ? hostile(chance, event) : event)
  }
  return { pool: `${own.pool}${number}`, dex: kind.kind, kind, facts, state, ...LISTED }
}

it("end in a route that adds up, or in none", async () => {
  const kinds = await kindsUnderLaw()
  for (let round = 0; round < ROUNDS; round++) {
    const chance = random(`hostile pools ${round}`)
    for (const under of kinds) {
      const pools = [0, 1, 2].map(number => poolOf(under, chance, number))
      const market = marketOf([...pools, poolOf(chance.pick(kinds), chance, 3)])
      for (const exact of ["in", "out"] as const) {
        const amount = chance.bits(chance.pick([8, 40, 80, 127, 255])) + 1n
        const gas = chance.pick([null, { base: 2n, leg: () => 3n }])
        const order = { tokenIn: SOLD, tokenOut: BOUGHT, amount, exact }
        const options = { anchors: [ANCHOR], maxHops: 3, gas, onlyDex: null } as const
        const route = findRoute(market, order, options, new PoolCurves())
        if (!route.ok) continue
        const what = `round ${round}: ${under.kind.kind}, ${exact} ${amount}`
        expect(route.amountIn > 0n && route.amountOut > 0n, what).toBe(true)
        if (exact === "in") expect(route.amountIn <= amount, what).toBe(true)
        else expect(route.amountOut >= amount, what).toBe(true)
      }
    }
  }
})
