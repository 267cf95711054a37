/** Algebra for the laws of venue kinds. */
import { integralRules, uniswapV3Rules } from "../../../src/math/concentrated/swap.ts"
import type { Event } from "../../event.ts"
import {
  address,
  amount,
  createdPool,
  factAnswers,
  parameter,
  plainAnswers,
  poolFor
} from "../../law-meanings.ts"
import {
  type Chance,
  type EventArgs,
  type EventMeaning,
  eventOf,
  type LawPool,
  type LawSwap,
  type VenueLaws
} from "../../venue-laws.ts"
import { simulate } from "../range-pool.ts"
import { holdings, pool as rangePool, swapMeaning } from "../range-pool-laws.ts"
import { algebraPoolModel } from "./pool.ts"

const longSwapMeaning = (args: EventArgs, pool: string): EventMeaning => {
  const [override, plugin] = [Number(args["overrideFee"]), Number(args["pluginFee"])]
  const named = { ...args, sqrtPriceX96: amount(args["price"]) }
  return {
    ...swapMeaning(named, pool, "algebra"),
    fee: override === 0 ? null : override + plugin
  } as EventMeaning
}

const one = (name: string, argument: string) => (args: EventArgs, pool: string) =>
  parameter(pool, name, BigInt(args[argument] as number | string))

const created = (args: EventArgs, factory: string): EventMeaning =>
  createdPool("algebra", factory, args["pool"], [args["token0"], args["token1"]])

const meanings: VenueLaws["meanings"] = {
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 price, uint128 liquidity, int24 tick, uint24 overrideFee, uint24 pluginFee)":
    longSwapMeaning,
  "event Fee(uint16 fee)": one("fee", "fee"),
  "event Fee(uint16 feeZto, uint16 feeOtz)": (args, pool) => [
    parameter(pool, "fee", BigInt(args["feeZto"] as number), 0),
    parameter(pool, "fee", BigInt(args["feeOtz"] as number), 1)
  ],
  "event Burn(address indexed owner, int24 indexed bottomTick, int24 indexed topTick, uint128 liquidityAmount, uint256 amount0, uint256 amount1, uint24 pluginFee)":
    (args, pool) => ({
      kind: "LiquidityChanged",
      pool,
      venueKind: "algebra",
      owner: address(args["owner"]),
      sender: null,
      tickLower: Number(args["bottomTick"]),
      tickUpper: Number(args["topTick"]),
      liquidity: -amount(args["liquidityAmount"]),
      amount0: -amount(args["amount0"]),
      amount1: -amount(args["amount1"])
    }),
  "event TickSpacing(int24 newTickSpacing)": one("tickSpacing", "newTickSpacing"),
  "event CommunityFee(uint16 communityFeeNew)": one("communityFee", "communityFeeNew"),
  "event Plugin(address newPluginAddress)": one("plugin", "newPluginAddress"),
  "event PluginConfig(uint8 newPluginConfig)": one("pluginConfig", "newPluginConfig"),
  "event Pool(address indexed token0, address indexed token1, address pool)": created,
  "event CustomPool(address indexed deployer, address indexed token0, address indexed token1, address pool)":
    created
}

/** A V3-shaped pool of any generation; its fee is what it told last. */
const pool = (chance: Chance): LawPool => {
  const { facts, history } = rangePool(chance)
  const told = (name: string, value: bigint, index: number | null = null): Event =>
    eventOf(parameter(facts.pool, name, value, index))
  const fee = () => BigInt(chance.integer(1, 20_000))
  const generations = [
    () => [told("fee", fee())],
    () => [told("fee", fee(), 0), told("fee", fee(), 1)],
    () => [told("pluginConfig", 2n), told("fee", fee()), told("communityFee", 150n)]
  ] as const
  const own = generations[chance.integer(0, 2)]?.() ?? []
  const [initialized, ...mints] = history as [Event, ...Array<Event>]
  return { facts: { ...facts, fee: null }, history: [initialized, ...own, ...mints] }
}

const swapEvents = ({ facts, history }: LawPool, swap: LawSwap): ReadonlyArray<Event> => {
  const zeroForOne = swap.tokenIn === 0
  const state = history.reduce(algebraPoolModel.fold, algebraPoolModel.initial(facts))
  const integral = history.some(e => e.kind === "PoolParameterSet" && e.name === "pluginConfig")
  const fees = history.flatMap(e =>
    e.kind === "PoolParameterSet" && e.name === "fee" ? [Number(e.value)] : []
  )
  const fee = (fees.length === 2 ? fees[swap.tokenIn] : fees[0]) ?? null
  const outcome = simulate(
    state.fine,
    fee,
    { zeroForOne, exactIn: true, amount: swap.amountIn },
    integral ? integralRules : uniswapV3Rules
  )
  if (outcome === null || !outcome.ok) return []
  const args = {
    sender: facts.pool,
    recipient: facts.pool,
    amount0: zeroForOne ? outcome.amountIn : -outcome.amountOut,
    amount1: zeroForOne ? -outcome.amountOut : outcome.amountIn,
    sqrtPriceX96: outcome.sqrtPriceX96,
    liquidity: outcome.liquidity,
    tick: outcome.tick
  }
  return [eventOf(swapMeaning(args, facts.pool, "uniswap-v3"))]
}

export const laws: VenueLaws = {
  kind: "algebra",
  meanings,
  sharedEvents: [
    "Initialize(uint160,int24)",
    "Mint(address,address,int24,int24,uint128,uint256,uint256)",
    "Collect(address,address,int24,int24,uint128,uint128)",
    "Swap(address,address,int256,int256,uint160,uint128,int24)",
    "Burn(address,int24,int24,uint128,uint256,uint256)"
  ],
  feesBeside: {
    pluginFee: "a burn's own, taken of what is paid out",
    communityFee: "a part of the pool's fee"
  },
  factAnswers: factAnswers(
    { ...plainAnswers, "tickSpacing()": ({ facts }) => [facts.tickSpacing as number] },
    { "poolByPair(address,address)": poolFor() }
  ),
  pool,
  holdings,
  swapEvents
}
