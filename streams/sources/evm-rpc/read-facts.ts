/**
 * Pools and tokens as their contracts describe themselves, read once. What cannot be read is null;
 * a pool without its two tokens is no pool.
 */
import { Effect, Predicate, Result } from "effect"
import { toFunctionSelector } from "viem"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import type { PoolFact, TokenFact } from "../../facts.ts"
import type { SourceError } from "../../source.ts"
import type { AnyVenueKind } from "../../venue.ts"
import {
  NAME_LIMIT,
  readAddress,
  readInt24,
  readSmallUint,
  readText,
  readUint,
  SYMBOL_LIMIT
} from "./abi-text.ts"
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
const callAll = (
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

/** An unknown pool: its address, and the kind whose event it emitted. */
export interface UnknownPool {
  readonly address: string
  readonly kind: AnyVenueKind
}

const poolFact = (
  { address, kind }: UnknownPool,
  results: ReadonlyArray<string | null>
): PoolFact | null => {
  const of = (fact: string): string => {
    const place = kind.poolCalls.findIndex(call => call.fact === fact)
    return results[place] ?? "0x"
  }
  const token0 = readAddress(of("token0"))
  const token1 = readAddress(of("token1"))
  if (token0 === null || token1 === null || token0 === token1) return null
  return {
    pool: address,
    venueKind: kind.kind,
    factory: readAddress(of("factory")),
    tokens: [token0, token1],
    fee: readSmallUint(of("fee"), 1_000_000),
    tickSpacing: readInt24(of("tickSpacing")),
    source: "call"
  }
}

/** Facts of those of the pools that tell their tokens. */
export const readPools = (
  endpoints: Endpoints,
  pools: ReadonlyArray<UnknownPool>,
  block: number
): Effect.Effect<ReadonlyArray<PoolFact>, RpcError | SourceError> => {
  const calls = pools.flatMap(({ address, kind }) =>
    kind.poolCalls.map(call => ({ to: address, data: toFunctionSelector(call.abi) }))
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
