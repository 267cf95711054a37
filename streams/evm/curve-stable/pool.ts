/**
 * Folds a StableSwap pool. No event tells balances: they are added up from the first deposit on,
 * which is known by its invariant, and every later invariant and every swap's output must come out
 * as computed. What does not (rebasing coins, rates of oracles, unknown contracts) makes the
 * balances unknown, so that nothing is quoted from them.
 */
import {
  FEE_DENOMINATOR,
  poolInvariant,
  stableWithdrawOne
} from "../../../src/math/stable-swap/exchange.ts"
import { stableRules } from "../../../src/math/stable-swap/invariant.ts"
import type { Event, EventOf } from "../../event.ts"
import { type PoolFacts, type PoolModel, type Quote, refused } from "../../venue.ts"
import { logPlace, timedFold } from "../pool-fold.ts"
import { agreed, type CurveStableState, exchanges, poolsOf } from "./state.ts"

/** Most decimals whose rate is a whole number. */
const MAX_DECIMALS = 36

const ratesOf = ({ decimals, tokens }: PoolFacts): ReadonlyArray<bigint> | null => {
  const known = decimals.filter(
    (one): one is number => one !== null && Number.isInteger(one) && one >= 0 && one <= MAX_DECIMALS
  )
  return known.length < 2 || known.length !== tokens.length
    ? null
    : known.map(one => 10n ** BigInt(36 - one))
}

const lost = (state: CurveStableState): CurveStableState => ({
  ...state,
  balances: null,
  deposit: null,
  burned: null,
  rules: stableRules
})

/** Balances with an amount added at a place; null where it is none, or below zero. */
const withAmount = (
  balances: ReadonlyArray<bigint>,
  place: number | null,
  amount: bigint
): ReadonlyArray<bigint> | null => {
  const before = place === null ? undefined : balances[place]
  if (before === undefined || before + amount < 0n) return null
  return balances.map((balance, i) => (i === place ? balance + amount : balance))
}

const orLost = (
  state: CurveStableState,
  balances: ReadonlyArray<bigint> | null
): CurveStableState => (balances === null ? lost(state) : { ...state, balances })

const swapped = (state: CurveStableState, swap: EventOf<"SwapExecuted">): CurveStableState => {
  const { balances } = state
  const { index0, index1 } = swap
  if (balances === null) return state
  if (index0 === null || index1 === null) return lost(state)
  const is0Sold = swap.amount0In > 0n
  const [sold, bought] = is0Sold ? [index0, index1] : [index1, index0]
  const [amountIn, amountOut] = is0Sold
    ? [swap.amount0In, swap.amount1Out]
    : [swap.amount1In, swap.amount0Out]
  if (balances[sold] === undefined || balances[bought] === undefined) return lost(state)
  const pools = poolsOf(state, balances, swap.block.time)
  const fitting = exchanges(pools, sold, bought, amountIn).filter(
    ({ out }) => out?.amountOut === amountOut
  )
  const outcome = agreed(fitting, (a, b) => a.out?.setAside === b.out?.setAside)?.out
  if (!outcome) return lost(state)
  const paid = withAmount(balances, sold, amountIn)
  const after = paid && withAmount(paid, bought, -outcome.amountOut - outcome.setAside)
  return orLost({ ...state, rules: fitting.map(({ rule }) => rule) }, after)
}

/** A coin of a deposit into a pool whose balances are unknown: it may be the first one. */
const deposited = (state: CurveStableState, event: EventOf<"ReserveChanged">): CurveStableState => {
  const { deposit, rates } = state
  if (rates === null) return state
  const place = logPlace(event)
  const before = deposit?.place === place ? deposit.amounts : rates.map(() => 0n)
  const amounts = withAmount(before, event.index, event.amount)
  return { ...state, deposit: amounts === null ? null : { place, amounts } }
}

/** A withdrawal in one coin; the first pools do not tell in which. */
const withdrawnOne = (
  state: CurveStableState,
  { index, amount, block }: EventOf<"ReserveChanged">
): CurveStableState => {
  const { balances, burned, supply } = state
  if (balances === null) return state
  if (burned === null || supply === null) return lost(state)
  const pools = poolsOf(state, balances, block.time)
  const places = index === null ? balances.map((_, i) => i) : [index]
  const fitting = places
    .filter(place => balances[place] !== undefined)
    .flatMap(place =>
      pools.flatMap(pool => {
        const out = stableWithdrawOne(pool, place, burned, supply)
        return out?.amountOut === -amount ? [{ rule: pool.rule, place, ...out }] : []
      })
    )
  const outcome = agreed(fitting, (a, b) => a.place === b.place && a.setAside === b.setAside)
  if (outcome === null) return lost(state)
  const after = withAmount(balances, outcome.place, amount - outcome.setAside)
  const rules = fitting.map(({ rule }) => rule)
  return orLost({ ...state, burned: null, supply: supply - burned, rules }, after)
}

