/** What kinds of V3-shaped pools ask of a pool, and where their factories put it. */
import type { ChainVenue } from "../../src/domain/chain.ts"
import type { DerivedPool, FactoryCall, PoolCall } from "../venue.ts"
import { abiWord, poolAddress, sortTokens } from "./create2.ts"

/** One pool a fee tier; salt: abi.encode(token0, token1, fee) (UniswapV3PoolDeployer). */
export const deriveTierPools = (
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

export const rangePoolCalls: ReadonlyArray<PoolCall> = [
  { fact: "token0", abi: "function token0() view returns (address)" },
  { fact: "token1", abi: "function token1() view returns (address)" },
  { fact: "factory", abi: "function factory() view returns (address)" },
  { fact: "fee", abi: "function fee() view returns (uint24)" },
  { fact: "tickSpacing", abi: "function tickSpacing() view returns (int24)" }
]

/**
 * Factories find a pool by its fee, or by its tick spacing where fees may change later. Which of
 * the two is not known of a venue without listed tiers: it is asked for both, the spacing first.
 */
export const tierFactoryCalls: ReadonlyArray<FactoryCall> = [
  {
    abi: "function getPool(address,address,int24) view returns (address)",
    asks: "tokens",
    args: ({ fee, tickSpacing }, { feeTiers = [] }) => {
      if (feeTiers.length > 0) return null
      if (tickSpacing === null) return fee === null ? "foreign" : null
      return [BigInt(tickSpacing)]
    }
  },
  {
    abi: "function getPool(address,address,uint24) view returns (address)",
    asks: "tokens",
    args: ({ fee }, { feeTiers = [] }) => {
      if (fee !== null) return [BigInt(fee)]
      return feeTiers.length > 0 ? "foreign" : null
    }
  }
]
