/** Curve's crypto pools for the laws of venue kinds. */
import {
  cryptoBalances,
  cryptoExchange,
  productValue
} from "../../../src/math/crypto-swap/exchange.ts"
import { cryptoInvariant } from "../../../src/math/crypto-swap/two-coin.ts"
import type { Event } from "../../event.ts"
import {
  type Chance,
  type EventArgs,
  type EventMeaning,
  eventOf,
  type LawPool,
  type LawSwap,
  type VenueLaws
} from "../../venue-laws.ts"
import { curveCryptoEvents } from "./decode.ts"

const POOL = `0x${"aa".repeat(20)}`
const TOKENS = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const
const MAX_COINS = 8n

const address = (value: unknown): string => (value as string).toLowerCase()
const amount = (value: unknown): bigint => value as bigint
const amounts = (value: unknown): ReadonlyArray<bigint> => value as ReadonlyArray<bigint>

const parameter = (
  pool: string,
  name: string,
  value: bigint,
  index: number | null = null
): EventMeaning => ({ kind: "PoolParameterSet", pool, name, index, value })

const swapMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> | null => {
  const [sold, bought] = [amount(args["sold_id"]), amount(args["bought_id"])]
  if (sold >= MAX_COINS || bought >= MAX_COINS || sold === bought) return null
  const [soldIn, boughtOut] = [amount(args["tokens_sold"]), amount(args["tokens_bought"])]
  const first = sold < bought
  const price = args["packed_price_scale"]
  return [
    {
      kind: "SwapExecuted",
      pool,
      venueKind: "curve-crypto",
      sender: address(args["buyer"]),
      recipient: null,
      amount0In: first ? soldIn : 0n,
      amount0Out: first ? 0n : boughtOut,
      amount1In: first ? 0n : soldIn,
      amount1Out: first ? boughtOut : 0n,
      sqrtPriceX96: null,
      liquidity: null,
      tick: null,
      fee: null,
      token0: null,
      token1: null,
      index0: Number(first ? sold : bought),
      index1: Number(first ? bought : sold)
    },
    ...(price === undefined
      ? []
      : [
          parameter(pool, "feeAmount", amount(args["fee"]), Number(bought)),
          parameter(pool, "priceScale", amount(price))
        ])
  ]
}

const reserve = (
  pool: string,
  owner: unknown,
  index: number,
  by: bigint,
  reason: string
): EventMeaning => ({
  kind: "ReserveChanged",
  pool,
  venueKind: "curve-crypto",
  owner: address(owner),
  token: null,
  index,
  amount: by,
  reason
})

const priceOf = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> => {
  const price = args["packed_price_scale"]
  return price === undefined ? [] : [parameter(pool, "priceScale", amount(price))]
}

const addMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> => [
  ...amounts(args["token_amounts"]).map((by, i) =>
    reserve(pool, args["provider"], i, by, "liquidity")
  ),
  parameter(pool, "liquidityFee", amount(args["fee"])),
  ...priceOf(args, pool),
  parameter(pool, "totalSupply", amount(args["token_supply"]))
]

const removeMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> => [
  ...amounts(args["token_amounts"]).map((by, i) =>
    reserve(pool, args["provider"], i, -by, "liquidity")
  ),
  parameter(pool, "totalSupply", amount(args["token_supply"]))
]

const oneMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> | null => {
  const place = amount(args["coin_index"])
  if (place >= MAX_COINS) return null
  const paid = -amount(args["coin_amount"])
  return [
    parameter(pool, "burned", amount(args["token_amount"])),
    reserve(pool, args["provider"], Number(place), paid, "one-coin"),
    ...priceOf(args, pool)
  ]
}

const claimMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> => {
  const { tokens } = args
  return typeof tokens === "bigint"
    ? [parameter(pool, "claimedFee", tokens)]
    : amounts(tokens).map((by, i) => reserve(pool, args["admin"], i, -by, "fee"))
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

/** By the event's name, which tells what its variants mean. */
const byName: { readonly [name: string]: VenueLaws["meanings"][string] } = {
  TokenExchange: swapMeaning,
  AddLiquidity: addMeaning,
  RemoveLiquidity: removeMeaning,
  RemoveLiquidityOne: oneMeaning,
  ClaimAdminFee: claimMeaning,
  RampAgamma: rampMeaning,
  StopRampA: rampMeaning,
  NewParameters: newParameters
}

const meanings: VenueLaws["meanings"] = Object.fromEntries(
  curveCryptoEvents.map(({ abi }) => {
    const name = /^event (\w+)\(/.exec(abi)?.[1] ?? ""
    return [abi, byName[name] as VenueLaws["meanings"][string]]
  })
)

const told = ({ history }: LawPool, name: string): bigint =>
  history.flatMap(event =>
    event.kind === "PoolParameterSet" && event.name === name ? [event.value] : []
  )[0] ?? 0n

const holdings = ({ history }: LawPool): ReadonlyArray<bigint> =>
  history.flatMap(event => (event.kind === "ReserveChanged" ? [event.amount] : []))

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
  return (swapMeaning(args, POOL) ?? []).map(eventOf)
}

// Solutions of the cubic have 18 digits, so that of 1e24 units about a million is noise.
export const laws: VenueLaws = {
  kind: "curve-crypto",
  meanings,
  pool,
  holdings,
  rounding: 10n ** 10n,
  swapEvents
}
