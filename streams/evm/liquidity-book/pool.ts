/** How a Liquidity Book pair's events change its bins, fee parameters and volatility. */
import {
  accumulatorAt,
  reducedVolatility,
  referencesAt,
  type Volatility
} from "../../../src/math/bins/volatility.ts"
import type { Event, EventOf } from "../../event.ts"
import type { PoolModel } from "../../venue.ts"
import { timedFold } from "../pool-fold.ts"
import { crossed, quote } from "./quote.ts"
import { type Bin, isStaticFee, type LiquidityBookState, wholeFees } from "./state.ts"

/** The place of bin `id`, or where it would stand. */
const placeOf = (bins: ReadonlyArray<Bin>, id: number): number => {
  let [low, high] = [0, bins.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bins[middle] as Bin).id < id) low = middle + 1
    else high = middle
  }
  return low
}

/** Bins with amounts added to one of them. */
const withAmounts = (
  bins: ReadonlyArray<Bin> | null,
  id: number,
  x: bigint,
  y: bigint
): ReadonlyArray<Bin> | null => {
  if (bins === null) return null
  const place = placeOf(bins, id)
  const known = bins[place]
  const isKnown = known?.id === id
  const bin = { id, x: x + (isKnown ? known.x : 0n), y: y + (isKnown ? known.y : 0n) }
  if (bin.x < 0n || bin.y < 0n) return null
  const rest = bins.slice(isKnown ? place + 1 : place)
  return [...bins.slice(0, place), ...(bin.x === 0n && bin.y === 0n ? [] : [bin]), ...rest]
}

/** References as they are renewed before a swap or a composition fee at `time`. */
const renewed = (state: LiquidityBookState, activeId: number | null, time: number): Volatility => {
  const fees = wholeFees(state.fees)
  return fees === null
    ? { idReference: null, reference: null, accumulator: null, time }
    : referencesAt(state.volatility, fees, activeId, time)
}

/** Whether the swap's way led over bins that have some of what it bought: a pair empties them. */
const passesOver = (
  { bins, activeId }: LiquidityBookState,
  id: number,
  sellsX: boolean
): boolean => {
  if (bins === null || activeId === null) return false
  if (sellsX ? id > activeId : id < activeId) return true
  const [from, to] = sellsX ? [id + 1, activeId] : [activeId, id - 1]
  const passed = bins.slice(placeOf(bins, from), placeOf(bins, to + 1))
  return passed.some(({ x, y }) => (sellsX ? y : x) > 0n)
}

/** Where bins do not lead to what a swap left some are wrong, and nobody knows which. */
const swapped = (state: LiquidityBookState, swap: EventOf<"SwapExecuted">): LiquidityBookState => {
  const { tick: id } = swap
  if (id === null) return state
  const bins = withAmounts(
    passesOver(state, id, swap.amount0In > 0n) ? null : state.bins,
    id,
    swap.amount0In - swap.amount0Out,
    swap.amount1In - swap.amount1Out
  )
  const volatility = renewed(state, state.activeId, swap.block.time)
  return { ...state, bins, activeId: id, volatility }
}

/** A deposit of both tokens is in the active bin: the others hold one each. */
const moved = (
  state: LiquidityBookState,
  { tickLower: id, amount0, amount1 }: EventOf<"LiquidityChanged">
): LiquidityBookState => {
  if (id === null) return state
  const isActive = state.activeId === null && amount0 > 0n && amount1 > 0n
  return {
    ...state,
    bins: withAmounts(state.bins, id, amount0, amount1),
    ...(isActive && { activeId: id })
  }
}

/** What the protocol keeps of a swap's fee leaves the bin of that swap. */
const feeTaken = (
  state: LiquidityBookState,
  { index, amount }: EventOf<"ReserveChanged">
): LiquidityBookState => {
  const { activeId, bins } = state
  if (activeId === null || (index !== 0 && index !== 1)) return state
  const [x, y] = index === 0 ? [amount, 0n] : [0n, amount]
  return { ...state, bins: withAmounts(bins, activeId, x, y) }
}

const compositionPaid = (
  state: LiquidityBookState,
  id: number,
  time: number
): LiquidityBookState => {
  const fees = wholeFees(state.fees)
  const volatility = renewed(state, id, time)
  const accumulator = fees === null ? null : accumulatorAt(volatility, fees, id)
  return { ...state, activeId: id, volatility: { ...volatility, accumulator } }
}

const decayed = (state: LiquidityBookState): LiquidityBookState => {
  const fees = wholeFees(state.fees)
  const { accumulator } = state.volatility
  const reference =
    fees === null || accumulator === null ? null : reducedVolatility(accumulator, fees)
  return {
    ...state,
    volatility: { ...state.volatility, idReference: state.activeId, reference }
  }
}

const withParameter = (
  state: LiquidityBookState,
  { name, value, block }: EventOf<"PoolParameterSet">
): LiquidityBookState => {
  const number = Number(value)
  if (isStaticFee(name)) return { ...state, fees: { ...state.fees, [name]: number } }
  switch (name) {
    case "binStep":
      // It never changes; a second word comes from some other contract.
      return state.binStep === null && number > 0 ? { ...state, binStep: number } : state
    case "volatilityAccumulator":
      return { ...state, volatility: { ...state.volatility, accumulator: number } }
    case "compositionBin":
      return compositionPaid(state, number, block.time)
    case "forcedDecay":
      return decayed(state)
    case "hooks":
      return { ...state, hasHooks: value !== 0n }
    default:
      return state
  }
}

const created = (state: LiquidityBookState): LiquidityBookState => ({
  ...state,
  bins: state.bins ?? [],
  volatility: { idReference: null, reference: 0, accumulator: 0, time: 0 }
})

const apply = (state: LiquidityBookState, event: Event): LiquidityBookState => {
  switch (event.kind) {
    case "PoolCreated":
      return event.source === "log" && state.volatility.time === null ? created(state) : state
    case "SwapExecuted":
      return swapped(state, event)
    case "LiquidityChanged":
      return moved(state, event)
    case "ReserveChanged":
      return feeTaken(state, event)
    case "PoolParameterSet":
      return withParameter(state, event)
    default:
      return state
  }
}

export const liquidityBookModel: PoolModel<LiquidityBookState> = {
  initial: ({ pool }) => ({
    pool,
    bins: null,
    binStep: null,
    activeId: null,
    fees: {},
    volatility: { idReference: null, reference: null, accumulator: null, time: null },
    hasHooks: false,
    time: 0
  }),
  fold: timedFold(apply),
  quote,
  crossed,
  byTime: true
}
