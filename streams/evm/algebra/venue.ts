/** Algebra: QuickSwap, Camelot, THENA and other venues on its contracts. */
import type { ChainVenue } from "../../../src/domain/chain.ts"
import type { DerivedPool, VenueKind } from "../../venue.ts"
import { abiWord, poolAddress, sortTokens } from "../create2.ts"
import { algebraEvents } from "./decode.ts"
import { type AlgebraPoolState, algebraPoolModel } from "./pool.ts"
import { algebraStateRead } from "./read.ts"

/** One pool for two tokens; salt: abi.encode(token0, token1) (AlgebraPoolDeployer). */
const derivePools = (
  venue: ChainVenue,
  tokenA: string,
  tokenB: string
): ReadonlyArray<DerivedPool> => {
  const tokens = sortTokens(tokenA, tokenB)
  const pool = poolAddress(venue, tokens.map(abiWord))
  return pool === null ? [] : [{ pool, tokens, fee: null, tickSpacing: null }]
}

export const algebra: VenueKind<AlgebraPoolState> = {
  kind: "algebra",
  registryName: "v3_algebra",
  shape: "v3",
  decodedAs: "uniswap-v3",
  events: algebraEvents,
  pool: algebraPoolModel,
  stateRead: algebraStateRead,
  poolCalls: [
    { fact: "token0", abi: "function token0() view returns (address)" },
    { fact: "token1", abi: "function token1() view returns (address)" },
    { fact: "factory", abi: "function factory() view returns (address)" },
    { fact: "tickSpacing", abi: "function tickSpacing() view returns (int24)" }
  ],
  factoryCalls: [
    {
      // Of no deployer: a factory that has the method makes pools of deployers that pools do not
      // name, so it cannot say that one is none of its own.
      abi: "function customPoolByPair(address,address,address) view returns (address)",
      asks: "tokens",
      args: () => [0n],
      expects: () => null
    },
    {
      abi: "function poolByPair(address,address) view returns (address)",
      asks: "tokens",
      args: () => []
    }
  ],
  derivePools
}
