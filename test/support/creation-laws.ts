/**
 * Laws of `PoolCreated` in a fold. A factory logs it once of a pool that is empty then. A source
 * tells it of a pool that is found later (`call`, `create2`), which may hold anything. It may come
 * again of one that is known: anybody can log one, and what no listed factory says is a `call`.
 */
import { describe, expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import type { PoolFacts, Quote } from "../../streams/venue.ts"
import { eventOf, LAW_FACTORY, type LawPool } from "../../streams/venue-laws.ts"
import { stateOf } from "./law-swaps.ts"
import { rounds } from "./rounds.ts"
import { random } from "./seed.ts"
import type { KindUnderLaw } from "./venue-laws.ts"

const POOLS = rounds(40)
const AMOUNTS = [1000n, 10n ** 9n, 10n ** 18n]

/** The pool's creation with these facts, at the time at which its history ends. */
const createdOf = (
  { kind }: KindUnderLaw,
  { history }: LawPool,
  source: "log" | "call" | "create2",
  { pool, tokens, fee, tickSpacing }: PoolFacts
): Event => {
  const created = eventOf({
    kind: "PoolCreated",
    ...{ pool, venueKind: kind.kind, factory: LAW_FACTORY, tokens, fee, tickSpacing, source }
  })
  const last = history.at(-1)
  return last === undefined ? created : ({ ...created, block: last.block } as Event)
}

const quotesAfter = (
  { kind }: KindUnderLaw,
  one: LawPool,
  history: ReadonlyArray<Event>
): ReadonlyArray<Quote> => {
  const state = stateOf(kind, { ...one, history })
  return AMOUNTS.flatMap(amount =>
    [0, 1].map(side => kind.pool.quote(state, one.facts, side, 1 - side, amount))
  )
}

/** Of a pool that is known `PoolCreated` tells nothing new. */
const keepsWhatIsKnown = (under: KindUnderLaw): void => {
  const chance = random(`${under.kind.kind} created again`)
  for (let run = 0; run < POOLS; run++) {
    const one = under.laws.pool(chance)
    const { facts } = one
    const claimed = { ...facts, tokens: [...facts.tokens].reverse(), fee: 77, tickSpacing: 7 }
    const before = quotesAfter(under, one, one.history)
    for (const [of, created] of [
      ['source "log"', createdOf(under, one, "log", facts)],
      ['source "call"', createdOf(under, one, "call", facts)],
      ['source "call", and facts that are not its own', createdOf(under, one, "call", claimed)]
    ] as const) {
      expect(
        quotesAfter(under, one, [...one.history, created]),
        `run ${run}: after a PoolCreated of a pool that is known (${of}) the fold of ` +
          `streams/evm/${under.kind.kind} quotes otherwise than before it. Anybody can log that he ` +
          "made the pool: take of it only what the state does not know yet"
      ).toEqual(before)
    }
  }
}

/** A pool that was found later may hold anything, so its creation alone is no state. */
const knowsNothingOfTheFound = (under: KindUnderLaw): void => {
  const chance = random(`${under.kind.kind} found`)
  for (let run = 0; run < POOLS; run++) {
    const one = under.laws.pool(chance)
    for (const source of ["call", "create2"] as const) {
      const quotes = quotesAfter(under, one, [createdOf(under, one, source, one.facts)])
      expect(
        quotes,
        `run ${run}: a pool of ${under.kind.kind} that was found later (PoolCreated with source ` +
          `"${source}") is quoted, or refused for another reason. It may hold anything: let the fold ` +
          'begin with an empty pool for source "log" alone, and quote "unknown-state" until events or ' +
          "a read tell more"
      ).toEqual(quotes.map(() => ({ ok: false, reason: "unknown-state" })))
    }
  }
}

export const creationLaws = (under: KindUnderLaw): void => {
  describe(`${under.kind.kind}: creations`, () => {
    it("change nothing of a pool that is known", () => keepsWhatIsKnown(under))

    it("tell no state of a pool that was found later", () => knowsNothingOfTheFound(under))
  })
}
