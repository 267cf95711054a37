/** Uniswap V4 for the laws of venue kinds. */
import { uniswapV4Rules } from "../../../src/math/concentrated/swap.ts"
import type { Event } from "../../event.ts"
import { address, amount, createdPool } from "../../law-meanings.ts"
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
import { holdings as rangeHoldings, pool as rangePool } from "../range-pool-laws.ts"
import { hookedPoolModel } from "./pool.ts"

const POOL = `0x${"dd".repeat(32)}`
const SENDER = `0x${"33".repeat(20)}`

const positive = (value: bigint): bigint => (value > 0n ? value : 0n)

const swapMeaning = (args: EventArgs): EventMeaning => ({
  kind: "SwapExecuted",
  pool: address(args["id"]),
  venueKind: "uniswap-v4",
  sender: address(args["sender"]),
  recipient: null,
  amount0In: positive(-amount(args["amount0"])),
  amount0Out: positive(amount(args["amount0"])),
  amount1In: positive(-amount(args["amount1"])),
  amount1Out: positive(amount(args["amount1"])),
  sqrtPriceX96: amount(args["sqrtPriceX96"]),
  liquidity: amount(args["liquidity"]),
  tick: Number(args["tick"]),
  fee: Number(args["fee"]),
  token0: null,
  token1: null,
  index0: null,
  index1: null
})

const MAX_INT128 = 2n ** 127n - 1n

/** The contract narrows the change to int128 before it logs it. */
const liquidityMeaning = (args: EventArgs): ReadonlyArray<EventMeaning> | null => {
  const liquidity = amount(args["liquidityDelta"])
  if (liquidity > MAX_INT128 || liquidity < -MAX_INT128 - 1n) return null
  const shared = {
    pool: address(args["id"]),
    tickLower: Number(args["tickLower"]),
    tickUpper: Number(args["tickUpper"]),
    liquidity
  }
  const sender = address(args["sender"])
  const changed = { ...shared, venueKind: "uniswap-v4", owner: sender, sender }
  const tokenId = BigInt(args["salt"] as string)
  const position: EventMeaning = {
    kind: "PositionChanged",
    ...shared,
    manager: sender,
    tokenId,
    change: liquidity < 0n ? "decrease" : liquidity === 0n ? "collect" : "increase",
    owner: null,
    recipient: null,
    amount0: null,
    amount1: null
  }
  return [
    { kind: "LiquidityChanged", ...changed, amount0: 0n, amount1: 0n },
    ...(tokenId === 0n ? [] : [position])
  ]
}

const parameter = (args: EventArgs, name: string, value: bigint): EventMeaning => ({
  kind: "PoolParameterSet",
  pool: address(args["id"]),
  name,
  index: null,
  value
})

const meanings: VenueLaws["meanings"] = {
  "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)":
    swapMeaning,
  "event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)":
    liquidityMeaning,
  "event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)":
    (args, manager) => [
      createdPool("uniswap-v4", manager, args["id"], [args["currency0"], args["currency1"]], {
        fee: args["fee"] === 0x800000 ? null : Number(args["fee"]),
        tickSpacing: Number(args["tickSpacing"])
      }),
      parameter(args, "hooks", BigInt(args["hooks"] as string)),
      {
        kind: "PoolInitialized",
        pool: address(args["id"]),
        sqrtPriceX96: amount(args["sqrtPriceX96"]),
        tick: Number(args["tick"])
      }
    ],
  "event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee)": args =>
    parameter(args, "protocolFee", BigInt(args["protocolFee"] as number))
}

/** A V3 pool of chance with V4's id, hooks that leave swaps alone, and now and then a protocol
 *  fee; the pool's own fee may be any, up to all of the input. */
const pool = (chance: Chance): LawPool => {
  const { facts, history } = rangePool(chance)
  const id = { id: POOL }
  const own = history.map(event => ({ ...event, pool: POOL }) as Event)
  const hooks = chance.integer(0, 1) === 0 ? 0n : (chance.bits(146) << 14n) | 0x3f33n
  const fee = chance.integer(0, 9) === 0 ? chance.integer(0, 1_000_000) : facts.fee
  const protocolFee = (BigInt(chance.integer(0, 1000)) << 12n) | BigInt(chance.integer(0, 1000))
  return {
    facts: { ...facts, pool: POOL, fee },
    history: [
      eventOf(parameter(id, "hooks", hooks)),
      ...own,
      ...(chance.integer(0, 1) === 0 ? [] : [eventOf(parameter(id, "protocolFee", protocolFee))])
    ]
  }
}

/** The fee by its other formula: `protocol + pool * (1e6 - protocol) / 1e6`, rounded up. */
const feeOf = (poolFee: number, own: number): number =>
  own + Math.ceil((poolFee * (1_000_000 - own)) / 1_000_000)

/** PoolManager logs Swap with the state it leaves and the fee it took, as the swapper sees it. */
const swapEvents = ({ facts, history }: LawPool, swap: LawSwap): ReadonlyArray<Event> => {
  const zeroForOne = swap.tokenIn === 0
  const { range, protocolFee } = history.reduce(
    hookedPoolModel.fold,
    hookedPoolModel.initial(facts)
  )
  const both = protocolFee ?? 0
  const fee = feeOf(facts.fee as number, zeroForOne ? both % 4096 : Math.floor(both / 4096))
  const order = { zeroForOne, exactIn: true, amount: swap.amountIn }
  const outcome = simulate(range, fee, order, uniswapV4Rules)
  if (outcome === null || !outcome.ok) return []
  const args = {
    id: POOL,
    sender: SENDER,
    amount0: zeroForOne ? -outcome.amountIn : outcome.amountOut,
    amount1: zeroForOne ? outcome.amountOut : -outcome.amountIn,
    sqrtPriceX96: outcome.sqrtPriceX96,
    liquidity: outcome.liquidity,
    tick: outcome.tick,
    fee
  }
  return [eventOf(swapMeaning(args))]
}

export const laws: VenueLaws = {
  kind: "uniswap-v4",
  poolArgument: "id",
  meanings,
  pool,
  // V4 logs no amounts of liquidity; the range pool's are what its positions are worth
  holdings: rangeHoldings,
  swapEvents
}
