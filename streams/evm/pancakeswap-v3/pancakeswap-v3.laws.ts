/** PancakeSwap V3 for the laws of venue kinds. */
import type { Event } from "../../event.ts"
import { type EventArgs, type EventMeaning, eventOf, type VenueLaws } from "../../venue-laws.ts"
import { holdings, pool, swapEvents, swapMeaning } from "../uniswap-v3/uniswap-v3.laws.ts"

const meaning = (args: EventArgs, emitter: string): EventMeaning =>
  ({ ...swapMeaning(args, emitter), venueKind: "pancakeswap-v3" }) as EventMeaning

export const laws: VenueLaws = {
  kind: "pancakeswap-v3",
  meanings: {
    "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)":
      meaning
  },
  pool,
  holdings,
  swapEvents: (pool, swap) =>
    swapEvents(pool, swap).map(
      (event): Event => eventOf({ ...event, venueKind: "pancakeswap-v3" } as EventMeaning)
    )
}
