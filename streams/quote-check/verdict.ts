/**
 * Whether our quote gives what a swap paid, from the pool's state before it. A quote sells an exact
 * amount; swaps may also have bought an exact amount or been cut off at a price, so these are run
 * too, by the same loop, before a swap counts as another.
 */
import { MAX_INT128 } from "../../src/math/fixed-point.ts"
import type { EventOf } from "../event.ts"
import { type AlgebraPoolState, quoteExactOutput as algebraOutput } from "../evm/algebra/pool.ts"
import {
  type RangePoolState,
  quoteExactOutput as rangeOutput,
  simulate
} from "../evm/range-pool.ts"
import { type PairState, quoteExactOutput as pairOutput } from "../evm/uniswap-v2/pool.ts"
import { type HookedPoolState, quoteExactOutput as hookedOutput } from "../evm/uniswap-v4/pool.ts"
import type { AnyVenueKind, PoolFacts, Quote } from "../venue.ts"
import type { SwapSides } from "./swap-sides.ts"

/** `input`, `output`: so much was sold or bought; `limit`: cut off at the price it reached. */
export type Order = "input" | "output" | "limit"

export type Verdict =
  | { readonly is: "exact"; readonly order: Order }
  | { readonly is: "other"; readonly reason: string }
  | { readonly is: "unknown"; readonly reason: string }

export interface Judged {
  readonly kind: AnyVenueKind
  readonly facts: PoolFacts
  /** before the swap */
  readonly state: unknown
  readonly sides: SwapSides
  readonly swap: EventOf<"SwapExecuted">
}

const unknown = (reason: string): Verdict => ({ is: "unknown", reason })
const other = (reason: string): Verdict => ({ is: "other", reason })

/** Kinds whose pools send what the caller asks for, if their curve allows it. */
const paysWhatIsAsked: ReadonlySet<string> = new Set(["uniswap-v2", "solidly"])

const ASKED_LESS = "asked for less than the pair would have paid"

const outputQuote = ({ kind, facts, state, sides }: Judged): Quote | null => {
  const { tokenIn, tokenOut, amountOut } = sides
  switch (kind.kind) {
    case "uniswap-v2":
      return pairOutput(state as PairState, facts, tokenIn, tokenOut, amountOut)
    case "uniswap-v3":
    case "pancakeswap-v3":
      return rangeOutput(state as RangePoolState, facts, tokenIn, tokenOut, amountOut)
    case "uniswap-v4":
      return hookedOutput(state as HookedPoolState, facts, tokenIn, tokenOut, amountOut)
    case "algebra":
      return algebraOutput(state as AlgebraPoolState, tokenIn, tokenOut, amountOut)
    default:
      return null
  }
}

/** Range pools whose state is nothing else. */
const isPlainRange = (kind: string): boolean => kind === "uniswap-v3" || kind === "pancakeswap-v3"

/** Whether the swap ran until the price it left and had more to sell. */
const stoppedAtPrice = ({ kind, facts, state, sides, swap }: Judged): boolean => {
  if (!isPlainRange(kind.kind) || swap.sqrtPriceX96 === null) return false
  const outcome = simulate(state as RangePoolState, facts.fee, {
    zeroForOne: sides.tokenIn === 0,
    exactIn: true,
    amount: MAX_INT128,
    sqrtPriceLimitX96: swap.sqrtPriceX96
  })
  return (
    outcome?.ok === true &&
    outcome.amountIn === sides.amountIn &&
    outcome.amountOut === sides.amountOut
  )
}

const isSwap = (quote: Quote | null, { amountIn, amountOut }: SwapSides): boolean =>
  quote?.ok === true && quote.amountIn === amountIn && quote.amountOut === amountOut

/** The verdict on a swap; `unknownReason` says why where the quote does not know the state. */
export const judge = (judged: Judged, unknownReason: () => string): Verdict => {
  const { kind, facts, state, sides } = judged
  const { tokenIn, tokenOut, amountIn, amountOut } = sides
  const quote = kind.pool.quote(state, facts, tokenIn, tokenOut, amountIn)
  if (!quote.ok && quote.reason === "unknown-state") return unknown(unknownReason())
  if (isSwap(quote, sides)) return { is: "exact", order: "input" }
  if (isSwap(outputQuote(judged), sides)) return { is: "exact", order: "output" }
  if (stoppedAtPrice(judged)) return { is: "exact", order: "limit" }
  if (!quote.ok) return other(`no quote: ${quote.reason}`)
  if (quote.amountIn < amountIn) return other("took more than the quote's liquidity")
  if (quote.amountOut < amountOut) return other("paid more than the quote")
  return other(paysWhatIsAsked.has(kind.kind) ? ASKED_LESS : "paid less than the quote")
}
