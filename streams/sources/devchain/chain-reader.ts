/** What the traders read before they act, in one or two calls a block through the Lens contract. */
import { Effect } from "effect"
import { decodeAbiParameters, encodeFunctionData } from "viem"
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

const addressOf = (word: bigint): Hex => `0x${word.toString(16).padStart(40, "0")}`

export const makeChainReader = (rpc: AnvilRpc, market: Market, launches: Launches): ChainReader => {
  const { contracts } = market.network
  const ask = (data: Hex) =>
    rpc
      .call("eth_call", { to: contracts.lens, data }, "latest")
      .pipe(Effect.map(answer => decodeAbiParameters([{ type: "uint256[]" }], answer)[0]))

  const readPools = Effect.fnUntraced(function* (assumedCount: number) {
    const listed = [...market.pools, ...launches.traded(assumedCount)]
    // The lens answers V2 first, so the list is kept in that order too.
    const pools = [
      ...listed.filter(pool => pool.kind === "v2"),
      ...listed.filter(pool => pool.kind === "v3")
    ]
    const of = (kind: "v2" | "v3") => pools.filter(p => p.kind === kind).map(p => p.address)
    const words = yield* ask(
      encodeFunctionData({
        abi: lensAbi,
        functionName: "pools",
        args: [contracts.launcher, of("v2"), of("v3")]
      })
    )
    return {
      launchCount: Number(words[0]),
      pools: pools.map((pool, i) => ({
        pool,
        state: { a: words[1 + 2 * i] as bigint, b: words[2 + 2 * i] as bigint }
      }))
    }
  })

  let lastCount = 0
  const readMarket = Effect.gen(function* () {
    const first = yield* readPools(lastCount)
    if (first.launchCount === lastCount) return first
    lastCount = first.launchCount
    return yield* readPools(lastCount)
  })

  const holdings = Effect.fnUntraced(function* (queries: ReadonlyArray<HoldingQuery>) {
    if (queries.length === 0) return []
    const words = yield* ask(
      encodeFunctionData({
        abi: lensAbi,
        functionName: "holdings",
        args: [queries.map(q => q.token), queries.map(q => q.owner), queries.map(q => q.spender)]
      })
    )
    return queries.map((_, i) => ({
      balance: words[2 * i] as bigint,
      allowance: words[2 * i + 1] as bigint
    }))
  })

  const positions = Effect.fnUntraced(function* (owner: Hex) {
    const words = yield* ask(
      encodeFunctionData({
        abi: lensAbi,
        functionName: "positions",
        args: [contracts.positionManager, owner, MOST_POSITIONS]
      })
    )
    return Array.from({ length: words.length / 7 }, (_, i) => {
      const [id, token0, token1, fee, , , liquidity] = words.slice(
        7 * i,
        7 * i + 7
      ) as Array<bigint>
      return {
        id: id as bigint,
        token0: addressOf(token0 as bigint),
        token1: addressOf(token1 as bigint),
        fee: Number(fee),
        liquidity: liquidity as bigint
      }
    })
  })

  return { market: readMarket, holdings, positions }
}
