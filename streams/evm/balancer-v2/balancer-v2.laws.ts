/** Balancer V2 for the laws of venue kinds. */
import type { Event } from "../../event.ts"
import { address, amount, factAnswers, list, parameter, plainSwap } from "../../law-meanings.ts"
import {
  type Chance,
  type EventArgs,
  type EventMeaning,
  eventOf,
  type LawPool,
  type LawSwap,
  type VenueLaws
} from "../../venue-laws.ts"
import { contractOf, vaultPoolModel } from "./pool.ts"

const POOL = `0x${"cc".repeat(32)}`
const VAULT = `0x${"ba".repeat(20)}`
const OWNER = `0x${"0f".repeat(20)}`

const swapMeaning = (args: EventArgs): EventMeaning => ({
  ...plainSwap,
  pool: args["poolId"] as string,
  venueKind: "balancer-v2",
  sender: null,
  recipient: null,
  amount0In: amount(args["amountIn"]),
  amount0Out: 0n,
  amount1In: 0n,
  amount1Out: amount(args["amountOut"]),
  token0: address(args["tokenIn"]),
  token1: address(args["tokenOut"])
})

const reserve = (
  args: EventArgs,
  owner: unknown,
  token: unknown,
  index: number | null,
  value: unknown,
  reason: string
): EventMeaning => ({
  kind: "ReserveChanged",
  pool: args["poolId"] as string,
  venueKind: "balancer-v2",
  owner: owner === null ? null : address(owner),
  token: address(token),
  index,
  amount: amount(value),
  reason
})

const registered = (args: EventArgs, vault: string) => {
  const tokens = list(args["tokens"])
  if (tokens.length === 0 || list(args["assetManagers"]).length !== tokens.length) return null
  if (tokens.length === 1) return reserve(args, null, tokens[0], null, 0n, "registered")
  return {
    kind: "PoolCreated",
    pool: args["poolId"] as string,
    venueKind: "balancer-v2",
    factory: vault,
    tokens: tokens.map(address),
    fee: null,
    tickSpacing: null,
    source: "log"
  } as const
}

const balanceChanged = (args: EventArgs) => {
  const [tokens, deltas, fees] = ["tokens", "deltas", "protocolFeeAmounts"].map(name =>
    list(args[name])
  ) as [ReadonlyArray<unknown>, ReadonlyArray<unknown>, ReadonlyArray<unknown>]
  const sizes = [deltas.length, fees.length]
  if (tokens.length === 0 || sizes.some(size => size !== tokens.length)) return null
  const owner = args["liquidityProvider"]
  return tokens.flatMap((token, i) => {
    const delta = reserve(args, owner, token, i, deltas[i], "liquidity")
    const fee = amount(fees[i])
    return fee === 0n ? [delta] : [delta, reserve(args, owner, token, i, -fee, "fee")]
  })
}

const gradualWeights = (args: EventArgs, pool: string) => {
  const [starts, ends] = [list(args["startWeights"]), list(args["endWeights"])]
  if (starts.length !== ends.length) return null
  return [
    parameter(pool, "weightStartTime", args["startTime"]),
    parameter(pool, "weightEndTime", args["endTime"]),
    ...starts.map((weight, i) => parameter(pool, "startWeight", weight, i)),
    ...ends.map((weight, i) => parameter(pool, "endWeight", weight, i))
  ]
}

const rateProvider = (args: EventArgs, pool: string, index: number | null) =>
  parameter(pool, "rateProvider", BigInt(args["provider"] as string), index)

const vaultMeanings: VenueLaws["meanings"] = {
  "event Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut)":
    swapMeaning,
  "event PoolBalanceChanged(bytes32 indexed poolId, address indexed liquidityProvider, address[] tokens, int256[] deltas, uint256[] protocolFeeAmounts)":
    balanceChanged,
  "event PoolBalanceManaged(bytes32 indexed poolId, address indexed assetManager, address indexed token, int256 cashDelta, int256 managedDelta)":
    args => [
      reserve(args, args["assetManager"], args["token"], null, args["cashDelta"], "cash"),
      reserve(args, args["assetManager"], args["token"], null, args["managedDelta"], "managed")
    ],
  "event PoolRegistered(bytes32 indexed poolId, address indexed poolAddress, uint8 specialization)":
    args => parameter(args["poolId"] as string, "specialization", args["specialization"]),
  "event TokensRegistered(bytes32 indexed poolId, address[] tokens, address[] assetManagers)":
    registered,
  "event TokensDeregistered(bytes32 indexed poolId, address[] tokens)": args =>
    list(args["tokens"]).length === 0
      ? null
      : list(args["tokens"]).map(token => reserve(args, null, token, null, 0n, "deregistered"))
}

