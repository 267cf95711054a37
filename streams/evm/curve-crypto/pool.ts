/**
 * Folds a crypto pool. Of two-coin pools whose events tell the price scale (twocrypto-ng) balances
 * are added up from the first deposit on, which is known by the pool tokens it mints, and D follows
 * from every deposit and swap; each swap's output must come out as computed. Of other pools, whose
 * price scale or D no event leads to, only a state that was read is quoted, until it moves.
 */
import {
  type CryptoOut,
  cryptoBalances,
  cryptoExchange,
  productValue
} from "../../../src/math/crypto-swap/exchange.ts"
import { cryptoInvariant } from "../../../src/math/crypto-swap/two-coin.ts"
import type { Event, EventOf } from "../../event.ts"
import { type PoolFacts, type PoolModel, type Quote, refused } from "../../venue.ts"
import { logPlace, timedFold } from "../pool-fold.ts"
import { precisionsOf } from "./precisions.ts"
import { type CurveCryptoState, isRamping, type Pair, poolOf } from "./state.ts"
import { tripleQuote } from "./triple.ts"

const UNIT = 10n ** 18n

const pairOf = (facts: PoolFacts): Pair | null => {
  const precisions = precisionsOf(facts)
  return precisions?.length === 2 ? (precisions as unknown as Pair) : null
}

const lost = (state: CurveCryptoState): CurveCryptoState => ({
  ...state,
  balances: null,
  deposit: null,
  d: null
})

/** A pair with an amount added; null where the place is none of it, or the sum is below zero. */
const withAmount = (pair: Pair, place: number | null, amount: bigint): Pair | null => {
  if (place !== 0 && place !== 1) return null
  if (pair[place] + amount < 0n) return null
  return place === 0 ? [pair[0] + amount, pair[1]] : [pair[0], pair[1] + amount]
}

const tokenValue = (d: bigint, priceScale: bigint, supply: bigint | null): bigint | null =>
  supply === null || supply === 0n || priceScale === 0n
    ? null
    : (UNIT * productValue(d, priceScale)) / supply

/** D of the balances as they are, from scratch. */
const invariantOf = (state: CurveCryptoState, balances: Pair, time: number): bigint | null => {
  const pool = poolOf(state, balances, time)
  if (pool === null) return null
  const xp = cryptoBalances(balances, pool.precisions, pool.priceScale)
  return cryptoInvariant(pool.curve, xp, 0n)
}

/** What a swap leads to; null where the contract reverts or something is unknown. */
const outcomeOf = (
  state: CurveCryptoState,
  sold: 0 | 1,
  amountIn: bigint,
  time: number
): CryptoOut | null => {
  const { balances } = state
  const pool = poolOf(state, balances, time)
  if (pool === null || balances === null) return null
  const d = isRamping(state, time) ? invariantOf(state, balances, time) : state.d
  return d === null ? null : cryptoExchange({ ...pool, d }, sold, amountIn)
}

const swapped = (state: CurveCryptoState, swap: EventOf<"SwapExecuted">): CurveCryptoState => {
  const { balances, priceScale } = state
  if (balances === null) return state
  if (swap.index0 !== 0 || swap.index1 !== 1) return lost(state)
  const sold = swap.amount0In > 0n ? 0 : 1
  const amountIn = sold === 0 ? swap.amount0In : swap.amount1In
  const amountOut = sold === 0 ? swap.amount1Out : swap.amount0Out
  const outcome = outcomeOf(state, sold, amountIn, swap.block.time)
  const paid = withAmount(balances, sold, amountIn)
  const after = paid && withAmount(paid, 1 - sold, -amountOut)
  if (after === null) return lost(state)
  // An output other than ours leaves the balances known, and D not.
  const d = outcome?.amountOut === amountOut ? outcome.d : null
  const virtualPrice =
    d === null || priceScale === null ? null : tokenValue(d, priceScale, state.supply)
  return { ...state, balances: after, d, virtualPrice }
}

const reserveChanged = (
  state: CurveCryptoState,
  event: EventOf<"ReserveChanged">
): CurveCryptoState => {
  const { index, amount, reason } = event
  if (state.balances === null) {
    const place = logPlace(event)
    const before: Pair = state.deposit?.place === place ? state.deposit.amounts : [0n, 0n]
    const amounts = withAmount(before, index, amount)
    return { ...state, deposit: amounts === null ? null : { place, amounts } }
  }
  const balances = withAmount(state.balances, index, amount)
  if (balances === null) return lost(state)
  return reason === "liquidity" ? { ...state, balances } : { ...state, balances, d: null }
}

/** After all coins of a deposit: D is that of the balances, before a change of the price scale. */
const deposited = (state: CurveCryptoState, time: number): CurveCryptoState =>
  state.balances === null ? state : { ...state, d: invariantOf(state, state.balances, time) }

/** The pool moves the price scale at the end of an operation, and D with it. */
const rescaled = (state: CurveCryptoState, next: bigint, time: number): CurveCryptoState => {
  const { balances, d, priceScale } = state
  if (next === priceScale) return state
  const pool = poolOf(state, balances, time)
  const moved: CurveCryptoState = { ...state, priceScale: next, d: null, virtualPrice: null }
  if (pool === null || balances === null || d === null || priceScale === null) return moved
  const xp = cryptoBalances(balances, pool.precisions, priceScale)
  const after = cryptoInvariant(pool.curve, [xp[0], (xp[1] * next) / priceScale], 0n)
  return after === null || next === 0n
    ? moved
    : { ...moved, d: after, virtualPrice: tokenValue(after, next, state.supply) }
}

