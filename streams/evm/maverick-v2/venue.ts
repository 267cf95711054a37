/** Maverick V2: liquidity in bins of ticks that may follow the price. */
import type { VenueKind } from "../../venue.ts"
import { maverickV2Events } from "./decode.ts"
import { type BinPoolState, binPoolModel } from "./pool.ts"
import { binPoolStateRead } from "./read.ts"

export const maverickV2: VenueKind<BinPoolState> = {
  kind: "maverick-v2",
  shape: "bins",
  events: maverickV2Events,
  pool: binPoolModel,
  stateRead: binPoolStateRead,
  poolCalls: [
    { fact: "token0", abi: "function tokenA() view returns (address)" },
    { fact: "token1", abi: "function tokenB() view returns (address)" },
    { fact: "factory", abi: "function factory() view returns (address)" },
    { fact: "tickSpacing", abi: "function tickSpacing() view returns (uint256)" }
  ],
  factoryCalls: [
    {
      abi: "function isFactoryPool(address) view returns (bool)",
      asks: "pool",
      args: () => [],
      expects: () => [1n]
    }
  ],
  derivePools: () => []
}
