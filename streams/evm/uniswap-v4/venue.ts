/** Uniswap V4: one PoolManager a chain, which is its pools' factory. */
import type { VenueKind } from "../../venue.ts"
import { uniswapV4Events } from "./decode.ts"
import { type HookedPoolState, hookedPoolModel } from "./pool.ts"
import { hookedStateRead } from "./read.ts"

export const uniswapV4: VenueKind<HookedPoolState> = {
  kind: "uniswap-v4",
  registryName: "v4",
  shape: "v4",
  oneContract: "all",
  hasHooks: true,
  events: uniswapV4Events,
  pool: hookedPoolModel,
  stateRead: hookedStateRead,
  // A pool is no contract: only its `Initialize` tells what it is.
  poolCalls: [],
  derivePools: () => []
}
