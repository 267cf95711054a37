import { expect, it } from "vitest"
import { UNKNOWN, whyUnknown } from "./known-state.ts"
import { kindNamed } from "./pool-venue.ts"
import type { AnyVenueKind, PoolFacts } from "./venue.ts"

const facts: PoolFacts = {
  ...{ pool: `0x${"0f".repeat(20)}`, tokens: ["0x1", "0x2"], fee: null, tickSpacing: null },
  decimals: [18, 18]
}

it("says that a fee is lacking only where a quote would have it from there", () => {
  const pair = kindNamed("uniswap-v2") as AnyVenueKind
  const told = { pool: facts.pool, reserves: [10n ** 18n, 10n ** 18n] }
  expect(whyUnknown(pair, told, facts)).toBe(UNKNOWN.fee)
  expect(whyUnknown(pair, pair.pool.initial(facts), facts)).toBe(UNKNOWN.first)
  const pool = kindNamed("dodo") as AnyVenueKind
  expect(whyUnknown(pool, pool.pool.initial(facts), facts)).toBe(UNKNOWN.untold)
})

it("says where the creation alone tells a pool's tokens: a V4 pool older than the log", () => {
  const words = ["uniswap-v4", "curve-stable"].map(name => {
    const kind = kindNamed(name) as AnyVenueKind
    return whyUnknown(kind, null, { ...facts, tokens: [] })
  })
  expect(words).toEqual([UNKNOWN.created, UNKNOWN.facts])
})
