/**
 * Laws of the calls that tell what a pool is (`poolCalls`) and who made it (`factoryCalls`): the
 * source's own reading of them, over what the laws say that contracts answer.
 */
import { isDeepStrictEqual } from "node:util"
import { Effect, Result } from "effect"
import { type AbiFunction, parseAbiItem, toFunctionSelector } from "viem"
import { describe, expect, it } from "vitest"
import type { PoolFact, PoolParameter } from "../../streams/facts.ts"
import type { Endpoints } from "../../streams/sources/evm-rpc/endpoints.ts"
import { foreignPools } from "../../streams/sources/evm-rpc/foreign-pools.ts"
import { readPools } from "../../streams/sources/evm-rpc/read-facts.ts"
import type { AnyVenueKind, PoolCall } from "../../streams/venue.ts"
import { eventOf, LAW_FACTORY, type LawPool } from "../../streams/venue-laws.ts"
import { testChain } from "./chain-config.ts"
import { random } from "./seed.ts"
import type { KindUnderLaw } from "./venue-laws.ts"

/** A pool that the factory did not make. */
const STRANGER = `0x${"5a".repeat(20)}`
/** Pools that are drawn, of all sorts that a kind has. */
const POOLS = 20

/** The types that a word must have to tell a fact. */
const TYPES: { readonly [F in PoolCall["fact"]]: RegExp } = {
  ...{ factory: /^address$/, token0: /^address$/, token1: /^address$/, token: /^address$/ },
  ...{ tokens: /^address\[\]$/, fee: /^uint\d+$/, tickSpacing: /^u?int\d+$/ },
  parameter: /^(uint\d+|bool|address|bytes32)$/
}

const functionOf = (abi: string): AbiFunction => parseAbiItem(abi) as AbiFunction

/** Whether the calls are sent to the contract that holds all pools, the pool as their first word. */
const isHeld = ({ events }: AnyVenueKind): boolean =>
  events.some(({ namesPool }) => namesPool !== undefined)

/** What is wrong with the form of a call of `poolCalls`; null where nothing. */
const problemOfCall = (kind: AnyVenueKind, call: PoolCall): string | null => {
  const { fact, abi, args = [], word = 0, name, index } = call
  const { inputs, outputs } = functionOf(abi)
  const given = args.length + (isHeld(kind) ? 1 : 0)
  if (inputs.length !== given) {
    return `is given ${given} words and takes ${inputs.length}: write \`args\` beside it`
  }
  const type = outputs[word]?.type
  if (type === undefined || !TYPES[fact].test(type)) {
    return (
      `tells \`${fact}\` by word ${word} of its answer, which is ${type ?? "not there"}: write the ` +
      "place of the right one as `word`, and what the function returns in its ABI"
    )
  }
  if (fact === "parameter" && name === undefined) return "tells a parameter without a `name`"
  return fact === "token" && index === undefined ? "tells a token without its place, `index`" : null
}

const wordsOf = (data: string): ReadonlyArray<bigint> =>
  Array.from({ length: (data.length - 10) / 64 }, (_, i) =>
    BigInt(`0x${data.slice(10 + i * 64, 74 + i * 64)}`)
  )

const hexOf = (words: ReadonlyArray<bigint>): string =>
  `0x${words.map(word => BigInt.asUintN(256, word).toString(16).padStart(64, "0")).join("")}`

/** A node whose contracts answer as the laws say of a pool. */
const nodeOf = ({ kind, laws }: KindUnderLaw, one: LawPool): Endpoints => {
  const abis = [...kind.poolCalls, ...(kind.factoryCalls ?? [])].map(({ abi }) => abi)
  const bySelector = new Map(abis.map(abi => [toFunctionSelector(abi) as string, abi]))
  const answer = ({ to, data }: { readonly to: string; readonly data: string }) => {
    const abi = bySelector.get(data.slice(0, 10)) ?? ""
    const words = laws.factAnswers?.(one, { to, abi, args: wordsOf(data) }) ?? null
    return words === null ? Result.fail({ kind: "refused" }) : Result.succeed(hexOf(words))
  }
  const batch = (calls: ReadonlyArray<{ readonly params: readonly [never] }>) =>
    Effect.succeed(calls.map(({ params }) => answer(params[0])))
  return { batch } as unknown as Endpoints
}

const factOf = (under: KindUnderLaw, one: LawPool): Promise<PoolFact | undefined> => {
  const { kind } = under
  const address = one.facts.pool
  const pool = { address, kind, ...(isHeld(kind) ? { holder: LAW_FACTORY } : {}) }
  return Effect.runPromise(Effect.map(readPools(nodeOf(under, one), [pool], 1), facts => facts[0]))
}

/** The value that a pool's events told last of a parameter at a place; null where they told none. */
const valueTold = (
  { history }: LawPool,
  { name, index }: Pick<PoolParameter, "name" | "index">
): bigint | null => {
  const last = history.findLast(
    event => event.kind === "PoolParameterSet" && event.name === name && event.index === index
  )
  return last?.kind === "PoolParameterSet" ? last.value : null
}

