/** Solidly and its forks, with Velodrome v2 and Aerodrome. */
import type { ChainVenue } from "../../../src/domain/chain.ts"
import type { DerivedPool, VenueKind } from "../../venue.ts"
import { poolAddress, sortTokens } from "../create2.ts"
import { solidlyEvents } from "./decode.ts"
import { type SolidlyState, solidlyModel } from "./pool.ts"
import { solidlyStateRead } from "./read.ts"

/**
 * A volatile and a stable pair for two tokens; salt: the packed addresses and the flag
 * (PoolFactory.createPool). Their fees differ and are not the venue's.
 */
const derivePools = (
  venue: ChainVenue,
  tokenA: string,
  tokenB: string
): ReadonlyArray<DerivedPool> => {
  const tokens = sortTokens(tokenA, tokenB)
  return ["0x00", "0x01"].flatMap(stable => {
    const pool = poolAddress(venue, [...tokens, stable])
    const parameters = [{ name: "stable", index: null, value: BigInt(stable) }]
    return pool === null ? [] : [{ pool, tokens, fee: null, tickSpacing: null, parameters }]
  })
}

export const solidly: VenueKind<SolidlyState> = {
  kind: "solidly",
  reserves: { unless: "stable" },
  shape: "v2",
  decodedAs: "uniswap-v2",
  events: solidlyEvents,
  pool: solidlyModel,
  stateRead: solidlyStateRead,
  poolCalls: [
    { fact: "token0", abi: "function token0() view returns (address)" },
    { fact: "token1", abi: "function token1() view returns (address)" },
    { fact: "factory", abi: "function factory() view returns (address)" },
    { fact: "parameter", name: "stable", abi: "function stable() view returns (bool)" }
  ],
  factoryCalls: ["getPair", "getPool"].map(name => ({
    abi: `function ${name}(address,address,bool) view returns (address)`,
    asks: "tokens",
    args: ({ parameters }) => {
      const stable = parameters?.find(one => one.name === "stable")
      return stable === undefined ? "foreign" : [stable.value]
    }
  })),
  derivePools
}
