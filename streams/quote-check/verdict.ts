/**
 * Whether our quote gives what a swap paid, from the pool's state before it. A quote sells an exact
 * amount; swaps may also have bought an exact amount or been cut off at a price, so these are run
 * too, by the same loop, before a swap counts as another.
 */
import type { EventOf } from "../event.ts"
import type { AnyVenueKind, PoolFacts, Quote, SwapSides } from "../venue.ts"

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

/** Of pools that pay what the caller asks for, where that is less than they would. */
export const ASKED_LESS = "asked for less than the pair would have paid"

const outputQuote = ({ kind, facts, state, sides }: Judged): Quote | null => {
  const { tokenIn, tokenOut, amountOut } = sides
  return kind.pool.quoteOutput?.(state, facts, tokenIn, tokenOut, amountOut) ?? null
}

/** What a swap gives that ran until the price it left and had more to sell. */
const limitedQuote = ({ kind, facts, state, sides, swap }: Judged): Quote | null =>
  swap.sqrtPriceX96 === null
    ? null
    : (kind.pool.check?.quoteUntil?.(state, facts, sides.tokenIn, swap.sqrtPriceX96) ?? null)

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
  if (isSwap(limitedQuote(judged), sides)) return { is: "exact", order: "limit" }
  if (!quote.ok) return other(`no quote: ${quote.reason}`)
  if (quote.amountIn < amountIn) return other("took more than the quote's liquidity")
  if (quote.amountOut < amountOut) return other("paid more than the quote")
  return other(kind.pool.check?.paysWhatIsAsked === true ? ASKED_LESS : "paid less than the quote")
}
