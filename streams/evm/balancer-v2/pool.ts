/**
 * State and quotes of Balancer V2 pools, as far as events tell them: balances from the Vault's
 * joins, exits, swaps and asset managers, from the pool's creation on; fee and amplification from
 * the pool's contract; weights only where somebody told them (`weight`), for no event does, and
 * rates only where they were read.
 */
import { addressOfWord } from "../../../src/domain/address.ts"
import { MAX_UINT112 } from "../../../src/math/fixed-point.ts"
import { ONE } from "../../../src/math/weighted/fixed18.ts"
import type { Event, EventOf } from "../../event.ts"
import { type PoolFacts, type PoolModel, type Quote, refused } from "../../venue.ts"
import {
  type BalancerParameters,
  keepingTime,
  withBalancerParameter
} from "../balancer-parameters.ts"
import { amountOutOf, type ScaledPool } from "./curve.ts"
import { type Curve, curveOfFactory } from "./factories.ts"

/** What a token's reserve in the Vault is made of, raw units. */
export interface Holding {
  /** in the Vault: what a swap can pay */
  readonly cash: bigint
  /** lent out by an asset manager: counted in prices */
  readonly managed: bigint
}

export interface VaultPoolState extends BalancerParameters {
  /** 32 bytes */
  readonly pool: string
  /** the contract, which logs the parameters */
  readonly contract: string
  /** by place in `tokens`; null where the pool was not followed from its creation on */
  readonly holdings: ReadonlyArray<Holding> | null
  readonly curve: Curve | null
  /** a token's rate comes from a contract, so no event tells it */
  readonly hasRates: boolean
  /** factors to 18 decimals times rates, of 18 decimals, by place in `tokens`, as they were read of
   *  a pool that has rates; null where they were not, or a swap took others */
  readonly factors: ReadonlyArray<bigint> | null
  /** Unix seconds up to which swaps take these */
  readonly factorsUntil: number
}

/** The pool's contract: the first 20 bytes of its id. */
export const contractOf = (pool: string): string => pool.slice(0, 42)

const initial = ({ pool, tokens }: PoolFacts): VaultPoolState => ({
  pool,
  contract: contractOf(pool),
  tokens,
  holdings: null,
  curve: null,
  swapFee: null,
  amp: null,
  ampEndTime: 0n,
  weights: [],
  hasRates: false,
  factors: null,
  factorsUntil: 0,
  paused: false,
  time: 0
})

const created = (
  state: VaultPoolState,
  { tokens, source }: EventOf<"PoolCreated">
): VaultPoolState => {
  // Told of a pool that exists already: what is known of it stays.
  if (source !== "log") return state.tokens.length > 0 ? state : { ...state, tokens }
  // Some pools register further tokens later, which are added to those that are there.
  const isFirst = state.tokens.length === 0 || tokens.join() === state.tokens.join()
  if (!isFirst) return { ...state, holdings: null }
  if (state.holdings !== null) return state
  return { ...state, tokens, holdings: tokens.map(() => ({ cash: 0n, managed: 0n })) }
}

/** The holdings with one changed; null where no pool can have come to hold that. */
const changed = (
  { holdings, tokens }: VaultPoolState,
  token: string | null,
  cash: bigint,
  managed: bigint
): ReadonlyArray<Holding> | null => {
  const place = token === null ? -1 : tokens.indexOf(token)
  const before = holdings?.[place]
  if (holdings === null || before === undefined) return null
  const after = { cash: before.cash + cash, managed: before.managed + managed }
  if (after.cash < 0n || after.managed < 0n || after.cash + after.managed > MAX_UINT112) return null
  return holdings.map((holding, i) => (i === place ? after : holding))
}

/** What the curve needs of the pool, with these factors; null where it is not known. */
const scaledBy = (
  state: VaultPoolState,
  factors: ReadonlyArray<bigint | null>
): ScaledPool | null => {
  const { holdings, curve, swapFee, amp, weights, paused } = state
  if (holdings === null || curve === null || swapFee === null || paused) return null
  if (swapFee >= ONE) return null
  // The pool's own token is no reserve: a swap with it is a join or an exit.
  const places = state.tokens.flatMap((token, i) => (token === state.contract ? [] : [i]))
  const reserves = places.map(place => {
    const { cash, managed } = holdings[place] as Holding
    return { place, cash, total: cash + managed, factor: factors[place] ?? 0n }
  })
  if (reserves.some(({ factor }) => factor === 0n)) return null
  if (curve.name === "stable") {
    if (amp === null || state.ampEndTime > BigInt(state.time)) return null
    return { curve, swapFee, reserves, amp, weights: [] }
  }
  const told = places.map(place => weights[place] ?? 0n)
  return told.every(weight => weight > 0n && weight < ONE)
    ? { curve, swapFee, reserves, amp: 0n, weights: told }
    : null
}

