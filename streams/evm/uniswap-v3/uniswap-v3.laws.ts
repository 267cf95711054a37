/** Uniswap V3 for the laws of venue kinds. */
import {
  address,
  amount,
  createdPool,
  factAnswers,
  plainAnswers,
  poolFor
} from "../../law-meanings.ts"
import type { EventArgs, VenueLaws } from "../../venue-laws.ts"
import { holdings, pool, swapEvents, swapMeaning } from "../range-pool-laws.ts"

const position = (args: EventArgs, pool: string) => ({
  pool,
  owner: address(args["owner"]),
  tickLower: Number(args["tickLower"]),
  tickUpper: Number(args["tickUpper"])
})

const meanings: VenueLaws["meanings"] = {
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)":
    (args, pool) => swapMeaning(args, pool, "uniswap-v3"),
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)":
    (args, pool) => ({
      kind: "LiquidityChanged",
      venueKind: "uniswap-v3",
      ...position(args, pool),
      sender: address(args["sender"]),
      liquidity: amount(args["amount"]),
      amount0: amount(args["amount0"]),
      amount1: amount(args["amount1"])
    }),
  "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)":
    (args, pool) => ({
      kind: "LiquidityChanged",
      venueKind: "uniswap-v3",
      ...position(args, pool),
      sender: null,
      liquidity: -amount(args["amount"]),
      amount0: -amount(args["amount0"]),
      amount1: -amount(args["amount1"])
    }),
  "event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)":
    (args, pool) => ({
      kind: "FeesCollected",
      ...position(args, pool),
      recipient: address(args["recipient"]),
      amount0: amount(args["amount0"]),
      amount1: amount(args["amount1"])
    }),
  "event Initialize(uint160 sqrtPriceX96, int24 tick)": (args, pool) => ({
    kind: "PoolInitialized",
    pool,
    sqrtPriceX96: amount(args["sqrtPriceX96"]),
    tick: Number(args["tick"])
  }),
  "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)":
    (args, factory) =>
      createdPool("uniswap-v3", factory, args["pool"], [args["token0"], args["token1"]], {
        fee: Number(args["fee"]),
        tickSpacing: Number(args["tickSpacing"])
      })
}

export const laws: VenueLaws = {
  kind: "uniswap-v3",
  meanings,
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
  swapEvents: swapEvents("uniswap-v3")
}
