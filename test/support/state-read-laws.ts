/**
 * Laws of how a kind reads a pool's state from its contracts: it asks the contracts that have it,
 * and reads the state that events lead to.
 */
import { describe, expect, it } from "vitest"
import { LAW_FACTORY, type LawPool } from "../../streams/venue-laws.ts"
import { stateOf } from "./law-swaps.ts"
import { readState } from "./read-state.ts"
import { random } from "./seed.ts"
import type { KindUnderLaw } from "./venue-laws.ts"

/** Neither the pool nor a contract of the venue. */
const STRANGER = `0x${"5a".repeat(20)}`
/** Pools that are drawn, of all sorts that a kind has. */
const POOLS = 20

const questionOf = ({ kind }: KindUnderLaw, { facts }: LawPool, factory: string | null) => ({
  ...{ facts, factory, time: 1 },
  known: kind.pool.initial(facts)
})

/** What is wrong with the contracts that the first round asks; null where nothing. */
const problemOfAsked = (under: KindUnderLaw, one: LawPool): string | null => {
  const { kind } = under
  const { pool } = one.facts
  const ask = (factory: string | null) =>
    kind.stateRead?.calls(questionOf(under, one, factory), []) ?? []
  const asked = ask(LAW_FACTORY).map(({ to, abi }) => ({ to: to ?? pool, abi }))
  const unnamed = [...asked, ...ask(null).map(({ to, abi }) => ({ to: to ?? pool, abi }))].find(
    ({ to }) => !/^0x[0-9a-f]{40}$/.test(to)
  )
  if (unnamed !== undefined) {
    return (
      `"${unnamed.abi}" is asked of ${unnamed.to}, which is no address in lower case. A call without ` +
      "`to` asks the pool; one contract that holds all pools is `factory` of the question"
    )
  }
  const home = kind.oneContract === undefined ? pool : LAW_FACTORY
  return asked.some(({ to }) => to === home)
    ? null
    : kind.oneContract === undefined
      ? "none of its first calls asks the pool, which is the contract that has the state: leave `to` " +
        "out of the calls"
      : "none of its first calls asks the contract that holds the pools (oneContract): write " +
        "`to: factory` with the `factory` of the question"
}

/** The state that is read of the laws' answers, which a stranger does not give, is the one folded. */
const readsState = async (under: KindUnderLaw): Promise<void> => {
  const { kind, laws } = under
  const { stateRead } = kind
  const { stateAnswers } = laws
  if (stateRead === undefined || stateAnswers === undefined) return
  const chance = random(`${kind.kind} state read`)
  for (let drawn = 0; drawn < POOLS; drawn++) {
    const one = laws.pool(chance)
    const read = await readState(stateRead, questionOf(under, one, LAW_FACTORY), (to, call) => {
      expect(
        stateAnswers(one, { ...call, to: STRANGER }),
        `stateAnswers of ${kind.kind}.laws.ts answers "${call.abi}" whichever contract is asked, so a ` +
          "call of the wrong one is not seen: answer where `to` of the call is `facts.pool` of the " +
          "pool (or LAW_FACTORY), and null elsewhere"
      ).toBeNull()
      return stateAnswers(one, { ...call, to })
    })
    expect(
      read,
      `stateRead of ${kind.kind} makes of the answers (stateAnswers of ${kind.kind}.laws.ts) ` +
        "another state than the fold of the pool's events: look which contract is asked (`to`), " +
        "which word of which answer stateRead.state takes for what, and whether the laws answer as " +
        "the contract does"
    ).toEqual(stateOf(kind, one))
  }
}

export const stateReadLaws = (under: KindUnderLaw): void => {
  const { kind, laws } = under
  if (kind.stateRead === undefined) return
  describe(`${kind.kind}: state reads`, () => {
    it("ask the contract that has the state", () => {
      const chance = random(`${kind.kind} state asked`)
      for (let drawn = 0; drawn < POOLS; drawn++) {
        const problem = problemOfAsked(under, laws.pool(chance))
        expect(problem, `stateRead of ${kind.kind}: ${problem}`).toBeNull()
      }
    })

    if (laws.stateAnswers === undefined) return
    it("reads of a pool's contracts the state that its events lead to", () => readsState(under))
  })
}
