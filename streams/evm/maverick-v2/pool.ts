/**
 * State and quotes of Maverick V2 pools. Events tell fees, spacing and the first active tick, but
 * not how liquidity falls on ticks: reserves are known where somebody told them (`activeTick`,
 * which begins anew, then `reserveA` and `reserveB` of every tick, scaled to 18 decimals as the
 * pool keeps them). From there swaps are followed as long as they come out as computed, in pools
 * whose bins never move; liquidity makes the ticks unknown again.
 */
import { MAX_UINT128 } from "../../../src/math/fixed-point.ts"
import {
  type MaverickPool,
  type MaverickSwap,
  swapExactIn
} from "../../../src/math/maverick/swap.ts"
import { MAX_SUB_TICK, type Tick } from "../../../src/math/maverick/tick.ts"
import { ONE } from "../../../src/math/weighted/fixed18.ts"
import type { Event, EventOf } from "../../event.ts"
import { type PoolFacts, type PoolModel, type Quote, refused } from "../../venue.ts"

export interface BinPoolState {
  readonly pool: string
  readonly tickSpacing: number | null
  /** 18 decimals; null until told */
  readonly feeAIn: bigint | null
  readonly feeBIn: bigint | null
  /** thousandths of the fee; null until told */
  readonly protocolFee: bigint | null
  /** a bit for each kind of bin it can have; the lowest alone: bins that never move */
  readonly kinds: bigint | null
  /** null where not all ticks are known */
  readonly book: { readonly activeTick: number; readonly ticks: ReadonlyMap<number, Tick> } | null
  /** by token, of the facts */
  readonly scales: readonly [bigint, bigint] | null
}

const STATIC_KIND = 1n

const scalesOf = ({ decimals }: PoolFacts): readonly [bigint, bigint] | null => {
  const [a, b] = [decimals[0] ?? -1, decimals[1] ?? -1]
  const isKnown = (value: number) => Number.isInteger(value) && value >= 0 && value <= 18
  return isKnown(a) && isKnown(b) ? [10n ** BigInt(18 - a), 10n ** BigInt(18 - b)] : null
}

const initial = (facts: PoolFacts): BinPoolState => ({
  pool: facts.pool,
  tickSpacing: facts.tickSpacing,
  feeAIn: null,
  feeBIn: null,
  protocolFee: null,
  kinds: null,
  book: null,
  scales: scalesOf(facts)
})

/** What the arithmetic needs of the pool; null where it is not known or no pool has it. */
const poolOf = (state: BinPoolState): MaverickPool | null => {
  const { tickSpacing, feeAIn, feeBIn, protocolFee, book } = state
  if (book === null || feeAIn === null || feeBIn === null || protocolFee === null) return null
  if (tickSpacing === null || tickSpacing < 1 || tickSpacing > MAX_SUB_TICK) return null
  if (feeAIn >= ONE || feeBIn >= ONE || protocolFee > 1000n) return null
  return { tickSpacing, feeAIn, feeBIn, protocolFee, ...book }
}

interface RawSwap {
  readonly swap: MaverickSwap
  readonly amountIn: bigint
  readonly amountOut: bigint
}

/** A swap in raw units; null where the state is unknown, `refused` where the pool would not. */
const rawSwap = (
  state: BinPoolState,
  scales: readonly [bigint, bigint],
  tokenAIn: boolean,
  amount: bigint
): RawSwap | "refused" | null => {
  const pool = poolOf(state)
  if (pool === null) return null
  const [from, to] = tokenAIn ? scales : [scales[1], scales[0]]
  const swap = swapExactIn(pool, tokenAIn, amount * from)
  if (swap === null) return "refused"
  const amountIn = (swap.amountIn + from - 1n) / from
  return { swap, amountIn, amountOut: swap.amountOut / to }
}

