/**
 * Laws of kinds that are traded by the router contract's adapter of another kind (`tradedAs`). What
 * a contract's functions are called is seen by no law: a trade on a fork of the chain proves that.
 */
import { describe, expect, it } from "vitest"
import { type Adapter, adapterFor, isAdapter } from "../../engine/trade/contract/adapters.ts"
import type { AnyVenueKind } from "../../streams/venue.ts"
import type { LawPool } from "../../streams/venue-laws.ts"
import { stateOf } from "./law-swaps.ts"
import { random } from "./seed.ts"
import type { KindUnderLaw } from "./venue-laws.ts"

const FACTORY = `0x${"fa".repeat(20)}` as const
/** Pools that are drawn, of all sorts that a kind has. */
const POOLS = 20
const AMOUNTS = [1000n, 10n ** 9n, 10n ** 18n]

/** Functions by which pools tell tokens: contracts that are called the same have one alike. */
const tokenCallsOf = ({ poolCalls }: AnyVenueKind): ReadonlyArray<string> => [
  ...new Set(poolCalls.filter(({ fact }) => fact.startsWith("token")).map(({ abi }) => abi))
]

/** Differences in form by which the adapter of the other kind cannot call the pools. */
const differencesOf = (kind: AnyVenueKind, other: AnyVenueKind): ReadonlyArray<string> => {
  const told = [kind, other].map(tokenCallsOf) as [ReadonlyArray<string>, ReadonlyArray<string>]
  const isToldAlike =
    told.some(calls => calls.length === 0) || told[0].some(of => told[1].includes(of))
  return [
    kind.shape === other.shape
      ? null
      : `its shape is "${kind.shape}", and that of ${other.kind} "${other.shape}"`,
    (kind.oneContract === undefined) === (other.oneContract === undefined)
      ? null
      : `one of the two has oneContract and the other (of ${other.kind}: ` +
        `${other.oneContract ?? "absent"}) has not: the adapter would call another contract`,
    isToldAlike
      ? null
      : `its pools tell their tokens by ${told[0].join(", ")}, those of ${other.kind} by ` +
        `${told[1].join(", ")}: contracts that are called the same have one of these in common`
  ].filter(one => one !== null)
}

/** An adapter that is told a fee and nothing else reckons with it what it asks the pool for. */
const reckons = (adapter: Adapter): boolean => Object.keys(adapter).join() === "kind,fee"

/** What the adapter lacks or reckons otherwise of one pool; null where nothing. */
const problemOfPool = (kind: AnyVenueKind, other: AnyVenueKind, one: LawPool): string | null => {
  const { facts } = one
  if (!isAdapter(other.kind)) return `there is no adapter ${other.kind}`
  const state = stateOf(kind, one)
  const sold = { pool: facts.pool, facts, state, from: 0, to: 1, factory: FACTORY }
  const adapter = adapterFor(other.kind, sold)
  if (adapter === null) {
    return (
      `the adapter of ${other.kind} is told something that a pool of the laws does not have ` +
      "(`told` in engine/trade/contract/adapters.ts): most want the fee or tick spacing of the facts"
    )
  }
  if (!reckons(adapter)) return null
  for (const amountIn of AMOUNTS) {
    const quote = kind.pool.quote(state, facts, 0, 1, amountIn)
    const asked = other.pool.quote(stateOf(other, one), facts, 0, 1, amountIn)
    if (!quote.ok || !asked.ok || asked.amountOut === quote.amountOut) continue
    return (
      `for ${amountIn} the kind quotes ${quote.amountOut}, where the adapter of ${other.kind}, which ` +
      `reckons for itself, asks the pool for ${asked.amountOut}: such swaps revert or lose the rest`
    )
  }
  return null
}

export const tradedAsLaws = ({ kind, laws }: KindUnderLaw, kinds: ReadonlyArray<AnyVenueKind>) => {
  const { tradedAs } = kind
  if (tradedAs === undefined) return
  describe(`${kind.kind}: trades`, () => {
    it("are those of the kind that it names, as far as its declaration tells", () => {
      const other = kinds.find(one => one.kind === tradedAs)
      if (other === undefined) return
      const chance = random(`${kind.kind} traded`)
      const pools = Array.from({ length: POOLS }, () =>
        problemOfPool(kind, other, laws.pool(chance))
      )
      const ofPool = pools.find(problem => problem !== null) ?? null
      const problems = [...differencesOf(kind, other), ofPool].filter(one => one !== null)
      expect(
        problems,
        `tradedAs: "${tradedAs}" in streams/evm/${kind.kind}/venue.ts names a kind of another form: ` +
          `${problems.join("; ")}. ` +
          "Name the kind whose contracts are called the same, or leave tradedAs out and give the " +
          "kind an adapter of its own (engine/trade/contract/README.md)"
      ).toEqual([])
    })
  })
}
