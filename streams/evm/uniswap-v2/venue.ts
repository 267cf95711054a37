/** Uniswap V2 and its forks. */
import type { ChainVenue } from "../../../src/domain/chain.ts"
import type { DerivedPool, VenueKind } from "../../venue.ts"
import { poolAddress, sortTokens } from "../create2.ts"
import { uniswapV2Events } from "./decode.ts"
import { type PairState, pairModel } from "./pool.ts"
import { pairStateRead } from "./read.ts"

/** One pair for two tokens; salt: the packed addresses (UniswapV2Factory.createPair). */
const derivePools = (
  venue: ChainVenue,
  tokenA: string,
  tokenB: string
): ReadonlyArray<DerivedPool> => {
  const tokens = sortTokens(tokenA, tokenB)
  const pool = poolAddress(venue, tokens)
  const fee = venue.feeBps === undefined ? null : Math.round(venue.feeBps * 100)
  return pool === null ? [] : [{ pool, tokens, fee, tickSpacing: null }]
}

export const uniswapV2: VenueKind<PairState> = {
  kind: "uniswap-v2",
  registryName: "v2",
  hasVenueFee: true,
  reserves: "price",
  shape: "v2",
  events: uniswapV2Events,
  pool: pairModel,
  stateRead: pairStateRead,
  poolCalls: [
    { fact: "token0", abi: "function token0() view returns (address)" },
    { fact: "token1", abi: "function token1() view returns (address)" },
    { fact: "factory", abi: "function factory() view returns (address)" }
  ],
  factoryCalls: [
    {
      abi: "function getPair(address,address) view returns (address)",
      asks: "tokens",
      args: () => []
    }
  ],
  derivePools
}