const meanings: VenueLaws["meanings"] = {
  ...vaultMeanings,
  "event SwapFeePercentageChanged(uint256 swapFeePercentage)": (args, pool) =>
    parameter(pool, "swapFee", args["swapFeePercentage"]),
  "event AmpUpdateStarted(uint256 startValue, uint256 endValue, uint256 startTime, uint256 endTime)":
    (args, pool) => [
      parameter(pool, "ampStart", args["startValue"]),
      parameter(pool, "ampEnd", args["endValue"]),
      parameter(pool, "ampStartTime", args["startTime"]),
      parameter(pool, "ampEndTime", args["endTime"])
    ],
  "event AmpUpdateStopped(uint256 currentValue)": (args, pool) =>
    parameter(pool, "amp", args["currentValue"]),
  "event GradualWeightUpdateScheduled(uint256 startTime, uint256 endTime, uint256[] startWeights, uint256[] endWeights)":
    gradualWeights,
  "event SwapEnabledSet(bool swapEnabled)": (args, pool) =>
    parameter(pool, "swapEnabled", args["swapEnabled"]),
  "event PausedStateChanged(bool paused)": (args, pool) =>
    parameter(pool, "paused", args["paused"]),
  "event TokenRateProviderSet(uint256 indexed tokenIndex, address indexed provider, uint256 cacheDuration)":
    (args, pool) =>
      amount(args["tokenIndex"]) > 255n
        ? null
        : rateProvider(args, pool, Number(args["tokenIndex"])),
  "event TokenRateProviderSet(address indexed token, address indexed provider, uint256 cacheDuration)":
    (args, pool) => rateProvider(args, pool, null),
  "event PoolCreated(address indexed pool)": (args, factory) =>
    parameter(address(args["pool"]), "factory", BigInt(factory))
}

const TOKENS = ["11", "22", "33", "44"].map(byte => `0x${byte.repeat(20)}`)
const STABLE = ["0xc66ba2b6595d3613ccab350c886ace23866ede24", 1] as const
const COMPOSABLE = ["0xdb8d758bcb971e482b2c45f7f8a7740283a1bd3a", 1] as const
const FIRST_WEIGHTED = ["0x8e9aa87e45e92bad84d5f8dd1bff34fb92637de9", 0] as const
const WEIGHTED = ["0x897888115ada5773e02aa29f775430bfb5f34c51", 0] as const
const FACTORIES = [STABLE, COMPOSABLE, FIRST_WEIGHTED, WEIGHTED] as const

/** Weights of 18 decimals that make up one, near enough. */
const weightsOf = (chance: Chance, count: number): ReadonlyArray<bigint> => {
  const parts = Array.from({ length: count }, () => BigInt(chance.integer(1, 8)))
  const sum = parts.reduce((a, b) => a + b, 0n)
  return parts.map(part => (part * 10n ** 18n) / sum)
}

const decimalsOf = (chance: Chance): number => [18, 18, 8, 6][chance.integer(0, 3)] as number

/** Two to four tokens under one of four factories; balances near each other in whole tokens. */
const pool = (chance: Chance): LawPool => {
  const [factory, isStable] = FACTORIES[chance.integer(0, 3)] as (typeof FACTORIES)[number]
  const tokens = TOKENS.slice(0, chance.integer(2, 4))
  const decimals = tokens.map(() => decimalsOf(chance))
  const contract = contractOf(POOL)
  const size = chance.integer(8, 60)
  const joined = tokens.map((token, i) => {
    const whole = (1n << BigInt(size)) + (chance.bits(size) >> 1n)
    const value = (whole * 10n ** BigInt(decimals[i] as number)) / 1000n
    return reserve({ poolId: POOL }, OWNER, token, i, value, "liquidity")
  })
  const parameters = [
    parameter(contract, "factory", BigInt(factory)),
    parameter(contract, "swapFee", BigInt(chance.integer(1, 50_000)) * 10n ** 12n),
    ...(isStable === 1
      ? [parameter(contract, "amp", BigInt(chance.integer(1, 5000)) * 1000n)]
      : weightsOf(chance, tokens.length).map((value, i) => parameter(POOL, "weight", value, i)))
  ]
  const created = registered({ poolId: POOL, tokens, assetManagers: tokens }, VAULT) as EventMeaning
  return {
    facts: { pool: POOL, tokens, fee: null, tickSpacing: null, decimals },
    history: [created, ...parameters, ...joined].map(eventOf)
  }
}

const holdings = ({ facts, history }: LawPool): ReadonlyArray<bigint> =>
  (history.reduce(vaultPoolModel.fold, vaultPoolModel.initial(facts)).holdings ?? []).map(
    ({ cash }) => cash
  )

/** The Vault logs every swap, the token that came in first. */
const swapEvents = ({ facts: { tokens } }: LawPool, swap: LawSwap): ReadonlyArray<Event> => {
  const { amountIn, amountOut } = swap
  const [tokenIn, tokenOut] = [tokens[swap.tokenIn], tokens[swap.tokenOut]] as [string, string]
  return [eventOf(swapMeaning({ poolId: POOL, tokenIn, tokenOut, amountIn, amountOut }))]
}

export const laws: VenueLaws = {
  kind: "balancer-v2",
  poolArgument: "poolId",
  meanings,
  factAnswers: factAnswers(
    {},
    {
      "getPoolTokens(bytes32)": ({ facts: { pool, tokens } }, [asked]) =>
        asked === BigInt(pool)
          ? [96, 128 + tokens.length * 32, 1, tokens.length, ...tokens, 0]
          : null
    }
  ),
  pool,
  holdings,
  holdingBits: 112,
  // An invariant one unit off moves the output by up to amplification times tokens.
  rounding: 20_000n,
  swapEvents
}
