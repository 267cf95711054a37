/**
 * State and quotes of DODO V2 pools. No event tells reserves, targets or most parameters: they are
 * known where somebody told them as parameters (`i`, `k`, `lpFee`, `mtFee`, then `rState`,
 * `baseTarget`, `quoteTarget`, `baseReserve`, `quoteReserve`), and followed from there by swaps
 * that come out as computed. Shares bought or sold, or a pool reset, make them unknown again.
 */
import { MAX_UINT112 } from "../../../src/math/fixed-point.ts"
import { ONE } from "../../../src/math/pmm/integral.ts"
import {
  adjusted,
  type PmmState,
  type PmmSwap,
  type Regime,
  sellBase,
  sellQuote
} from "../../../src/math/pmm/pmm.ts"
import type { Event, EventOf } from "../../event.ts"
import { type PoolFacts, type PoolModel, type Quote, refused } from "../../venue.ts"

type Told =
  | "i"
  | "k"
  | "lpFee"
  | "mtFee"
  | "rState"
  | "baseTarget"
  | "quoteTarget"
  | "baseReserve"
  | "quoteReserve"

export interface MarketState {
  readonly pool: string
  readonly tokens: ReadonlyArray<string>
  /** raw units, rates of 18 decimals; what is absent was not told */
  readonly told: { readonly [name in Told]?: bigint }
}

const NAMES: ReadonlySet<string> = new Set<Told>([
  "i",
  "k",
  "lpFee",
  "mtFee",
  "rState",
  "baseTarget",
  "quoteTarget",
  "baseReserve",
  "quoteReserve"
])

const without = (told: MarketState["told"], ...names: ReadonlyArray<Told>): MarketState["told"] =>
  Object.fromEntries(Object.entries(told).filter(([name]) => !names.some(one => one === name)))

/** A sale as the contract computes it, and what of it is kept back. */
interface Sale {
  readonly before: PmmState
  readonly swap: PmmSwap
  /** what the trader gets */
  readonly received: bigint
  /** the maintainer's part, which leaves the reserve too */
  readonly maintained: bigint
}

const marketOf = ({ told }: MarketState): PmmState | null => {
  const { i, k, rState, baseTarget, quoteTarget, baseReserve, quoteReserve } = told
  if (i === undefined || k === undefined || rState === undefined || rState > 2n) return null
  if (baseTarget === undefined || quoteTarget === undefined) return null
  if (baseReserve === undefined || quoteReserve === undefined) return null
  const regime = Number(rState) as Regime
  return adjusted({ i, k, base: baseReserve, quote: quoteReserve, baseTarget, quoteTarget, regime })
}

/** Null where the state is unknown, `refused` where the contract would not trade. */
const saleOf = (state: MarketState, isBase: boolean, amount: bigint): Sale | "refused" | null => {
  const { lpFee, mtFee } = state.told
  const before = marketOf(state)
  if (before === null || lpFee === undefined || mtFee === undefined) return null
  if (lpFee + mtFee >= ONE) return null
  const swap = (isBase ? sellBase : sellQuote)(before, amount)
  const held = isBase ? before.quote : before.base
  if (swap === null || swap.amountOut > held) return "refused"
  const maintained = (swap.amountOut * mtFee) / ONE
  const received = swap.amountOut - (swap.amountOut * lpFee) / ONE - maintained
  return { before, swap, received, maintained }
}

/** The state after a sale of the pool's own arithmetic; a target moves where its regime ends. */
const afterSale = (
  state: MarketState,
  isBase: boolean,
  amount: bigint,
  sale: Sale
): MarketState => {
  const { before, swap, received, maintained } = sale
  const paid = received + maintained
  const regime = BigInt(swap.regime)
  const moved = swap.regime !== before.regime
  return {
    ...state,
    told: {
      ...state.told,
      rState: regime,
      baseReserve: isBase ? before.base + amount : before.base - paid,
      quoteReserve: isBase ? before.quote - paid : before.quote + amount,
      ...(moved && isBase && { baseTarget: before.baseTarget }),
      ...(moved && !isBase && { quoteTarget: before.quoteTarget })
    }
  }
}

const swapped = (state: MarketState, event: EventOf<"SwapExecuted">): MarketState => {
  const { told, tokens } = state
  if (told.baseReserve === undefined && told.quoteReserve === undefined) return state
  const isBase = event.token0 === tokens[0]
  const unknown = { ...state, told: without(told, "baseReserve", "quoteReserve") }
  if (!isBase && event.token0 !== tokens[1]) return unknown
  const sale = saleOf(state, isBase, event.amount0In)
  if (sale === null || sale === "refused" || sale.received !== event.amount1Out) return unknown
  return afterSale(state, isBase, event.amount0In, sale)
}

const parameterSet = (
  state: MarketState,
  { name, value }: EventOf<"PoolParameterSet">
): MarketState => {
  const { told } = state
  if (name === "totalShares") {
    return { ...state, told: without(told, "baseReserve", "quoteReserve") }
  }
  // Logged just before a swap that leads there by itself.
  if (!NAMES.has(name) || (name === "rState" && told.baseReserve !== undefined)) return state
  // A private pool that is reset sets all of them and logs this one.
  const kept = name === "lpFee" ? {} : told
  return { ...state, told: { ...kept, [name]: value } }
}

const fold = (state: MarketState, event: Event): MarketState => {
  switch (event.kind) {
    case "SwapExecuted":
      return event.pool === state.pool ? swapped(state, event) : state
    case "PoolParameterSet":
      return event.pool === state.pool ? parameterSet(state, event) : state
    case "PoolCreated":
      // Anybody can log that he made the pool: what is known stays.
      return event.pool === state.pool && state.tokens.length === 0
        ? { ...state, tokens: event.tokens }
        : state
    default:
      return state
  }
}

const quote = (
  state: MarketState,
  _facts: PoolFacts,
  tokenIn: number,
  tokenOut: number,
  amountIn: bigint
): Quote => {
  if (tokenIn + tokenOut !== 1 || tokenIn * tokenOut !== 0) {
    return refused("unknown-state")
  }
  const isBase = tokenIn === 0
  const sale = saleOf(state, isBase, amountIn)
  if (sale === null) return refused("unknown-state")
  if (sale === "refused") return refused("no-liquidity")
  const { before, received } = sale
  const held = isBase ? before.base : before.quote
  if (held + amountIn > MAX_UINT112) return refused("too-large")
  return { ok: true, amountIn, amountOut: received }
}

export const marketModel: PoolModel<MarketState> = {
  initial: ({ pool, tokens }) => ({ pool, tokens, told: {} }),
  fold,
  quote
}
