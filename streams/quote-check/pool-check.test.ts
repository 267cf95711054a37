import { describe, expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { kindsUnderLaw } from "../../test/support/venue-laws.ts"
import type { Event } from "../event.ts"
import type { LawPool } from "../venue-laws.ts"
import { PoolCheck } from "./pool-check.ts"
import type { Verdict } from "./verdict.ts"

/** Events as one transaction logs them: a swap and what a pair logs ahead are logs of their own. */
const logged = (events: ReadonlyArray<Event>, tx: number): ReadonlyArray<Event> => {
  let logIndex = 0
  return events.map(event => {
    if (event.kind === "SwapExecuted" || event.kind === "ReservesSynced") logIndex++
    const hash = `0x${tx.toString(16).padStart(64, "0")}`
    return { ...event, logIndex, tx: { hash, index: 0, from: null, to: null } }
  })
}

const verdictsOn = (
  kind: ConstructorParameters<typeof PoolCheck>[0],
  { facts, history }: LawPool,
  events: ReadonlyArray<Event>
): ReadonlyArray<Verdict> => {
  const verdicts: Array<Verdict> = []
  const check = new PoolCheck(kind, facts, verdict => verdicts.push(verdict))
  for (const event of history) check.event(event)
  for (const event of events) check.event(event)
  check.settle()
  return verdicts
}

const resized = (events: ReadonlyArray<Event>, by: bigint): ReadonlyArray<Event> => {
  const grown = (amount: bigint) => (amount > 0n ? amount + by : amount)
  const place = events.findIndex(event => event.kind === "SwapExecuted")
  return events.map((event, i) =>
    i === place && event.kind === "SwapExecuted"
      ? { ...event, amount0Out: grown(event.amount0Out), amount1Out: grown(event.amount1Out) }
      : event
  )
}

for (const { kind, laws } of await kindsUnderLaw()) {
  const { pool } = kind
  describe(`swaps of ${kind.kind}`, () => {
    it("are exact where the pool pays the quote, and are not where it pays another amount", () => {
      const chance = random(`${kind.kind} check`)
      let done = 0
      for (let run = 0; run < 60; run++) {
        const one = laws.pool(chance)
        const state = one.history.reduce((s, e) => pool.fold(s, e), pool.initial(one.facts))
        const tokenIn = chance.integer(0, 1)
        const amount = chance.bits(run + 20) + 1n
        const quote = pool.quote(state, one.facts, tokenIn, 1 - tokenIn, amount)
        if (!quote.ok || quote.amountOut === 0n || quote.amountIn !== amount) continue
        done++
        const swap = { tokenIn, tokenOut: 1 - tokenIn, ...quote }
        const events = logged(laws.swapEvents(one, swap), run)
        const [verdict, ...more] = verdictsOn(kind, one, events)
        expect(verdict, `run ${run}`).toMatchObject({ is: "exact" })
        expect(more).toEqual([])
        const [wrong] = verdictsOn(kind, one, resized(events, 1n << 100n))
        expect(wrong?.is, `run ${run}`).not.toBe("exact")
      }
      expect(done).toBeGreaterThan(20)
    })
  })
}
