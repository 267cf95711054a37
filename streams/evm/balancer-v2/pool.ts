/**
 * State and quotes of Balancer V2 pools, as far as events tell them: balances from the Vault's
 * joins, exits, swaps and asset managers, from the pool's creation on; fee and amplification from
 * the pool's contract; weights only where somebody told them (`weight`), for no event does.
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
  paused: false,
  time: 0
})

const created = (state: VaultPoolState, event: EventOf<"PoolCreated">): VaultPoolState => ({
  ...state,
  tokens: event.tokens,
  holdings: event.source === "log" ? event.tokens.map(() => ({ cash: 0n, managed: 0n })) : null
})

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

const swapped = (state: VaultPoolState, event: EventOf<"SwapExecuted">): VaultPoolState => {
  const { token0, token1, amount0In, amount0Out, amount1In, amount1Out } = event
  const first = changed(state, token0, amount0In - amount0Out, 0n)
  const holdings = changed({ ...state, holdings: first }, token1, amount1In - amount1Out, 0n)
  return { ...state, holdings }
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
      return value === 0n ? state : { ...state, hasRates: true }
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

/** What the curve needs of the pool; null where it is not known. */
const scaledPool = (state: VaultPoolState, facts: PoolFacts): ScaledPool | null => {
  const { holdings, curve, swapFee, amp, weights, hasRates, paused } = state
  if (holdings === null || curve === null || swapFee === null || hasRates || paused) return null
  if (swapFee >= ONE) return null
  // The pool's own token is no reserve: a swap with it is a join or an exit.
  const places = state.tokens.flatMap((token, i) => (token === state.contract ? [] : [i]))
  const reserves = places.map(place => {
    const decimals = facts.decimals[place]
    const { cash, managed } = holdings[place] as Holding
    const known = decimals !== null && decimals !== undefined && decimals >= 0 && decimals <= 18
    return { place, cash, total: cash + managed, scale: known ? 10n ** BigInt(18 - decimals) : 0n }
  })
  if (reserves.some(({ scale }) => scale === 0n)) return null
  if (curve.name === "stable") {
    if (amp === null || state.ampEndTime > BigInt(state.time)) return null
    return { curve, swapFee, reserves, amp, weights: [] }
  }
  const told = places.map(place => weights[place] ?? 0n)
  return told.every(weight => weight > 0n && weight < ONE)
    ? { curve, swapFee, reserves, amp: 0n, weights: told }
    : null
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
  quote
}
