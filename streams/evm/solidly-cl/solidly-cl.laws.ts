/** The concentrated pools of Velodrome and Aerodrome for the laws of venue kinds. */
import { address, createdPool, factAnswers, plainAnswers, poolFor } from "../../law-meanings.ts"
import type { VenueLaws } from "../../venue-laws.ts"
import { holdings, pool, swapEvents } from "../range-pool-laws.ts"

export const laws: VenueLaws = {
  kind: "solidly-cl",
  poolArgument: "pool",
  meanings: {
    "event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool)":
      (args, factory) =>
        createdPool("solidly-cl", factory, args["pool"], [args["token0"], args["token1"]], {
          tickSpacing: Number(args["tickSpacing"])
        }),
    "event CollectFees(address indexed recipient, uint128 amount0, uint128 amount1)": (
      args,
      pool
    ) => ({
      kind: "FeesCollected",
      pool,
      owner: null,
      recipient: address(args["recipient"]),
      tickLower: null,
      tickUpper: null,
      amount0: args["amount0"] as bigint,
      amount1: args["amount1"] as bigint
    })
  },
  sharedEvents: [
    "Swap(address,address,int256,int256,uint160,uint128,int24)",
    "Mint(address,address,int24,int24,uint128,uint256,uint256)",
    "Burn(address,int24,int24,uint128,uint256,uint256)",
    "Collect(address,address,int24,int24,uint128,uint128)",
    "Initialize(uint160,int24)"
  ],
  factAnswers: factAnswers(
    { ...plainAnswers, "tickSpacing()": ({ facts }) => [facts.tickSpacing as number] },
    { "getPool(address,address,int24)": poolFor(({ facts }) => [facts.tickSpacing]) }
  ),
  pool,
  holdings,
  // the pool logs V3's Swap, which is decoded as V3's
  swapEvents: swapEvents("uniswap-v3")
}
