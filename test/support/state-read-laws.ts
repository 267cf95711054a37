/** Laws of how a kind reads a pool's state from its contracts: it is the state that events lead to. */
import { describe, expect, it } from "vitest"
import { stateOf } from "./law-swaps.ts"
import { readState } from "./read-state.ts"
import { random } from "./seed.ts"
import type { KindUnderLaw } from "./venue-laws.ts"

const FACTORY = `0x${"fa".repeat(20)}`
/** Pools that are drawn, of all sorts that a kind has. */
const POOLS = 20

export const stateReadLaws = ({ kind, laws }: KindUnderLaw): void => {
  const { stateRead } = kind
  const { stateAnswers } = laws
  if (stateRead === undefined || stateAnswers === undefined) return
  describe(`${kind.kind}: state reads`, () => {
    it("reads of a pool's contracts the state that its events lead to", async () => {
      const chance = random(`${kind.kind} state read`)
      for (let drawn = 0; drawn < POOLS; drawn++) {
        const one = laws.pool(chance)
        const known = kind.pool.initial(one.facts)
        const question = { facts: one.facts, factory: FACTORY, known, time: 1 }
        const read = await readState(stateRead, question, (_to, call) => stateAnswers(one, call))
        expect(
          read,
          `stateRead of ${kind.kind} makes of the answers (stateAnswers of ${kind.kind}.laws.ts) ` +
            "another state than the fold of the pool's events: look which word of which answer " +
            "stateRead.state takes for what, and whether the laws answer as the contract does"
        ).toEqual(stateOf(kind, one))
      }
    })
  })
}
