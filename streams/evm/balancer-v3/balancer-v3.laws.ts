/** Balancer V3 for the laws of venue kinds. */
import type { Event } from "../../event.ts"
import {
  address,
  amount,
  createdPool,
  factAnswers,
  list,
  parameter,
  plainSwap
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
import { registeredPoolModel } from "./pool.ts"

const POOL = `0x${"cd".repeat(20)}`
const OWNER = `0x${"0f".repeat(20)}`
const E18 = 10n ** 18n

const pips = (fee: bigint): number | null =>
  fee % 10n ** 12n === 0n && fee <= E18 ? Number(fee / 10n ** 12n) : null

const swapMeaning = (args: EventArgs): ReadonlyArray<EventMeaning> => {
  const pool = address(args["pool"])
  const swap: EventMeaning = {
    ...plainSwap,
    pool,
    venueKind: "balancer-v3",
    sender: null,
    recipient: null,
    amount0In: amount(args["amountIn"]),
    amount0Out: 0n,
    amount1In: 0n,
    amount1Out: amount(args["amountOut"]),
    fee: pips(amount(args["swapFeePercentage"])),
    token0: address(args["tokenIn"]),
    token1: address(args["tokenOut"])
  }
  const fee = amount(args["swapFeeAmount"])
  return fee === 0n ? [swap] : [swap, parameter(pool, "swapFeeAmount", fee)]
}

const liquidityMeaning = (name: string, sign: bigint) => (args: EventArgs) => {
  const [amounts, fees] = [list(args[name]), list(args["swapFeeAmountsRaw"])]
  if (amounts.length === 0 || fees.length !== amounts.length) return null
  const pool = address(args["pool"])
  return [
    ...amounts.map((value, i) => ({
      kind: "ReserveChanged" as const,
      pool,
      venueKind: "balancer-v3",
      owner: address(args["liquidityProvider"]),
      token: null,
      index: i,
      amount: sign * amount(value),
      reason: "liquidity"
    })),
    ...fees.flatMap((fee, i) => (fee === 0n ? [] : [parameter(pool, "swapFeeAmount", fee, i)]))
  ]
}

/** The flags in the order of the struct, the first the lowest bit. */
const FLAGS = [
  "enableHookAdjustedAmounts",
  "shouldCallBeforeInitialize",
  "shouldCallAfterInitialize",
  "shouldCallComputeDynamicSwapFee",
  "shouldCallBeforeSwap",
  "shouldCallAfterSwap",
  "shouldCallBeforeAddLiquidity",
  "shouldCallAfterAddLiquidity",
  "shouldCallBeforeRemoveLiquidity",
  "shouldCallAfterRemoveLiquidity"
] as const

const registeredMeaning = (args: EventArgs, vault: string): ReadonlyArray<EventMeaning> | null => {
  const tokens = list(args["tokenConfig"]) as ReadonlyArray<EventArgs>
  if (tokens.length < 2) return null
  const pool = address(args["pool"])
  const fee = amount(args["swapFeePercentage"])
  const hooks = args["hooksConfig"] as EventArgs
  const flags = FLAGS.reduce((sum, flag, bit) => sum + (hooks[flag] === true ? 2 ** bit : 0), 0)
  return [
    createdPool(
      "balancer-v3",
      vault,
      pool,
      tokens.map(({ token }) => address(token)),
      { fee: pips(fee) }
    ),
    parameter(pool, "factory", args["factory"]),
    parameter(pool, "swapFee", fee),
    ...tokens.flatMap(({ rateProvider }, i) =>
      amount(rateProvider) === 0n ? [] : [parameter(pool, "rateProvider", rateProvider, i)]
    ),
    parameter(pool, "hooks", hooks["hooksContract"]),
    parameter(pool, "hookFlags", flags)
  ]
}

const parameterMeaning = (name: string, argument: string) => (args: EventArgs) =>
  parameter(address(args["pool"]), name, args[argument])

const meanings: VenueLaws["meanings"] = {
  "event Swap(address indexed pool, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut, uint256 swapFeePercentage, uint256 swapFeeAmount)":
    swapMeaning,
  "event LiquidityAdded(address indexed pool, address indexed liquidityProvider, uint8 indexed kind, uint256 totalSupply, uint256[] amountsAddedRaw, uint256[] swapFeeAmountsRaw)":
    liquidityMeaning("amountsAddedRaw", 1n),
  "event LiquidityRemoved(address indexed pool, address indexed liquidityProvider, uint8 indexed kind, uint256 totalSupply, uint256[] amountsRemovedRaw, uint256[] swapFeeAmountsRaw)":
    liquidityMeaning("amountsRemovedRaw", -1n),
  "event PoolRegistered(address indexed pool, address indexed factory, (address token, uint8 tokenType, address rateProvider, bool paysYieldFees)[] tokenConfig, uint256 swapFeePercentage, uint32 pauseWindowEndTime, (address pauseManager, address swapFeeManager, address poolCreator) roleAccounts, (bool enableHookAdjustedAmounts, bool shouldCallBeforeInitialize, bool shouldCallAfterInitialize, bool shouldCallComputeDynamicSwapFee, bool shouldCallBeforeSwap, bool shouldCallAfterSwap, bool shouldCallBeforeAddLiquidity, bool shouldCallAfterAddLiquidity, bool shouldCallBeforeRemoveLiquidity, bool shouldCallAfterRemoveLiquidity, address hooksContract) hooksConfig, (bool disableUnbalancedLiquidity, bool enableAddLiquidityCustom, bool enableRemoveLiquidityCustom, bool enableDonation) liquidityManagement)":
    registeredMeaning,
  "event SwapFeePercentageChanged(address indexed pool, uint256 swapFeePercentage)":
    parameterMeaning("swapFee", "swapFeePercentage"),
  "event AggregateSwapFeePercentageChanged(address indexed pool, uint256 aggregateSwapFeePercentage)":
    parameterMeaning("aggregateSwapFee", "aggregateSwapFeePercentage"),
  "event InitialPoolAggregateSwapFeePercentage(address indexed pool, uint256 aggregateSwapFeePercentage, bool isProtocolFeeExempt)":
    parameterMeaning("initialAggregateSwapFee", "aggregateSwapFeePercentage"),
  "event InitialPoolAggregateSwapFeePercentage(address indexed pool, uint256 aggregateSwapFeePercentage)":
    parameterMeaning("initialAggregateSwapFee", "aggregateSwapFeePercentage"),
  "event PoolPausedStateChanged(address indexed pool, bool paused)": parameterMeaning(
    "paused",
    "paused"
  ),
  "event PoolRecoveryModeStateChanged(address indexed pool, bool recoveryMode)": parameterMeaning(
    "recoveryMode",
    "recoveryMode"
  )
}

const TOKENS = ["11", "22", "33", "44"].map(byte => `0x${byte.repeat(20)}`)
const FACTORIES = {
  stable: "0xb9f8ab3ed3f3acba64bc6cd2dca74b7f38fd7b88",
  weighted: "0x5cf4928a3205728bd12830e1840f7db85c62a4b9"
} as const

const decimalsOf = (chance: Chance): number => [18, 18, 8, 6][chance.integer(0, 3)] as number

/** Two to four tokens; balances near each other in whole tokens; a protocol takes a part. */
const pool = (chance: Chance): LawPool => {
  const curve = chance.integer(0, 1) === 0 ? "stable" : "weighted"
  const tokens = TOKENS.slice(0, chance.integer(2, 4))
  const decimals = tokens.map(() => decimalsOf(chance))
  const size = chance.integer(20, 60)
  const amountsAddedRaw = tokens.map((_, i) => {
    const whole = (1n << BigInt(size)) + (chance.bits(size) >> 1n)
    return (whole * 10n ** BigInt(decimals[i] as number)) / 1000n
  })
  const swapFeeAmountsRaw = tokens.map(() => 0n)
  const added = { pool: POOL, liquidityProvider: OWNER, amountsAddedRaw, swapFeeAmountsRaw }
  const history: ReadonlyArray<EventMeaning> = [
    {
      kind: "PoolCreated",
      pool: POOL,
      venueKind: "balancer-v3",
      factory: OWNER,
      tokens,
      fee: null,
      tickSpacing: null,
      source: "log"
    },
    parameter(POOL, "factory", FACTORIES[curve]),
    parameter(POOL, "swapFee", BigInt(chance.integer(1, 500_000)) * 10n ** 11n),
    parameter(POOL, "aggregateSwapFee", E18 / BigInt(chance.integer(1, 10))),
    ...(curve === "stable"
      ? [parameter(POOL, "amp", chance.integer(1, 5000) * 1000)]
      : tokens.map((_, i) => parameter(POOL, "weight", E18 / BigInt(tokens.length), i))),
    ...(liquidityMeaning("amountsAddedRaw", 1n)(added) ?? [])
  ]
  return {
    facts: { pool: POOL, tokens, fee: null, tickSpacing: null, decimals },
    history: history.map(eventOf)
  }
}

const stateOf = ({ facts, history }: LawPool) =>
  history.reduce(registeredPoolModel.fold, registeredPoolModel.initial(facts))

const holdings = (one: LawPool): ReadonlyArray<bigint> => stateOf(one).balances ?? []

/** The Vault logs a swap with its fee, which came off the input and is told rounded down. */
const swapEvents = (one: LawPool, swap: LawSwap): ReadonlyArray<Event> => {
  const { tokens, decimals } = one.facts
  const { amountIn, amountOut } = swap
  const fee = stateOf(one).swapFee ?? 0n
  const scale = 10n ** BigInt(18 - (decimals[swap.tokenIn] as number))
  const args = {
    pool: POOL,
    tokenIn: tokens[swap.tokenIn] as string,
    tokenOut: tokens[swap.tokenOut] as string,
    amountIn,
    amountOut,
    swapFeePercentage: fee,
    swapFeeAmount: (amountIn * scale * fee + E18 - 1n) / E18 / scale
  }
  return swapMeaning(args).map(eventOf)
}

export const laws: VenueLaws = {
  kind: "balancer-v3",
  poolArgument: "pool",
  meanings,
  feesBeside: {
    isProtocolFeeExempt: "the percentage beside it says what is taken",
    aggregateSwapFee: "a part of the pool's fee"
  },
  factAnswers: factAnswers(
    {},
    {
      "getPoolTokens(address)": ({ facts: { pool, tokens } }, [asked]) =>
        asked === BigInt(pool) ? [32, tokens.length, ...tokens] : null
    }
  ),
  pool,
  holdings,
  holdingBits: 128,
  // An invariant one unit off moves the output by up to amplification times tokens.
  rounding: 20_000n,
  swapEvents
}