/** What is wrong with a parameter that a call told, by the events of the pool; null: nothing. */
const problemOfParameter = (
  { kind }: KindUnderLaw,
  one: LawPool,
  { name, index, value }: PoolParameter
): string | null => {
  const told = valueTold(one, { name, index })
  if (told === null || told === value) return null
  const calls = kind.poolCalls.filter(call => call.name === name && (call.index ?? null) === index)
  return (
    `the parameter "${name}" is ${value} by ${calls.map(({ abi }) => `"${abi}"`).join(", ")}, and ` +
    `${told} by the history of the pool in the laws (PoolParameterSet). Look whether another word ` +
    "of the answer tells it (`word`), or another function; a contract that counts in other units " +
    "than its event needs a name of its own for each, which the fold knows"
  )
}

/** What the calls tell is the pool of the laws. */
const readsThePool = async (under: KindUnderLaw): Promise<void> => {
  const { kind, laws } = under
  const chance = random(`${kind.kind} facts called`)
  const where = `poolCalls in streams/evm/${kind.kind}/venue.ts, answered as factAnswers of ${kind.kind}.laws.ts says`
  const idle = new Set(kind.poolCalls.flatMap(({ name }) => name ?? []))
  for (let drawn = 0; drawn < POOLS; drawn++) {
    const one = laws.pool(chance)
    const { facts } = one
    const fact = await factOf(under, one)
    const asks = (name: PoolCall["fact"]) => kind.poolCalls.some(call => call.fact === name)
    expect(
      fact?.tokens ?? null,
      `${where}: the tokens in the pool's order. Look which function tells which token; null: fewer ` +
        "than two are told, or one twice"
    ).toEqual(facts.tokens)
    if (asks("factory")) expect(fact?.factory, `${where}: the factory`).toBe(LAW_FACTORY)
    if (asks("fee")) expect(fact?.fee, `${where}: the fee, in 1e-6`).toBe(facts.fee)
    if (asks("tickSpacing")) {
      expect(fact?.tickSpacing, `${where}: the tick spacing`).toBe(facts.tickSpacing)
    }
    for (const parameter of fact?.parameters ?? []) {
      const problem = problemOfParameter(under, one, parameter)
      expect(problem, `${where}: ${problem}`).toBeNull()
      const { name, index, value } = parameter
      const state = kind.pool.initial(facts)
      const after = (told: string) =>
        kind.pool.fold(
          state,
          eventOf({ kind: "PoolParameterSet", pool: facts.pool, name: told, index, value })
        )
      // folds that know the time change with any event of the pool
      if (!isDeepStrictEqual(after(name), after("no such parameter"))) idle.delete(name)
    }
  }
  expect(
    [...idle],
    `${where}: parameters that the fold of the kind does not know, or that no contract tells. Their ` +
      "names are those of the fold"
  ).toEqual([])
}

/** A factory knows the pool that it made, and no other. */
const knowsItsPools = async (under: KindUnderLaw): Promise<void> => {
  const { kind, laws } = under
  const chance = random(`${kind.kind} factory called`)
  const venue = { id: "law", kind: kind.kind, factory: LAW_FACTORY as never }
  const chain = { ...testChain, venues: [venue] }
  const where = `factoryCalls in streams/evm/${kind.kind}/venue.ts, answered as factAnswers of ${kind.kind}.laws.ts says`
  for (let drawn = 0; drawn < POOLS; drawn++) {
    const one = laws.pool(chance)
    const read = await factOf(under, one)
    // what the pool is has a law of its own
    if (read === undefined) return
    const fact = { ...read, factory: LAW_FACTORY }
    const ask = (pool: string) =>
      Effect.runPromise(foreignPools(chain, nodeOf(under, one), [{ ...fact, pool }], 1))
    const denied = [...(await ask(fact.pool))]
    expect(
      denied,
      `${where}: the factory denies a pool of its own. Look at \`args\` and \`expects\``
    ).toEqual([])
    expect(
      [...(await ask(STRANGER))],
      `${where}: the factory does not deny a pool that it did not make, so anybody's contract is one ` +
        "of the venue. Look at `asks`, `args` and `expects`"
    ).toEqual([STRANGER])
  }
}

export const factCallLaws = (under: KindUnderLaw): void => {
  const { kind, laws } = under
  describe(`${kind.kind}: calls`, () => {
    it("are given what they take, and tell by words of the right type", () => {
      const problems = kind.poolCalls.flatMap(call => {
        const problem = problemOfCall(kind, call)
        return problem === null ? [] : [`poolCalls of ${kind.kind}, "${call.abi}": ${problem}`]
      })
      expect(problems, problems.join("\n")).toEqual([])
    })

    if (kind.poolCalls.length === 0) return
    it("are answered by the laws", () =>
      expect(
        laws.factAnswers,
        `${kind.kind}.laws.ts says not what contracts answer to poolCalls: write factAnswers ` +
          "(streams/venue-laws.ts)"
      ).toBeDefined())
    it("tell what the pool is", () => readsThePool(under))
    if (kind.factoryCalls === undefined) return
    it("ask a factory which knows its own pools and no others", () => knowsItsPools(under))
  })
}