/** A factor to 18 decimals, of 18 decimals; null where the token's are not known. */
export const plainFactor = (decimals: number | null | undefined): bigint | null =>
  decimals !== null && decimals !== undefined && decimals >= 0 && decimals <= 18
    ? 10n ** BigInt(36 - decimals)
    : null

const scaledPool = (state: VaultPoolState, { decimals }: PoolFacts): ScaledPool | null => {
  if (!state.hasRates)
    return scaledBy(
      state,
      state.tokens.map((_, i) => plainFactor(decimals[i]))
    )
  const { factors, factorsUntil, time } = state
  return factors === null || time > factorsUntil ? null : scaledBy(state, factors)
}

/** Whether a swap paid what the factors make of it; one with the pool's own token is a join or an
 *  exit, which tells nothing. */
const tookFactors = (
  state: VaultPoolState,
  factors: ReadonlyArray<bigint>,
  { token0, token1, amount0In, amount1Out }: EventOf<"SwapExecuted">
): boolean => {
  const pool = scaledBy(state, factors)
  const place = (token: string | null) => (token === null ? -1 : state.tokens.indexOf(token))
  const [from, to] = [token0, token1].map(place)
  const [source, target] = [from, to].map(one =>
    pool?.reserves.findIndex(reserve => reserve.place === one)
  ) as [number, number]
  if (pool === null) return false
  return source < 0 || target < 0 || amountOutOf(pool, source, target, amount0In) === amount1Out
}

const swapped = (state: VaultPoolState, event: EventOf<"SwapExecuted">): VaultPoolState => {
  const { token0, token1, amount0In, amount0Out, amount1In, amount1Out } = event
  const first = changed(state, token0, amount0In - amount0Out, 0n)
  const holdings = changed({ ...state, holdings: first }, token1, amount1In - amount1Out, 0n)
  const hasTaken = state.factors === null || tookFactors(state, state.factors, event)
  return { ...state, holdings, factors: hasTaken ? state.factors : null }
}

const reserveChanged = (
  state: VaultPoolState,
  { token, amount, reason }: EventOf<"ReserveChanged">
): VaultPoolState => {
  switch (reason) {
    case "liquidity":
    case "fee":
    case "cash":
      return { ...state, holdings: changed(state, token, amount, 0n) }
    case "managed":
      return { ...state, holdings: changed(state, token, 0n, amount) }
    default:
      // A token came to the list or left it: places are not what they were.
      return { ...state, holdings: null }
  }
}

const parameterSet = (
  state: VaultPoolState,
  event: EventOf<"PoolParameterSet">
): VaultPoolState => {
  const { name, value } = event
  switch (name) {
    case "factory":
      // Anybody can name a pool; only known factories are believed.
      return { ...state, curve: curveOfFactory.get(addressOfWord(value)) ?? state.curve }
    case "rateProvider":
      return value === 0n ? state : { ...state, hasRates: true, factors: null }
    default:
      return withBalancerParameter(state, event)
  }
}

const applied = (state: VaultPoolState, event: Event): VaultPoolState => {
  switch (event.kind) {
    case "SwapExecuted":
      return event.pool === state.pool ? swapped(state, event) : state
    case "ReserveChanged":
      return event.pool === state.pool ? reserveChanged(state, event) : state
    case "PoolCreated":
      return event.pool === state.pool ? created(state, event) : state
    case "PoolParameterSet":
      return event.pool === state.pool || event.pool === state.contract
        ? parameterSet(state, event)
        : state
    default:
      return state
  }
}

const quote = (
  state: VaultPoolState,
  facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountIn: bigint
): Quote => {
  const pool = scaledPool(state, facts)
  const from = pool?.reserves.findIndex(({ place }) => place === tokenIn) ?? -1
  const to = pool?.reserves.findIndex(({ place }) => place === tokenOut) ?? -1
  if (pool === null || from < 0 || to < 0 || from === to) {
    return refused("unknown-state")
  }
  const amountOut = amountOutOf(pool, from, to, amountIn)
  return typeof amountOut === "string" ? refused(amountOut) : { ok: true, amountIn, amountOut }
}

export const vaultPoolModel: PoolModel<VaultPoolState> = {
  initial,
  fold: keepingTime(applied),
  quote,
  byTime: true
}
