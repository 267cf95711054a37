/** Curve's crypto pools for the laws of venue kinds. */
import {
  cryptoBalances,
  cryptoExchange,
  productValue
} from "../../../src/math/crypto-swap/exchange.ts"
import { cryptoInvariant } from "../../../src/math/crypto-swap/two-coin.ts"
import type { Event } from "../../event.ts"
import { amount, amounts, factAnswers, parameter, told } from "../../law-meanings.ts"
import {
  type Chance,
  type EventArgs,
  type EventMeaning,
  eventOf,
  type LawPool,
  type LawSwap,
  type VenueLaws
} from "../../venue-laws.ts"
import {
  coinAnswers,
  factoryOfCoins,
  holdings,
  isPlace,
  meaningsOf,
  reserve,
  swapMeaning
} from "../curve-laws.ts"
import { curveCryptoEvents } from "./decode.ts"

const POOL = `0x${"aa".repeat(20)}`
const TOKENS = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const

const KIND = "curve-crypto"

const exchanged = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> | null => {
  const swap = swapMeaning(args, pool, KIND)
  if (swap === null) return null
  const price = args["packed_price_scale"]
  return price === undefined
    ? [swap]
    : [
        swap,
        parameter(pool, "feeAmount", amount(args["fee"]), Number(args["bought_id"])),
        parameter(pool, "priceScale", amount(price))
      ]
}

const priceOf = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> => {
  const price = args["packed_price_scale"]
  return price === undefined ? [] : [parameter(pool, "priceScale", amount(price))]
}

const addMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> => [
  ...amounts(args["token_amounts"]).map((by, i) =>
    reserve(KIND, pool, args["provider"], i, by, "liquidity")
  ),
  parameter(pool, "liquidityFee", amount(args["fee"])),
  ...priceOf(args, pool),
  parameter(pool, "totalSupply", amount(args["token_supply"]))
]

const removeMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> => [
  ...amounts(args["token_amounts"]).map((by, i) =>
    reserve(KIND, pool, args["provider"], i, -by, "liquidity")
  ),
  parameter(pool, "totalSupply", amount(args["token_supply"]))
]

const oneMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> | null => {
  const place = amount(args["coin_index"])
  if (!isPlace(place)) return null
  const paid = -amount(args["coin_amount"])
  return [
    parameter(pool, "burned", amount(args["token_amount"])),
    reserve(KIND, pool, args["provider"], Number(place), paid, "one-coin"),
    ...priceOf(args, pool)
  ]
}

const claimMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> => {
  const { tokens } = args
  return typeof tokens === "bigint"
    ? [parameter(pool, "claimedFee", tokens)]
    : amounts(tokens).map((by, i) => reserve(KIND, pool, args["admin"], i, -by, "fee"))
}

const rampNames: { readonly [argument: string]: string } = {
  initial_A: "initialA",
  future_A: "futureA",
  initial_gamma: "initialGamma",
  future_gamma: "futureGamma",
  initial_time: "initialATime",
  future_time: "futureATime",
  current_A: "stoppedA",
  current_gamma: "stoppedGamma",
  time: "stoppedATime"
}

const rampMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> =>
  Object.entries(rampNames).flatMap(([argument, name]) =>
    args[argument] === undefined ? [] : [parameter(pool, name, amount(args[argument]))]
  )

const newParameters = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> =>
  [
    "mid_fee",
    "out_fee",
    "fee_gamma",
    "allowed_extra_profit",
    "adjustment_step",
    "ma_time",
    "xcp_ma_time"
  ].flatMap((name, i) =>
    args[name] === undefined ? [] : [parameter(pool, "newFeeParameters", amount(args[name]), i)]
  )

const byName: { readonly [name: string]: VenueLaws["meanings"][string] } = {
  TokenExchange: exchanged,
  AddLiquidity: addMeaning,
  RemoveLiquidity: removeMeaning,
  RemoveLiquidityOne: oneMeaning,
  ClaimAdminFee: claimMeaning,
  RampAgamma: rampMeaning,
  StopRampA: rampMeaning,
  NewParameters: newParameters
}

const meanings = meaningsOf(curveCryptoEvents, byName)

