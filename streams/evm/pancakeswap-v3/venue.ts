/** PancakeSwap V3 and its forks: Uniswap V3 with another `Swap`; the other events are shared. */
import type { VenueKind } from "../../venue.ts"
import { type RangePoolState, rangePoolModel } from "../range-pool.ts"
import { rangeStateRead } from "../range-read.ts"
import { deriveTierPools, rangePoolCalls, tierFactoryCalls } from "../range-venue.ts"
import { pancakeswapV3Events } from "./decode.ts"

export const pancakeswapV3: VenueKind<RangePoolState> = {
  kind: "pancakeswap-v3",
  registryName: "v3_pancake",
  shape: "v3",
  decodedAs: "uniswap-v3",
  events: pancakeswapV3Events,
  pool: rangePoolModel,
  stateRead: rangeStateRead,
  poolCalls: rangePoolCalls,
  factoryCalls: tierFactoryCalls,
  derivePools: deriveTierPools
}