const reserveChanged = (
  state: CurveStableState,
  event: EventOf<"ReserveChanged">
): CurveStableState => {
  if (event.reason === "one-coin") return withdrawnOne(state, event)
  if (event.reason !== "liquidity") return lost(state)
  return state.balances === null
    ? deposited(state, event)
    : orLost(state, withAmount(state.balances, event.index, event.amount))
}

/** The invariant that a deposit or an uneven withdrawal told must be that of the balances. */
const checked = (state: CurveStableState, event: EventOf<"PoolParameterSet">): CurveStableState => {
  const first = state.deposit?.place === logPlace(event) ? state.deposit.amounts : null
  const balances = state.balances ?? first
  if (balances === null) return state
  const fitting = poolsOf(state, balances, event.block.time).filter(
    pool => poolInvariant(pool) === event.value
  )
  if (fitting.length === 0) return lost(state)
  return { ...state, balances, deposit: null, rules: fitting.map(({ rule }) => rule) }
}

const withFee = (
  state: CurveStableState,
  { index, value }: EventOf<"PoolParameterSet">
): CurveStableState => {
  const { balances, adminFee } = state
  if (balances === null) return state
  if (adminFee === null) return lost(state)
  return orLost(state, withAmount(balances, index, -((value * adminFee) / FEE_DENOMINATOR)))
}

const flat = (value: bigint) => ({ initial: value, future: value, from: 0n, to: 0n })

const withRamp = (
  state: CurveStableState,
  name: string,
  value: bigint
): CurveStableState | null => {
  const ramp = state.ramp ?? flat(0n)
  switch (name) {
    case "A_precise":
      return { ...state, precision: 100n, ramp: flat(value) }
    case "A":
      return state.precision === null ? { ...state, precision: 1n, ramp: flat(value) } : state
    case "initialA":
      return { ...state, ramp: { ...ramp, initial: value } }
    case "futureA":
      return { ...state, ramp: { ...ramp, future: value } }
    case "initialATime":
      return { ...state, ramp: { ...ramp, from: value } }
    case "futureATime":
      return { ...state, ramp: { ...ramp, to: value } }
    case "stoppedA":
      return { ...state, ramp: flat(value) }
    default:
      return null
  }
}

const withParameter = (
  state: CurveStableState,
  event: EventOf<"PoolParameterSet">
): CurveStableState => {
  const { name, value } = event
  switch (name) {
    case "fee":
      return { ...state, fee: value }
    case "adminFee":
      return { ...state, adminFee: value }
    case "offpegFeeMultiplier":
      return { ...state, offpegMultiplier: value }
    case "invariant":
      return checked(state, event)
    case "imbalanceFee":
      return withFee(state, event)
    case "totalSupply":
      return { ...state, supply: value }
    case "burned":
      return { ...state, burned: value }
    default:
      return withRamp(state, name, value) ?? state
  }
}

const apply = (state: CurveStableState, event: Event): CurveStableState => {
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
  state: CurveStableState,
  _facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountIn: bigint
): Quote => {
  const { balances } = state
  if (balances === null || tokenIn === tokenOut) return refused("unknown-state")
  if (balances[tokenIn] === undefined || balances[tokenOut] === undefined) {
    return refused("unknown-state")
  }
  const pools = poolsOf(state, balances, state.time)
  if (pools.length === 0) return refused("unknown-state")
  if (balances.some(balance => balance === 0n)) return refused("no-liquidity")
  if (amountIn >= 2n ** 128n) return refused("too-large")
  if (amountIn === 0n) return { ok: true, amountIn, amountOut: 0n }
  const outcomes = exchanges(pools, tokenIn, tokenOut, amountIn)
  const outcome = agreed(outcomes, (a, b) => a.out?.amountOut === b.out?.amountOut)
  if (outcome === null) return refused("unknown-state")
  return outcome.out === null
    ? refused("no-liquidity")
    : { ok: true, amountIn, amountOut: outcome.out.amountOut }
}

export const curveStableModel: PoolModel<CurveStableState> = {
  initial: facts => ({
    pool: facts.pool,
    rates: ratesOf(facts),
    balances: null,
    deposit: null,
    supply: null,
    burned: null,
    ramp: null,
    precision: null,
    fee: null,
    adminFee: null,
    offpegMultiplier: 0n,
    rules: stableRules,
    time: 0
  }),
  fold: timedFold(apply),
  quote,
  byTime: true
}
