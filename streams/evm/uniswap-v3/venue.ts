/** Uniswap V3 and its forks with the same events. */
import type { VenueKind } from "../../venue.ts"
import { type RangePoolState, rangePoolModel } from "../range-pool.ts"
import { rangeStateRead } from "../range-read.ts"
import { deriveTierPools, rangePoolCalls, tierFactoryCalls } from "../range-venue.ts"
import { uniswapV3Events } from "./decode.ts"

export const uniswapV3: VenueKind<RangePoolState> = {
  kind: "uniswap-v3",
  registryName: "v3",
  shape: "v3",
  events: uniswapV3Events,
  pool: rangePoolModel,
  stateRead: rangeStateRead,
  poolCalls: rangePoolCalls,
  factoryCalls: tierFactoryCalls,
  derivePools: deriveTierPools
}
