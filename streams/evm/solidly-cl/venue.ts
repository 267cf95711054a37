/** The concentrated pools of Velodrome, Aerodrome and kin. */
import type { ChainVenue } from "../../../src/domain/chain.ts"
import type { DerivedPool, VenueKind } from "../../venue.ts"
import { abiWord, poolAddress, sortTokens } from "../create2.ts"
import type { RangePoolState } from "../range-pool.ts"
import { solidlyClEvents } from "./decode.ts"
import { slipstreamModel } from "./pool.ts"
import { slipstreamStateRead } from "./read.ts"

/** Spacings that factories begin with; one that a factory lacks gives an address without a pool. */
const SPACINGS = [1, 10, 50, 100, 200, 2000]

/** One pool a tick spacing, a clone; salt: abi.encode(token0, token1, tickSpacing) (CLFactory). */
const derivePools = (
  venue: ChainVenue,
  tokenA: string,
  tokenB: string
): ReadonlyArray<DerivedPool> => {
  const tokens = sortTokens(tokenA, tokenB)
  const listed = venue.feeTiers?.flatMap(tier => tier.tickSpacing ?? [])
  return (listed ?? SPACINGS).flatMap(tickSpacing => {
    const words = [...tokens, `0x${tickSpacing.toString(16)}`].map(abiWord)
    const pool = poolAddress(venue, words)
    return pool === null ? [] : [{ pool, tokens, fee: null, tickSpacing }]
  })
}

export const solidlyCl: VenueKind<RangePoolState> = {
  kind: "solidly-cl",
  shape: "v3",
  decodedAs: "uniswap-v3",
  events: solidlyClEvents,
  pool: slipstreamModel,
  stateRead: slipstreamStateRead,
  // `fee()` answers for one moment only, so it is not asked.
  poolCalls: [
    { fact: "token0", abi: "function token0() view returns (address)" },
    { fact: "token1", abi: "function token1() view returns (address)" },
    { fact: "factory", abi: "function factory() view returns (address)" },
    { fact: "tickSpacing", abi: "function tickSpacing() view returns (int24)" }
  ],
  factoryCalls: [
    {
      abi: "function getPool(address,address,int24) view returns (address)",
      asks: "tokens",
      args: ({ tickSpacing }) =>
        tickSpacing === null || tickSpacing < 0 ? "foreign" : [BigInt(tickSpacing)]
    }
  ],
  derivePools
}