const swapped = (state: BinPoolState, event: EventOf<"SwapExecuted">): BinPoolState => {
  const { book, scales, kinds } = state
  if (book === null) return state
  const unknown = { ...state, book: null }
  if (scales === null || kinds !== STATIC_KIND) return unknown
  const tokenAIn = event.amount0In > 0n
  const [paid, got] = tokenAIn
    ? [event.amount0In, event.amount1Out]
    : [event.amount1In, event.amount0Out]
  const raw = rawSwap(state, scales, tokenAIn, paid)
  if (raw === null || raw === "refused") return unknown
  if (raw.amountIn !== paid || raw.amountOut !== got) return unknown
  const { activeTick, ticks } = raw.swap
  return { ...state, book: { activeTick, ticks } }
}

/** Ticks beyond these have no price, whatever the spacing. */
const isTick = (value: number): boolean => Math.abs(value) <= MAX_SUB_TICK

const withReserve = (
  state: BinPoolState,
  side: keyof Tick,
  { index, value }: EventOf<"PoolParameterSet">
): BinPoolState => {
  const { book } = state
  if (book === null || index === null) return state
  if (!isTick(index) || value < 0n || value > MAX_UINT128) return { ...state, book: null }
  const before = book.ticks.get(index) ?? { reserveA: 0n, reserveB: 0n }
  const ticks = new Map(book.ticks).set(index, { ...before, [side]: value })
  return { ...state, book: { ...book, ticks } }
}

const parameterSet = (state: BinPoolState, event: EventOf<"PoolParameterSet">): BinPoolState => {
  const { name, value } = event
  switch (name) {
    case "feeAIn":
    case "feeBIn":
    case "protocolFee":
    case "kinds":
      return { ...state, [name]: value }
    case "activeTick": {
      const activeTick = Number(value)
      return { ...state, book: isTick(activeTick) ? { activeTick, ticks: new Map() } : null }
    }
    case "reserveA":
    case "reserveB":
      return withReserve(state, name, event)
    default:
      return state
  }
}

const fold = (state: BinPoolState, event: Event): BinPoolState => {
  switch (event.kind) {
    case "SwapExecuted":
      return event.pool === state.pool ? swapped(state, event) : state
    case "ReserveChanged":
      return event.pool === state.pool ? { ...state, book: null } : state
    case "PoolParameterSet":
      return event.pool === state.pool ? parameterSet(state, event) : state
    case "PoolCreated":
      // Anybody can log that he made the pool: what is known stays.
      return event.pool === state.pool && state.tickSpacing === null
        ? { ...state, tickSpacing: event.tickSpacing }
        : state
    default:
      return state
  }
}

const quote = (
  state: BinPoolState,
  facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountIn: bigint
): Quote => {
  const scales = scalesOf(facts)
  if (scales === null || tokenIn + tokenOut !== 1 || tokenIn * tokenOut !== 0) {
    return refused("unknown-state")
  }
  // The pool keeps reserves in uint128 of 18 decimals.
  if (amountIn * (scales[tokenIn] as bigint) > MAX_UINT128) {
    return refused(poolOf(state) === null ? "unknown-state" : "too-large")
  }
  const raw = rawSwap(state, scales, tokenIn === 0, amountIn)
  if (raw === null) return refused("unknown-state")
  if (raw === "refused" || (amountIn > 0n && raw.amountIn === 0n)) {
    return refused("no-liquidity")
  }
  return { ok: true, amountIn: raw.amountIn, amountOut: raw.amountOut }
}

/** How many ticks with reserves a sale goes over, the one that it begins in aside. */
const crossed = (
  state: BinPoolState,
  facts: PoolFacts,
  tokenIn: number,
  _tokenOut: number,
  amountIn: bigint
): number => {
  const [scales, { book }] = [scalesOf(facts), state]
  const raw = scales === null ? null : rawSwap(state, scales, tokenIn === 0, amountIn)
  if (raw === null || raw === "refused" || book === null) return 0
  const [from, to] = [book.activeTick, raw.swap.activeTick]
  const [low, high] = from < to ? [from, to] : [to, from]
  return [...book.ticks.keys()].filter(tick => tick >= low && tick <= high && tick !== from).length
}

export const binPoolModel: PoolModel<BinPoolState> = { initial, fold, quote, crossed }
