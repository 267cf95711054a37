/**
 * State and quotes of Balancer V3 pools, as far as events tell them: balances from the pool's
 * registration on, less the protocol's part of every fee; amplification from the pool's contract;
 * weights only where somebody told them (`weight`), for no event does.
 */
import { addressOfWord } from "../../../src/domain/address.ts"
import { MAX_UINT128 } from "../../../src/math/fixed-point.ts"
import { mulDown, ONE } from "../../../src/math/weighted/fixed18.ts"
import type { Event, EventOf } from "../../event.ts"
import { type PoolFacts, type PoolModel, type Quote, refused } from "../../venue.ts"
import {
  type BalancerParameters,
  keepingTime,
  withBalancerParameter
} from "../balancer-parameters.ts"
import { amountOutOf, type ScaledPool } from "./curve.ts"
import { type Curve, curveOfFactory } from "./factories.ts"

export interface RegisteredPoolState extends BalancerParameters {
  readonly pool: string
  /** raw units by place in `tokens`; null where the pool was not followed from the first on */
  readonly balances: ReadonlyArray<bigint> | null
  readonly curve: Curve | null
  /** the part of a fee that leaves the pool, 18 decimals; null until told */
  readonly aggregateFee: bigint | null
  /** hooks change swaps, or a token's rate comes from a contract: no event tells either */
  readonly isOpaque: boolean
  readonly recoveryMode: boolean
  /** place of the token that the last swap brought */
  readonly lastIn: number
}

/** Of the hook flags: adjusted amounts, dynamic fee, before and after a swap. */
export const SWAP_FLAGS = 0b111001n

const initial = ({ pool, tokens }: PoolFacts): RegisteredPoolState => ({
  pool,
  tokens,
  balances: null,
  curve: null,
  swapFee: null,
  aggregateFee: null,
  amp: null,
  ampEndTime: 0n,
  weights: [],
  isOpaque: false,
  paused: false,
  recoveryMode: false,
  lastIn: -1,
  time: 0
})

const created = (
  state: RegisteredPoolState,
  { tokens, source }: EventOf<"PoolCreated">
): RegisteredPoolState => {
  if (source === "log" && state.balances === null) {
    return { ...state, tokens, balances: tokens.map(() => 0n) }
  }
  // Told of a pool that is known or exists already: what is known of it stays.
  return state.tokens.length > 0 ? state : { ...state, tokens }
}

/** The balances with one changed; null where no pool can have come to hold that. */
const changed = (
  balances: ReadonlyArray<bigint> | null,
  place: number,
  amount: bigint
): ReadonlyArray<bigint> | null => {
  const before = balances?.[place]
  if (balances === null || before === undefined) return null
  const after = before + amount
  if (after < 0n || after > MAX_UINT128) return null
  return balances.map((balance, i) => (i === place ? after : balance))
}

const swapped = (
  state: RegisteredPoolState,
  { token0, token1, amount0In, amount0Out, amount1In, amount1Out }: EventOf<"SwapExecuted">
): RegisteredPoolState => {
  const [from, to] = [token0, token1].map(token => state.tokens.indexOf(token ?? ""))
  const lastIn = from as number
  const received = changed(state.balances, lastIn, amount0In - amount0Out)
  return { ...state, lastIn, balances: changed(received, to as number, amount1In - amount1Out) }
}

/** The protocol's part of a fee leaves the pool, but not in recovery mode. */
const feeTaken = (
  state: RegisteredPoolState,
  place: number,
  amount: bigint
): RegisteredPoolState => {
  const { aggregateFee, recoveryMode, balances } = state
  if (recoveryMode) return state
  const part = aggregateFee === null || aggregateFee > ONE ? null : mulDown(amount, aggregateFee)
  return { ...state, balances: part === null ? null : changed(balances, place, -part) }
}

const parameterSet = (
  state: RegisteredPoolState,
  event: EventOf<"PoolParameterSet">
): RegisteredPoolState => {
  const { name, index, value } = event
  switch (name) {
    case "swapFeeAmount":
      return feeTaken(state, index ?? state.lastIn, value)
    case "initialAggregateSwapFee":
      // Anybody can log it. The controller does so within the registration, just before the Vault
      // tells of the pool: the last value before that counts, and none that comes after it.
      return state.balances === null || state.aggregateFee === null
        ? { ...state, aggregateFee: value }
        : state
    case "factory":
      return { ...state, curve: curveOfFactory.get(addressOfWord(value)) ?? state.curve }
    case "aggregateSwapFee":
      return { ...state, aggregateFee: value }
    case "hookFlags":
      return (value & SWAP_FLAGS) === 0n ? state : { ...state, isOpaque: true }
    case "rateProvider":
      return value === 0n ? state : { ...state, isOpaque: true }
    case "recoveryMode":
      return { ...state, recoveryMode: value !== 0n }
    default:
      return withBalancerParameter(state, event)
  }
}

const applied = (state: RegisteredPoolState, event: Event): RegisteredPoolState => {
  switch (event.kind) {
    case "SwapExecuted":
      return event.pool === state.pool ? swapped(state, event) : state
    case "ReserveChanged":
      return event.pool === state.pool
        ? { ...state, balances: changed(state.balances, event.index ?? -1, event.amount) }
        : state
    case "PoolCreated":
      return event.pool === state.pool ? created(state, event) : state
    case "PoolParameterSet":
      return event.pool === state.pool ? parameterSet(state, event) : state
    default:
      return state
  }
}

/** Factors to 18 decimals; null where a token's decimals are not known. */
const scalesOf = ({ decimals }: PoolFacts, count: number): ReadonlyArray<bigint> | null => {
  const known = Array.from({ length: count }, (_, i) => decimals[i] ?? -1)
  return known.every(value => value >= 0 && value <= 18)
    ? known.map(value => 10n ** BigInt(18 - value))
    : null
}

/** What the curve needs of the pool; null where it is not known. */
const scaledPool = (state: RegisteredPoolState, facts: PoolFacts): ScaledPool | null => {
  const { balances, curve, swapFee, isOpaque, paused } = state
  if (balances === null || curve === null || swapFee === null || isOpaque || paused) return null
  const scales = scalesOf(facts, balances.length)
  if (scales === null || swapFee >= ONE) return null
  if (curve === "stable") {
    const { amp } = state
    if (amp === null || state.ampEndTime > BigInt(state.time)) return null
    return { curve, swapFee, balances, scales, amp, weights: [] }
  }
  const weights = balances.map((_, i) => state.weights[i] ?? 0n)
  return weights.every(weight => weight > 0n && weight < ONE)
    ? { curve, swapFee, balances, scales, amp: 0n, weights }
    : null
}

const quote = (
  state: RegisteredPoolState,
  facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountIn: bigint
): Quote => {
  const pool = scaledPool(state, facts)
  const count = pool?.balances.length ?? 0
  const isPlace = (place: number) => Number.isInteger(place) && place >= 0 && place < count
  if (pool === null || !isPlace(tokenIn) || !isPlace(tokenOut) || tokenIn === tokenOut) {
    return refused("unknown-state")
  }
  const amountOut = amountOutOf(pool, tokenIn, tokenOut, amountIn)
  return typeof amountOut === "string" ? refused(amountOut) : { ok: true, amountIn, amountOut }
}

export const registeredPoolModel: PoolModel<RegisteredPoolState> = {
  initial,
  fold: keepingTime(applied),
  quote,
  byTime: true
}
