/** Maverick V2 for the laws of venue kinds. */
import type { Event } from "../../event.ts"
import {
  address,
  amount,
  createdPool,
  factAnswers,
  parameter,
  plainSwap
} from "../../law-meanings.ts"
import {
  type Chance,
  type EventArgs,
  type EventMeaning,
  eventOf,
  LAW_FACTORY,
  type LawPool,
  type LawSwap,
  type VenueLaws
} from "../../venue-laws.ts"

const POOL = `0x${"3a".repeat(20)}`
const TOKENS = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const

const swapMeaning = (args: EventArgs, pool: string): EventMeaning => {
  const { tokenAIn } = args["params"] as EventArgs
  const [paid, got] = [amount(args["amountIn"]), amount(args["amountOut"])]
  return {
    ...plainSwap,
    pool,
    venueKind: "maverick-v2",
    sender: address(args["sender"]),
    recipient: address(args["recipient"]),
    amount0In: tokenAIn === true ? paid : 0n,
    amount0Out: tokenAIn === true ? 0n : got,
    amount1In: tokenAIn === true ? 0n : paid,
    amount1Out: tokenAIn === true ? got : 0n
  }
}

const liquidity = (nameA: string, nameB: string, sign: bigint) => (args: EventArgs, pool: string) =>
  [nameA, nameB].map((name, index) => ({
    kind: "ReserveChanged" as const,
    pool,
    venueKind: "maverick-v2",
    owner: address(args["recipient"]),
    token: null,
    index,
    amount: sign * amount(args[name]),
    reason: "liquidity"
  }))

const createdMeaning = (args: EventArgs, factory: string) => {
  if (amount(args["tickSpacing"]) >= 1n << 24n) return null
  const pool = address(args["poolAddress"])
  const created = createdPool("maverick-v2", factory, pool, [args["tokenA"], args["tokenB"]], {
    tickSpacing: Number(args["tickSpacing"])
  })
  return [
    created,
    parameter(pool, "protocolFee", args["protocolFeeRatio"]),
    parameter(pool, "feeAIn", args["feeAIn"]),
    parameter(pool, "feeBIn", args["feeBIn"]),
    parameter(pool, "kinds", args["kinds"]),
    parameter(pool, "activeTick", args["activeTick"])
  ]
}

const meanings: VenueLaws["meanings"] = {
  "event PoolSwap(address sender, address recipient, (uint256 amount, bool tokenAIn, bool exactOutput, int32 tickLimit) params, uint256 amountIn, uint256 amountOut)":
    swapMeaning,
  "event PoolAddLiquidity(address sender, address recipient, uint256 subaccount, (uint8 kind, int32[] ticks, uint128[] amounts) params, uint256 tokenAAmount, uint256 tokenBAmount, uint32[] binIds)":
    liquidity("tokenAAmount", "tokenBAmount", 1n),
  "event PoolRemoveLiquidity(address sender, address recipient, uint256 subaccount, (uint32[] binIds, uint128[] amounts) params, uint256 tokenAOut, uint256 tokenBOut)":
    liquidity("tokenAOut", "tokenBOut", -1n),
  "event PoolSetVariableFee(uint256 newFeeAIn, uint256 newFeeBIn)": (args, pool) => [
    parameter(pool, "feeAIn", args["newFeeAIn"]),
    parameter(pool, "feeBIn", args["newFeeBIn"])
  ],
  "event PoolSetProtocolFeeRatio(uint256 protocolFeeRatioD3)": (args, pool) =>
    parameter(pool, "protocolFee", args["protocolFeeRatioD3"]),
  "event PoolCreated(address poolAddress, uint8 protocolFeeRatio, uint256 feeAIn, uint256 feeBIn, uint256 tickSpacing, uint256 lookback, int32 activeTick, address tokenA, address tokenB, uint8 kinds, address accessor)":
    createdMeaning
}

/** Up to nine ticks around an active one: A below it, B above it, both in it. */
const pool = (chance: Chance): LawPool => {
  const tickSpacing = [1, 10, 198, 2232][chance.integer(0, 3)] as number
  const activeTick = chance.integer(-40, 40)
  const size = chance.integer(40, 80)
  const reserves = [0, 1, 2, 3, 4].flatMap(distance => {
    const told: Array<EventMeaning> = []
    const value = () => (1n << BigInt(size)) + chance.bits(size)
    told.push(parameter(POOL, "reserveA", value(), activeTick - distance))
    told.push(parameter(POOL, "reserveB", value(), activeTick + distance))
    return told
  })
  const history: ReadonlyArray<EventMeaning> = [
    parameter(POOL, "feeAIn", BigInt(chance.integer(1, 10_000)) * 10n ** 12n),
    parameter(POOL, "feeBIn", BigInt(chance.integer(1, 10_000)) * 10n ** 12n),
    parameter(POOL, "protocolFee", chance.integer(0, 250)),
    parameter(POOL, "kinds", 1),
    parameter(POOL, "activeTick", activeTick),
    ...reserves
  ]
  return {
    facts: { pool: POOL, tokens: TOKENS, fee: null, tickSpacing, decimals: [18, 18] },
    history: history.map(eventOf)
  }
}

const holdings = ({ history }: LawPool): ReadonlyArray<bigint> =>
  ["reserveA", "reserveB"].map(name =>
    history.reduce(
      (sum, event) =>
        event.kind === "PoolParameterSet" && event.name === name ? sum + event.value : sum,
      0n
    )
  )

const swapEvents = (_pool: LawPool, swap: LawSwap): ReadonlyArray<Event> => {
  const { amountIn, amountOut } = swap
  const params = { tokenAIn: swap.tokenIn === 0 }
  return [
    eventOf(swapMeaning({ sender: POOL, recipient: POOL, params, amountIn, amountOut }, POOL))
  ]
}

export const laws: VenueLaws = {
  kind: "maverick-v2",
  meanings,
  feesBeside: { protocolFee: "a part of the pool's fee" },
  factAnswers: factAnswers(
    {
      "tokenA()": ({ facts }) => [facts.tokens[0] as string],
      "tokenB()": ({ facts }) => [facts.tokens[1] as string],
      "factory()": () => [LAW_FACTORY],
      "tickSpacing()": ({ facts }) => [facts.tickSpacing as number]
    },
    { "isFactoryPool(address)": ({ facts }, [asked]) => [asked === BigInt(facts.pool) ? 1n : 0n] }
  ),
  pool,
  holdings,
  swapEvents
}
