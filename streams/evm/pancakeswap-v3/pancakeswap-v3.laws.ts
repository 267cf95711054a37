/** PancakeSwap V3 for the laws of venue kinds. */
import { factAnswers, plainAnswers, poolFor } from "../../law-meanings.ts"
import type { VenueLaws } from "../../venue-laws.ts"
import { holdings, pool, swapEvents, swapMeaning } from "../range-pool-laws.ts"

export const laws: VenueLaws = {
  kind: "pancakeswap-v3",
  meanings: {
    "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)":
      (args, emitter) => swapMeaning(args, emitter, "pancakeswap-v3")
  },
  sharedEvents: [
    "PoolCreated(address,address,uint24,int24,address)",
    "Initialize(uint160,int24)",
    "Mint(address,address,int24,int24,uint128,uint256,uint256)",
    "Burn(address,int24,int24,uint128,uint256,uint256)",
    "Collect(address,address,int24,int24,uint128,uint128)"
  ],
  feesBeside: {
    protocolFeesToken0: "a part of the pool's fee",
    protocolFeesToken1: "a part of the pool's fee"
  },
  factAnswers: factAnswers(
    {
      ...plainAnswers,
      "fee()": ({ facts }) => (facts.fee === null ? null : [facts.fee]),
      "tickSpacing()": ({ facts }) => [facts.tickSpacing as number]
    },
    { "getPool(address,address,uint24)": poolFor(({ facts }) => [facts.fee]) }
  ),
  pool,
  holdings,
  swapEvents: swapEvents("pancakeswap-v3")
}
