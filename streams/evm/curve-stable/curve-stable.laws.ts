/** Curve's StableSwap pools for the laws of venue kinds. */
import { type StablePool, stableExchange } from "../../../src/math/stable-swap/exchange.ts"
import { stableInvariant } from "../../../src/math/stable-swap/invariant.ts"
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
import { curveStableEvents } from "./decode.ts"

const POOL = `0x${"aa".repeat(20)}`

const KIND = "curve-stable"

const exchanged =
  (isUnderlying: boolean) =>
  (args: EventArgs, pool: string): EventMeaning | null =>
    swapMeaning(args, pool, KIND, isUnderlying)

const changeMeaning =
  (sign: bigint) =>
  (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> | null => {
    const [moved, fees] = [amounts(args["token_amounts"]), amounts(args["fees"])]
    if (moved.length === 0 || moved.length > 8 || fees.length !== moved.length) return null
    const invariant = args["invariant"]
    return [
      ...moved.map((by, i) => reserve(KIND, pool, args["provider"], i, sign * by, "liquidity")),
      ...(invariant === undefined ? [] : [parameter(pool, "invariant", amount(invariant))]),
      ...fees.flatMap((fee, i) => (fee === 0n ? [] : [parameter(pool, "imbalanceFee", fee, i)])),
      parameter(pool, "totalSupply", amount(args["token_supply"]))
    ]
  }

const oneMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> | null => {
  const oneCoin = (venueKind: string, index: number | null, by: unknown) =>
    reserve(venueKind, pool, args["provider"], index, -amount(by), "one-coin")
  const burned = parameter(pool, "burned", amount(args["token_amount"]))
  const [paid, supply, place] = ["coin_amount", "token_supply", "token_id"].map(name => args[name])
  if (place === undefined && supply !== undefined && isPlace(amount(paid))) {
    return [burned, oneCoin("curve-crypto", Number(paid), supply)]
  }
  if (place !== undefined && !isPlace(amount(place))) return null
  const index = place === undefined ? null : Number(place)
  return [
    burned,
    oneCoin(KIND, index, paid),
    ...(supply === undefined ? [] : [parameter(pool, "totalSupply", amount(supply))])
  ]
}

const parameterNames: { readonly [abi: string]: ReadonlyArray<readonly [string, string]> } = {
  RampA: [
    ["old_A", "initialA"],
    ["new_A", "futureA"],
    ["initial_time", "initialATime"],
    ["future_time", "futureATime"]
  ],
  StopRampA: [
    ["A", "stoppedA"],
    ["t", "stoppedATime"]
  ],
  fees: [
    ["fee", "fee"],
    ["admin_fee", "adminFee"],
    ["offpeg_fee_multiplier", "offpegFeeMultiplier"]
  ]
}

const parametersMeaning =
  (list: string) =>
  (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> =>
    (parameterNames[list] ?? []).flatMap(([argument, name]) =>
      args[argument] === undefined ? [] : [parameter(pool, name, amount(args[argument]))]
    )

const byName: { readonly [name: string]: VenueLaws["meanings"][string] } = {
  TokenExchange: exchanged(false),
  TokenExchangeUnderlying: exchanged(true),
  AddLiquidity: changeMeaning(1n),
  RemoveLiquidity: changeMeaning(-1n),
  RemoveLiquidityImbalance: changeMeaning(-1n),
  RemoveLiquidityOne: oneMeaning,
  RampA: parametersMeaning("RampA"),
  StopRampA: parametersMeaning("StopRampA"),
  NewFee: parametersMeaning("fees"),
  ApplyNewFee: parametersMeaning("fees"),
  ApplyNewAdminFee: parametersMeaning("fees")
}

const meanings = meaningsOf(curveStableEvents, byName)

const ratesOf = (decimals: ReadonlyArray<number | null>): ReadonlyArray<bigint> =>
  decimals.map(one => 10n ** BigInt(36 - (one ?? 0)))

/** The pool of the maths: the laws check the fold around it, vectors and receipts the maths. */
const poolOf = (one: LawPool): StablePool => ({
  rule: "plain",
  balances: holdings(one),
  rates: ratesOf(one.facts.decimals),
  amplification: { amp: told(one, "A_precise"), precision: 100n },
  fee: told(one, "fee"),
  adminFee: told(one, "adminFee"),
  offpegMultiplier: told(one, "offpegFeeMultiplier")
})

/** A pool after its first deposit, of two to four coins in some imbalance. */
const pool = (chance: Chance): LawPool => {
  const coins = chance.integer(2, 4)
  const decimals = Array.from({ length: coins }, () => chance.integer(1, 3) * 6)
  const whole = chance.bits(chance.integer(10, 40)) + 1000n
  const deposit = decimals.map(
    one => ((whole * BigInt(chance.integer(20, 300))) / 100n) * 10n ** BigInt(one)
  )
  const amp = BigInt(chance.integer(10, 2000)) * 100n
  const numbers = {
    A_precise: amp,
    fee: BigInt(chance.integer(1, 100)) * 100_000n,
    adminFee: BigInt(chance.integer(0, 10)) * 10n ** 9n,
    // Above one, a pool pays less for more where its fee grows faster than the output.
    offpegFeeMultiplier: BigInt(chance.integer(0, 1)) * 10n ** 10n
  }
  const rates = ratesOf(decimals)
  const xp = deposit.map((one, i) => (one * (rates[i] as bigint)) / 10n ** 18n)
  const invariant = stableInvariant("plain", xp, { amp, precision: 100n }) ?? 0n
  const args = {
    provider: POOL,
    token_amounts: deposit,
    fees: deposit.map(() => 0n),
    invariant,
    token_supply: invariant
  }
  return {
    facts: {
      pool: POOL,
      tokens: decimals.map((_, i) => `0x${String(i + 1).repeat(40)}`),
      fee: null,
      tickSpacing: null,
      decimals
    },
    history: [
      ...Object.entries(numbers).map(([name, value]) => eventOf(parameter(POOL, name, value))),
      ...(changeMeaning(1n)(args, POOL) ?? []).map(eventOf)
    ]
  }
}

const swapEvents = (one: LawPool, swap: LawSwap): ReadonlyArray<Event> => {
  const out = stableExchange(poolOf(one), swap.tokenIn, swap.tokenOut, swap.amountIn)
  const args = {
    buyer: POOL,
    sold_id: BigInt(swap.tokenIn),
    bought_id: BigInt(swap.tokenOut),
    tokens_sold: swap.amountIn,
    tokens_bought: out?.amountOut ?? 0n
  }
  const meaning = swapMeaning(args, POOL, KIND)
  return meaning === null ? [] : [eventOf(meaning)]
}

// Newton's iterations for D and y end within a unit or some of the solution.
export const laws: VenueLaws = {
  kind: KIND,
  meanings,
  feesBeside: {
    adminFee: "a part of the pool's fee"
  },
  factAnswers: factAnswers(
    {
      ...coinAnswers,
      "A_precise()": pool => [told(pool, "A_precise")],
      "A()": pool => [told(pool, "A")],
      "fee()": pool => [told(pool, "fee")],
      "admin_fee()": pool => [told(pool, "adminFee")],
      "offpeg_fee_multiplier()": pool => [told(pool, "offpegFeeMultiplier")]
    },
    factoryOfCoins
  ),
  pool,
  holdings,
  rounding: 10n,
  swapEvents
}