/** The first deposit mints pool tokens for the constant-product value of D, and no other does. */
const begun = (state: CurveCryptoState, event: EventOf<"PoolParameterSet">): CurveCryptoState => {
  const { deposit, priceScale } = state
  const supplied = { ...state, supply: event.value, deposit: null }
  if (deposit?.place !== logPlace(event) || priceScale === null || priceScale === 0n)
    return supplied
  const d = invariantOf(state, deposit.amounts, event.block.time)
  if (d === null || productValue(d, priceScale) !== event.value) return supplied
  return { ...supplied, balances: deposit.amounts, d, virtualPrice: UNIT }
}

const withSupply = (
  state: CurveCryptoState,
  event: EventOf<"PoolParameterSet">
): CurveCryptoState => {
  const { balances, d, supply, priceScale } = state
  const { value } = event
  if (balances === null) return begun(state, event)
  if (d === null || supply === null || priceScale === null || supply === 0n) {
    return { ...state, supply: value, virtualPrice: null }
  }
  if (value > supply) {
    return { ...state, supply: value, virtualPrice: tokenValue(d, priceScale, value) }
  }
  // An even withdrawal takes its share of D; it leaves one unit to the others but for the last.
  const burned = supply - value - (value === 0n ? 0n : 1n)
  return { ...state, supply: value, d: d - (d * burned) / supply }
}

/** Fees by their place in `NewParameters` of twocrypto-ng. */
const newFees = ["midFee", "outFee", "feeGamma"] as const

const withRamp = (state: CurveCryptoState, name: string, value: bigint): CurveCryptoState => {
  const flat = { initial: value, future: value }
  const a = state.a ?? flat
  const gamma = state.gamma ?? flat
  switch (name) {
    case "A":
      return { ...state, a: flat }
    case "gamma":
      return { ...state, gamma: flat }
    case "initialA":
      return { ...state, a: { ...a, initial: value } }
    case "futureA":
      return { ...state, a: { ...a, future: value } }
    case "initialGamma":
      return { ...state, gamma: { ...gamma, initial: value } }
    case "futureGamma":
      return { ...state, gamma: { ...gamma, future: value } }
    case "initialATime":
      return { ...state, from: value }
    case "futureATime":
      return { ...state, to: value }
    case "stoppedA":
      return { ...state, a: flat, from: 0n, to: 0n }
    case "stoppedGamma":
      return { ...state, gamma: flat }
    default:
      return state
  }
}

const withParameter = (
  state: CurveCryptoState,
  event: EventOf<"PoolParameterSet">
): CurveCryptoState => {
  const { name, value, index, block } = event
  switch (name) {
    case "midFee":
    case "outFee":
    case "feeGamma":
      return { ...state, [name]: value }
    case "newFeeParameters": {
      const fee = newFees[index ?? newFees.length]
      return fee === undefined ? state : { ...state, [fee]: value }
    }
    case "priceScale":
      return rescaled(state, value, block.time)
    case "liquidityFee":
      return deposited(state, block.time)
    case "totalSupply":
      return withSupply(state, event)
    case "burned":
      return { ...state, supply: state.supply === null ? null : state.supply - value }
    case "claimedFee":
      return { ...state, d: null, supply: null }
    default:
      return withRamp(state, name, value)
  }
}

const apply = (before: CurveCryptoState, event: Event): CurveCryptoState => {
  const state = before.triple === null ? before : { ...before, triple: null }
  switch (event.kind) {
    case "SwapExecuted":
      return swapped(state, event)
    case "ReserveChanged":
      return reserveChanged(state, event)
    case "PoolParameterSet":
      return withParameter(state, event)
    default:
      return state
  }
}

const quote = (
  state: CurveCryptoState,
  _facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountIn: bigint
): Quote => {
  const { balances, priceScale, supply, virtualPrice, triple } = state
  if (triple !== null) return tripleQuote(triple, state.time, tokenIn, tokenOut, amountIn)
  if (tokenIn + tokenOut !== 1 || (tokenIn !== 0 && tokenIn !== 1)) return refused("unknown-state")
  if (poolOf(state, balances, state.time) === null || state.d === null) {
    return refused("unknown-state")
  }
  if (priceScale === null || virtualPrice === null || balances === null) {
    return refused("unknown-state")
  }
  if (balances[0] === 0n || balances[1] === 0n) return refused("no-liquidity")
  if (amountIn >= 2n ** 112n) return refused("too-large")
  if (amountIn === 0n) return { ok: true, amountIn, amountOut: 0n }
  const outcome = outcomeOf(state, tokenIn, amountIn, state.time)
  if (outcome === null) return refused("no-liquidity")
  // The pool refuses a swap that earns it nothing.
  const value = tokenValue(outcome.d, priceScale, supply)
  if (value === null) return refused("unknown-state")
  if (value <= virtualPrice && !isRamping(state, state.time)) return refused("no-liquidity")
  return { ok: true, amountIn, amountOut: outcome.amountOut }
}

export const curveCryptoModel: PoolModel<CurveCryptoState> = {
  initial: facts => ({
    pool: facts.pool,
    precisions: pairOf(facts),
    balances: null,
    deposit: null,
    d: null,
    virtualPrice: null,
    supply: null,
    priceScale: null,
    a: null,
    gamma: null,
    from: 0n,
    to: 0n,
    midFee: null,
    outFee: null,
    feeGamma: null,
    triple: null,
    time: 0
  }),
  fold: timedFold(apply),
  quote,
  byTime: true
}
