/** Uniswap V3 and its forks with the same events. */
import type { ChainVenue } from "../../../src/domain/chain.ts"
import type { DerivedPool, VenueKind } from "../../venue.ts"
import { abiWord, poolAddress, sortTokens } from "../create2.ts"
import { uniswapV3Events } from "./decode.ts"
import { type RangePoolState, rangePoolModel } from "./pool.ts"

/** One pool a fee tier; salt: abi.encode(token0, token1, fee) (UniswapV3PoolDeployer). */
const derivePools = (
  venue: ChainVenue,
  tokenA: string,
  tokenB: string
): ReadonlyArray<DerivedPool> => {
  const tokens = sortTokens(tokenA, tokenB)
  return (venue.feeTiers ?? []).flatMap(({ fee, tickSpacing }) => {
    const words = [...tokens, `0x${fee.toString(16)}`].map(abiWord)
    const pool = poolAddress(venue, words)
    return pool === null ? [] : [{ pool, tokens, fee, tickSpacing }]
  })
}

export const uniswapV3: VenueKind<RangePoolState> = {
  kind: "uniswap-v3",
  events: uniswapV3Events,
  pool: rangePoolModel,
  poolCalls: [
    { fact: "token0", abi: "function token0() view returns (address)" },
    { fact: "token1", abi: "function token1() view returns (address)" },
    { fact: "factory", abi: "function factory() view returns (address)" },
    { fact: "fee", abi: "function fee() view returns (uint24)" },
    { fact: "tickSpacing", abi: "function tickSpacing() view returns (int24)" }
  ],
  derivePools
}
