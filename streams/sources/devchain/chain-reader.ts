/** What the traders read before they act, in one or two calls a block through the Lens contract. */

import { Effect } from "effect"
import { decodeAbiParameters, encodeFunctionData } from "viem"
import { addressOfWord } from "../../../src/domain/address.ts"
import type { AnvilRpc, Hex } from "../../../src/platform/anvil-rpc.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import { lensAbi } from "./abi.ts"
import type { Launches } from "./launches.ts"
import type { Market, Pool } from "./market.ts"
import type { PoolState } from "./pool-state.ts"

export interface MarketState {
  readonly launchCount: number
  readonly pools: ReadonlyArray<{ readonly pool: Pool; readonly state: PoolState }>
}

/** A balance, and how much of it a spender may take. */
export interface Holding {
  readonly balance: bigint
  readonly allowance: bigint
}

export interface HoldingQuery {
  readonly token: Hex
  readonly owner: Hex
  readonly spender: Hex
}

/** A V3 position. */
export interface Position {
  readonly id: bigint
  readonly token0: Hex
  readonly token1: Hex
  readonly fee: number
  readonly liquidity: bigint
}

export interface ChainReader {
  readonly market: Effect.Effect<MarketState, RpcError>
  readonly holdings: (
    queries: ReadonlyArray<HoldingQuery>
  ) => Effect.Effect<ReadonlyArray<Holding>, RpcError>
  readonly positions: (owner: Hex) => Effect.Effect<ReadonlyArray<Position>, RpcError>
}

/** Positions looked at per provider; the oldest come first and are closed in time. */
const MOST_POSITIONS = 12n

/** Words the lens gives for a position. */
const POSITION_WORDS = 7

type Words = ReadonlyArray<bigint>

/** The pools in the lens's order: V2 first. */
const listPools = (market: Market, launches: Launches, launchCount: number) => {
  const all = [...market.pools, ...launches.traded(launchCount)]
  const of = (kind: "v2" | "v3") => all.filter(pool => pool.kind === kind)
  return { pairs: of("v2"), v3: of("v3") }
}

const poolsCall = (market: Market, pairs: ReadonlyArray<Pool>, v3: ReadonlyArray<Pool>): Hex =>
  encodeFunctionData({
    abi: lensAbi,
    functionName: "pools",
    args: [
      market.network.contracts.launcher,
      pairs.map(pool => pool.address),
      v3.map(pool => pool.address)
    ]
  })

const readPositions = (words: Words): ReadonlyArray<Position> =>
  Array.from({ length: words.length / POSITION_WORDS }, (_, i) => {
    const word = (at: number) => words[POSITION_WORDS * i + at] as bigint
    return {
      id: word(0),
      token0: addressOfWord(word(1)),
      token1: addressOfWord(word(2)),
      fee: Number(word(3)),
      liquidity: word(6)
    }
  })

/** Reads a chain at its newest block. */
export const makeChainReader = (rpc: AnvilRpc, market: Market, launches: Launches): ChainReader => {
  const { lens, positionManager } = market.network.contracts
  const ask = (data: Hex): Effect.Effect<Words, RpcError> =>
    rpc
      .call("eth_call", { to: lens, data }, "latest")
      .pipe(Effect.map(answer => decodeAbiParameters([{ type: "uint256[]" }], answer)[0]))

  const readPools = Effect.fnUntraced(function* (assumedCount: number) {
    const { pairs, v3 } = listPools(market, launches, assumedCount)
    const words = yield* ask(poolsCall(market, pairs, v3))
    const state = (i: number) => ({ a: words[1 + 2 * i] as bigint, b: words[2 + 2 * i] as bigint })
    const pools = [...pairs, ...v3].map((pool, i) => ({ pool, state: state(i) }))
    return { launchCount: Number(words[0]), pools }
  })

  let lastCount = 0
  const readMarket = Effect.gen(function* () {
    const read = yield* readPools(lastCount)
    if (read.launchCount === lastCount) return read
    lastCount = read.launchCount
    return yield* readPools(lastCount)
  })

  const holdings = Effect.fnUntraced(function* (queries: ReadonlyArray<HoldingQuery>) {
    if (queries.length === 0) return []
    const args = [
      queries.map(query => query.token),
      queries.map(query => query.owner),
      queries.map(query => query.spender)
    ] as const
    const words = yield* ask(encodeFunctionData({ abi: lensAbi, functionName: "holdings", args }))
    const word = (at: number) => words[at] as bigint
    return queries.map((_, i) => ({ balance: word(2 * i), allowance: word(2 * i + 1) }))
  })

  const positions = (owner: Hex) => {
    const args = [positionManager, owner, MOST_POSITIONS] as const
    return ask(encodeFunctionData({ abi: lensAbi, functionName: "positions", args })).pipe(
      Effect.map(readPositions)
    )
  }

  return { market: readMarket, holdings, positions }
}
