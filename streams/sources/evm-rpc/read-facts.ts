/**
 * Pools and tokens as their contracts describe themselves, read once. What cannot be read is null;
 * a pool without its two tokens is no pool.
 */
import { Effect, Predicate, Result } from "effect"
import { toFunctionSelector } from "viem"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import type { PoolFact, PoolParameter, TokenFact } from "../../facts.ts"
import { NAME_LIMIT, SYMBOL_LIMIT } from "../../shown-text.ts"
import type { SourceError } from "../../source.ts"
import type { AnyVenueKind, PoolCall } from "../../venue.ts"
import { fromWord, readAddress, readInt24, readSmallUint, readText, readUint } from "./abi-text.ts"
import type { Endpoints } from "./endpoints.ts"

interface ContractCall {
  readonly to: string
  readonly data: string
}

/** Rounds after which a call that only ever gets error objects counts as refused. */
const ROUNDS = 6

const readResult = (result: unknown): string | null => (Predicate.isString(result) ? result : null)

const callsAt = (calls: ReadonlyArray<ContractCall>, block: string) =>
  calls.map(call => ({ method: "eth_call", params: [call, block] }))

/**
 * Results of calls in order, null where a contract refused or is none. Asked at the block; where
 * the node no longer has (or not yet has) its state, at the newest one.
 */
export const callAll = (
  endpoints: Endpoints,
  calls: ReadonlyArray<ContractCall>,
  block: number
): Effect.Effect<ReadonlyArray<string | null>, RpcError | SourceError> =>
  Effect.gen(function* () {
    const options = { rounds: ROUNDS }
    const at = `0x${block.toString(16)}`
    const results = yield* endpoints.batch(callsAt(calls, at), readResult, options)
    const stateless = results.flatMap((result, i) =>
      Result.isFailure(result) && result.failure.kind === "no-state" ? [i] : []
    )
    const retried = stateless.map(i => calls[i] as ContractCall)
    const latest = yield* endpoints.batch(callsAt(retried, "latest"), readResult, options)
    const byPlace = new Map(stateless.map((place, i) => [place, latest[i]]))
    return results.map((result, place) => {
      const final = byPlace.get(place) ?? result
      return Result.isSuccess(final) ? final.success : null
    })
  })

/** An unknown pool: its address or id, and the kind whose event it emitted or was named in. */
export interface UnknownPool {
  readonly address: string
  readonly kind: AnyVenueKind
  /** the contract that holds the pool and is asked about it, where that is not the pool itself */
  readonly holder?: string
}

/** Each call of a kind with its result, null where the contract refused. */
type Answers = ReadonlyArray<readonly [PoolCall, string | null]>

/** The addresses of an array whose offset is the first word; none where it is no such array. */
const listedTokens = (result: string): ReadonlyArray<string> => {
  const offset = readSmallUint(result, 1024)
  if (offset === null || offset % 32 !== 0) return []
  const list = fromWord(result, offset / 32)
  const length = readSmallUint(list, 64) ?? 0
  const tokens = Array.from({ length }, (_, i) => readAddress(fromWord(list, i + 1)))
  return tokens.includes(null) ? [] : (tokens as ReadonlyArray<string>)
}

/** A pool's tokens in its order: `token0`, `token1`, and `token` by place up to the first gap. */
const tokensOf = (answers: Answers): ReadonlyArray<string> => {
  const list = answers.find(([{ fact }]) => fact === "tokens")
  if (list !== undefined) return listedTokens(list[1] ?? "0x")
  const byPlace: Array<string | undefined> = []
  for (const [{ fact, index }, result] of answers) {
    const place = fact === "token0" ? 0 : fact === "token1" ? 1 : fact === "token" ? index : null
    if (place === null || place === undefined) continue
    byPlace[place] ??= readAddress(result ?? "0x") ?? undefined
  }
  const tokens = Array.from(byPlace)
  const gap = tokens.indexOf(undefined)
  return (gap < 0 ? tokens : tokens.slice(0, gap)) as ReadonlyArray<string>
}

/** Of several calls for one parameter the first answered counts. */
const parametersOf = (answers: Answers): ReadonlyArray<PoolParameter> => {
  const found: Array<PoolParameter> = []
  for (const [{ fact, name, index = null }, result] of answers) {
    const value = fact === "parameter" && result !== null ? readUint(result) : null
    if (name === undefined || value === null) continue
    if (found.some(one => one.name === name && one.index === index)) continue
    found.push({ name, index, value })
  }
  return found
}

const poolFact = (
  { address, kind, holder }: UnknownPool,
  results: ReadonlyArray<string | null>
): PoolFact | null => {
  const answers = kind.poolCalls.map((call, i) => {
    const result = results[i] ?? null
    return [call, result === null ? null : fromWord(result, call.word)] as const
  })
  const of = (fact: string): string => answers.find(([call]) => call.fact === fact)?.[1] ?? "0x"
  const tokens = tokensOf(answers)
  if (tokens.length < 2 || new Set(tokens).size < tokens.length) return null
  const parameters = parametersOf(answers)
  return {
    pool: address,
    venueKind: kind.kind,
    factory: holder ?? readAddress(of("factory")),
    tokens,
    fee: readSmallUint(of("fee"), 1_000_000),
    tickSpacing: readInt24(of("tickSpacing")),
    source: "call",
    ...(parameters.length > 0 && { parameters })
  }
}

export const callData = ({ abi, args = [] }: Pick<PoolCall, "abi" | "args">): string =>
  toFunctionSelector(abi) + args.map(arg => arg.toString(16).padStart(64, "0")).join("")

/** Facts of those of the pools that tell their tokens. */
export const readPools = (
  endpoints: Endpoints,
  pools: ReadonlyArray<UnknownPool>,
  block: number
): Effect.Effect<ReadonlyArray<PoolFact>, RpcError | SourceError> => {
  const calls = pools.flatMap(({ address, kind, holder }) =>
    kind.poolCalls.map(call => {
      if (holder === undefined) return { to: address, data: callData(call) }
      const args = [BigInt(address), ...(call.args ?? [])]
      return { to: holder, data: callData({ ...call, args }) }
    })
  )
  return Effect.map(callAll(endpoints, calls, block), results => {
    let at = 0
    return pools.flatMap(pool => {
      const own = results.slice(at, at + pool.kind.poolCalls.length)
      at += pool.kind.poolCalls.length
      const fact = poolFact(pool, own)
      return fact === null ? [] : [fact]
    })
  })
}

const TOKEN_CALLS = ["symbol()", "name()", "decimals()", "totalSupply()"].map(signature =>
  toFunctionSelector(signature)
)

/** Facts of every one of the tokens; those that say nothing have nulls only. */
export const readTokens = (
  endpoints: Endpoints,
  tokens: ReadonlyArray<string>,
  block: number
): Effect.Effect<ReadonlyArray<TokenFact>, RpcError | SourceError> => {
  const calls = tokens.flatMap(to => TOKEN_CALLS.map(data => ({ to, data })))
  return Effect.map(callAll(endpoints, calls, block), results =>
    tokens.map((token, i) => {
      const [symbol, name, decimals, supply] = results
        .slice(i * TOKEN_CALLS.length, (i + 1) * TOKEN_CALLS.length)
        .map(result => result ?? "0x")
      return {
        token,
        symbol: readText(symbol ?? "0x", SYMBOL_LIMIT),
        name: readText(name ?? "0x", NAME_LIMIT),
        decimals: readSmallUint(decimals ?? "0x", 255),
        totalSupply: readUint(supply ?? "0x"),
        source: "call"
      }
    })
  )
}
