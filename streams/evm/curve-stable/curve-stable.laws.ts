/** Curve's StableSwap pools for the laws of venue kinds. */
import { type StablePool, stableExchange } from "../../../src/math/stable-swap/exchange.ts"
import { stableInvariant } from "../../../src/math/stable-swap/invariant.ts"
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
import { curveStableEvents } from "./decode.ts"

const POOL = `0x${"aa".repeat(20)}`
const MAX_COINS = 8n

const address = (value: unknown): string => (value as string).toLowerCase()
const amount = (value: unknown): bigint => value as bigint
const amounts = (value: unknown): ReadonlyArray<bigint> => value as ReadonlyArray<bigint>
const isPlace = (value: bigint): boolean => value >= 0n && value < MAX_COINS

const parameter = (
  pool: string,
  name: string,
  value: bigint,
  index: number | null = null
): EventMeaning => ({ kind: "PoolParameterSet", pool, name, index, value })

const swapMeaning =
  (isUnderlying: boolean) =>
  (args: EventArgs, pool: string): EventMeaning | null => {
    const [sold, bought] = [amount(args["sold_id"]), amount(args["bought_id"])]
    if (!isPlace(sold) || !isPlace(bought) || sold === bought) return null
    const [soldIn, boughtOut] = [amount(args["tokens_sold"]), amount(args["tokens_bought"])]
    const first = sold < bought
    const index = (place: bigint): number => (isUnderlying ? -1 - Number(place) : Number(place))
    return {
      kind: "SwapExecuted",
      pool,
      venueKind: "curve-stable",
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
      index0: index(first ? sold : bought),
      index1: index(first ? bought : sold)
    }
  }

const reserve = (
  args: EventArgs,
  pool: string,
  index: number | null,
  by: bigint,
  reason = "liquidity",
  venueKind = "curve-stable"
): EventMeaning => ({
  kind: "ReserveChanged",
  pool,
  venueKind,
  owner: address(args["provider"]),
  token: null,
  index,
  amount: by,
  reason
})

const changeMeaning =
  (sign: bigint) =>
  (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> | null => {
    const [moved, fees] = [amounts(args["token_amounts"]), amounts(args["fees"])]
    if (moved.length === 0 || moved.length > 8 || fees.length !== moved.length) return null
    const invariant = args["invariant"]
    return [
      ...moved.map((by, i) => reserve(args, pool, i, sign * by)),
      ...(invariant === undefined ? [] : [parameter(pool, "invariant", amount(invariant))]),
      ...fees.flatMap((fee, i) => (fee === 0n ? [] : [parameter(pool, "imbalanceFee", fee, i)])),
      parameter(pool, "totalSupply", amount(args["token_supply"]))
    ]
  }

const oneMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> | null => {
  const burned = parameter(pool, "burned", amount(args["token_amount"]))
  const [paid, supply, place] = ["coin_amount", "token_supply", "token_id"].map(name => args[name])
  if (place === undefined && supply !== undefined && isPlace(amount(paid))) {
    const index = Number(paid)
    return [burned, reserve(args, pool, index, -amount(supply), "one-coin", "curve-crypto")]
  }
  if (place !== undefined && !isPlace(amount(place))) return null
  const index = place === undefined ? null : Number(place)
  return [
    burned,
    reserve(args, pool, index, -amount(paid), "one-coin"),
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

/** By the event's name, which tells what its variants mean. */
const byName: { readonly [name: string]: VenueLaws["meanings"][string] } = {
  TokenExchange: swapMeaning(false),
  TokenExchangeUnderlying: swapMeaning(true),
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

const meanings: VenueLaws["meanings"] = Object.fromEntries(
  curveStableEvents.map(({ abi }) => {
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
  const meaning = swapMeaning(false)(args, POOL)
  return meaning === null ? [] : [eventOf(meaning)]
}

// Newton's iterations for D and y end within a unit or some of the solution.
export const laws: VenueLaws = {
  kind: "curve-stable",
  meanings,
  pool,
  holdings,
  rounding: 10n,
  swapEvents
}
