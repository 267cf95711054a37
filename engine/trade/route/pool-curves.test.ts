import { describe, expect, it } from "vitest"
import { boughtFor, soldFor } from "../../../src/math/price-curve/curve.ts"
import { stateOf } from "../../../test/support/law-swaps.ts"
import { LISTED } from "../../../test/support/route-markets.ts"
import { random } from "../../../test/support/seed.ts"
import { kindsUnderLaw } from "../../../test/support/venue-laws.ts"
import { PoolCurves } from "./pool-curves.ts"

/** What quotes of these laws' pools may differ from curves by: units lost at each of some steps. */
const ROUNDING = 64

const kinds = await kindsUnderLaw()
describe.each(kinds.filter(({ kind }) => kind.pool.curve !== undefined))(
  "the curve of $kind.kind",
  ({ kind, laws }) => {
    it("tells what quotes come to", () => {
      const chance = random(`${kind.kind} curve`)
      let compared = 0
      for (let run = 0; run < 200; run++) {
        const one = laws.pool(chance)
        const state = stateOf(kind, one)
        const [from, to] = chance.boolean() ? [0, 1] : [1, 0]
        const amount = (1n << 40n) + chance.bits(chance.integer(41, 100))
        const curve = kind.pool.curve?.(state, one.facts, from, to, Number(amount)) ?? null
        const all = boughtFor(curve ?? [], Number.POSITIVE_INFINITY)
        expect(
          all,
          `run ${run}: the curve of ${kind.kind} sells more than the pool holds. Each piece ends where ` +
            "the pool has no more of the bought token: `sold` is what it takes up to there"
        ).toBeLessThanOrEqual(Number(laws.holdings(one)[to]) * (1 + 1e-9))
        const quote = kind.pool.quote(state, one.facts, from, to, amount)
        if (curve === null || !quote.ok || quote.amountOut < 1n << 30n) continue
        compared++
        const told = boughtFor(curve, Number(quote.amountIn))
        const gap = Math.abs(told - Number(quote.amountOut))
        // a unit of the input that rounding takes is worth more where the output is cheap
        const unit = Number(quote.amountOut) / Number(quote.amountIn) + 1
        expect(gap, `run ${run}: ${quote.amountIn} for ${quote.amountOut}`).toBeLessThan(
          told * 1e-9 + ROUNDING * unit
        )
      }
      expect(compared, "quotes that a curve could be compared with").toBeGreaterThan(40)
    })
  }
)

describe("curves of pools", () => {
  it("do not depend on what was asked before, and are made anew for a new state", () => {
    const chance = random("kept curves")
    for (const { kind, laws } of kinds) {
      const one = laws.pool(chance)
      const { facts } = one
      const [tokenIn, tokenOut] = facts.tokens as [string, string]
      const pool = {
        pool: facts.pool,
        dex: "any",
        kind,
        facts,
        state: stateOf(kind, one),
        ...LISTED
      }
      const kept = new PoolCurves()
      for (const bits of [20, 60, 40, 90]) {
        const most = chance.bits(bits) + 1n
        const told = kept.of(pool, tokenIn, tokenOut, most)
        const fresh = new PoolCurves().of(pool, tokenIn, tokenOut, most)
        expect(told, kind.kind).toEqual(fresh)
      }
      const other = { ...pool, state: kind.pool.initial(facts) }
      expect(kept.of(other, tokenIn, tokenOut, 1000n)).toEqual("unknown-state")
    }
  })

  it("tell the sale that a purchase needs", () => {
    const curve = [
      { from: 1, to: 2, depth: 100, sold: 100 },
      { from: 2, to: 2, depth: Number.POSITIVE_INFINITY, sold: 40 },
      { from: 3, to: 4, depth: 12, sold: 12 }
    ]
    expect([25, 100, 120, 140, 146].map(sold => boughtFor(curve, sold))).toEqual([
      20, 50, 55, 60, 60.571428571428569
    ])
    expect([20, 50, 55, 60].map(bought => soldFor(curve, bought))).toEqual([25, 100, 120, 140])
    expect(boughtFor(curve, 1e9)).toBe(61)
    expect(soldFor(curve, 62)).toBe(null)
  })
})
