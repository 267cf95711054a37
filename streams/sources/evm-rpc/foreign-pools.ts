/**
 * Pools that name a factory of the chain's list which did not make them. Any contract can answer
 * `factory()` as it likes: so the address must follow from the factory (CREATE2), or the factory is
 * asked. A factory that does not answer denies nothing; a pool that does not tell what its factory
 * has to be asked with is none of its own.
 */
import { Effect } from "effect"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import { venueKinds } from "../../evm/venue-kinds.ts"
import type { PoolFact } from "../../facts.ts"
import { venueOfPool } from "../../pool-venue.ts"
import type { SourceError } from "../../source.ts"
import { readWords } from "./abi-text.ts"
import type { Endpoints } from "./endpoints.ts"
import { callAll, callData } from "./read-facts.ts"

interface Question {
  readonly pool: string
  readonly call: { readonly to: string; readonly data: string }
  /** null where an answer means that the factory cannot tell */
  readonly expected: ReadonlyArray<bigint> | null
}

/** What there is to ask a factory about a pool: nothing where its address proves it. */
const callsOf = (chain: ChainConfig, fact: PoolFact): ReadonlyArray<Question> | "foreign" => {
  const { pool, tokens, factory, venueKind } = fact
  const venue = venueOfPool(chain, factory, venueKind)
  const kind = venueKinds.find(one => one.kind === venue?.kind)
  const [tokenA, tokenB] = tokens
  if (venue === null || kind === undefined || tokenA === undefined || tokenB === undefined)
    return []
  const { factoryCalls = [] } = kind
  if (factoryCalls.length === 0) return []
  if (kind.derivePools(venue, tokenA, tokenB).some(one => one.pool === pool)) return []
  const questions: Array<Question> = []
  for (const { abi, asks, args, expects } of factoryCalls) {
    const more = args(fact, venue)
    if (more === "foreign") return more
    if (more === null) continue
    const subject = asks === "pool" ? [pool] : [tokenA, tokenB]
    const data = callData({ abi, args: [...subject.map(BigInt), ...more] })
    const expected = expects === undefined ? [BigInt(pool)] : expects(fact)
    questions.push({ pool, call: { to: venue.factory, data }, expected })
  }
  return questions
}

/** Addresses of those of the pools that their factory denies. */
export const foreignPools = (
  chain: ChainConfig,
  endpoints: Endpoints,
  facts: ReadonlyArray<PoolFact>,
  block: number
): Effect.Effect<ReadonlySet<string>, RpcError | SourceError> => {
  const foreign = new Set<string>()
  const asked = facts.flatMap(fact => {
    const questions = callsOf(chain, fact)
    if (questions !== "foreign") return questions
    foreign.add(fact.pool)
    return []
  })
  if (asked.length === 0) return Effect.succeed(foreign)
  const calls = asked.map(({ call }) => call)
  return Effect.map(callAll(endpoints, calls, block), results => {
    const heard = new Set<string>()
    for (const [i, { pool, expected }] of asked.entries()) {
      const words = readWords(results[i] ?? "0x")
      if (words.length === 0 || heard.has(pool)) continue
      heard.add(pool)
      if (expected?.every(word => words.includes(word)) === false) foreign.add(pool)
    }
    return foreign
  })
}