/**
 * A two-coin pool after its first deposit, in balance: nearer to it, the fee falls, and the second
 * of two equal swaps may be paid more.
 */
const pool = (chance: Chance): LawPool => {
  const decimals = [chance.integer(1, 3) * 6, chance.integer(1, 3) * 6]
  const precisions = decimals.map(one => 10n ** BigInt(18 - one)) as unknown as readonly [
    bigint,
    bigint
  ]
  const whole = BigInt(chance.integer(1000, 1_000_000))
  const priceScale = BigInt(chance.integer(1, 5000)) * 10n ** 15n
  const deposit = [
    whole * 10n ** BigInt(decimals[0] as number),
    (whole * 10n ** BigInt((decimals[1] as number) + 18)) / priceScale
  ] as const
  const curve = {
    ann: BigInt(chance.integer(40_000, 40_000_000)),
    gamma: BigInt(chance.integer(1, 2000)) * 10n ** 13n
  }
  const numbers = {
    A: curve.ann,
    gamma: curve.gamma,
    midFee: BigInt(chance.integer(5, 40)) * 1_000_000n,
    outFee: BigInt(chance.integer(40, 90)) * 1_000_000n,
    feeGamma: BigInt(chance.integer(1, 1000)) * 10n ** 14n
  }
  const d = cryptoInvariant(curve, cryptoBalances(deposit, precisions, priceScale), 0n) ?? 0n
  const args = {
    provider: POOL,
    token_amounts: deposit,
    fee: 0n,
    packed_price_scale: priceScale,
    token_supply: productValue(d, priceScale)
  }
  return {
    facts: { pool: POOL, tokens: TOKENS, fee: null, tickSpacing: null, decimals },
    history: [
      ...Object.entries(numbers).map(([name, value]) => eventOf(parameter(POOL, name, value))),
      ...addMeaning(args, POOL).map(eventOf)
    ]
  }
}

/** The laws check the fold around the maths; published swaps check the maths. */
const swapEvents = (one: LawPool, swap: LawSwap): ReadonlyArray<Event> => {
  const balances = holdings(one) as unknown as readonly [bigint, bigint]
  const precisions = one.facts.decimals.map(of => 10n ** BigInt(18 - (of ?? 18)))
  const [priceScale, a, gamma] = ["priceScale", "A", "gamma"].map(name => told(one, name)) as [
    bigint,
    bigint,
    bigint
  ]
  const curve = { ann: a, gamma }
  const scales = precisions as unknown as readonly [bigint, bigint]
  const out = cryptoExchange(
    {
      curve,
      fees: { mid: told(one, "midFee"), out: told(one, "outFee"), gamma: told(one, "feeGamma") },
      balances,
      precisions: scales,
      priceScale,
      d: cryptoInvariant(curve, cryptoBalances(balances, scales, priceScale), 0n) ?? 0n
    },
    swap.tokenIn as 0 | 1,
    swap.amountIn
  )
  const args = {
    buyer: POOL,
    sold_id: BigInt(swap.tokenIn),
    bought_id: BigInt(swap.tokenOut),
    tokens_sold: swap.amountIn,
    tokens_bought: out?.amountOut ?? 0n,
    fee: 1n,
    packed_price_scale: priceScale
  }
  return (exchanged(args, POOL) ?? []).map(eventOf)
}

// Solutions of the cubic have 18 digits, so that of 1e24 units about a million is noise.
export const laws: VenueLaws = {
  kind: KIND,
  meanings,
  feesBeside: {
    approx_fee: "of liquidity taken out, whose amounts are told",
    liquidityFee: "of liquidity put in, and of no swap"
  },
  factAnswers: factAnswers(
    {
      ...coinAnswers,
      "A()": pool => [told(pool, "A")],
      "gamma()": pool => [told(pool, "gamma")],
      "mid_fee()": pool => [told(pool, "midFee")],
      "out_fee()": pool => [told(pool, "outFee")],
      "fee_gamma()": pool => [told(pool, "feeGamma")],
      "price_scale()": pool => [told(pool, "priceScale")]
    },
    factoryOfCoins
  ),
  pool,
  holdings,
  rounding: 10n ** 10n,
  swapEvents
}
