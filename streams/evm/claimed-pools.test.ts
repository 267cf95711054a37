/** Any contract can log that it made a pool: a state that is known does not heed it. */
import { expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { kindsUnderLaw } from "../../test/support/venue-laws.ts"
import type { Event } from "../event.ts"
import { inOneContract } from "../pool-venue.ts"
import { eventOf } from "../venue-laws.ts"

const LIAR = `0x${"ff".repeat(20)}`
const kinds = (await kindsUnderLaw()).filter(({ kind }) => !inOneContract.has(kind.kind))

it.each(kinds.map(({ kind, laws }) => [kind.kind, kind, laws] as const))(
  "%s: stays as it is when somebody claims the pool",
  (name, { pool }, laws) => {
    const chance = random(`${name} claimed`)
    for (let run = 0; run < 20; run++) {
      const one = laws.pool(chance)
      const { facts, history } = one
      const fold = (before: unknown, event: Event) => pool.fold(before, event)
      const begun = history.reduce(fold, pool.initial(facts))
      // what only trades leave behind stays too
      const sold = pool.quote(begun, facts, 0, 1, 1_000n)
      const swap = { tokenIn: 0, tokenOut: 1, amountIn: 1_000n }
      const trades = sold.ok ? laws.swapEvents(one, { ...swap, amountOut: sold.amountOut }) : []
      const state = trades.reduce(fold, begun)
      const claim = eventOf({
        ...{ kind: "PoolCreated", pool: facts.pool, venueKind: name, factory: LIAR },
        ...{ tokens: facts.tokens.toReversed(), fee: 1, tickSpacing: 7, source: "log" }
      })
      const after = pool.fold(state, claim)
      for (const amount of [1_000n, 10n ** 12n, 10n ** 18n]) {
        const before = pool.quote(state, facts, 0, 1, amount)
        expect(pool.quote(after, facts, 0, 1, amount)).toEqual(before)
      }
      expect(after).toEqual(state)
    }
  }
)
