/** Swaps on the pools that venue kinds give the laws. */
import type { AnyVenueKind } from "../../streams/venue.ts"
import type { LawPool, LawSwap } from "../../streams/venue-laws.ts"
import type { Random } from "./seed.ts"
import type { KindUnderLaw } from "./venue-laws.ts"

/** A pool's state after its history. */
export const stateOf = ({ pool }: AnyVenueKind, { facts, history }: LawPool): unknown =>
  history.reduce((state, event) => pool.fold(state, event), pool.initial(facts))

/** A swap of a law, and whether the pool took all that it was offered. */
export interface OfferedSwap extends LawSwap {
  readonly isWhole: boolean
}

const holdsNoSwap = ({ kind }: AnyVenueKind, { history }: LawPool): void => {
  if (!history.some(event => event.kind === "SwapExecuted")) return
  throw new Error(
    `${kind}.laws.ts: the history of a pool holds a SwapExecuted, and the laws would judge that ` +
      "swap too. Tell what swaps leave by the other events of their logs, as reserves and parameters"
  )
}

/**
 * A swap that the pool can run: of an amount of so many bits at most as the quote tells it, or, of
 * a kind that never quotes, as its laws tell it. Null where there is none.
 */
export const lawSwap = (
  { kind, laws }: KindUnderLaw,
  chance: Random,
  one: LawPool,
  bits: number
): OfferedSwap | null => {
  holdsNoSwap(kind, one)
  if (kind.neverQuotes !== undefined) {
    if (laws.swap === undefined) {
      throw new Error(`${kind.kind}.laws.ts lacks \`swap\`, which kinds that never quote give`)
    }
    return { ...laws.swap(one, chance), isWhole: true }
  }
  const tokenIn = chance.integer(0, 1)
  const tokenOut = 1 - tokenIn
  const offered = chance.bits(bits) + 1n
  const quote = kind.pool.quote(stateOf(kind, one), one.facts, tokenIn, tokenOut, offered)
  if (!quote.ok) return null
  const { amountIn, amountOut } = quote
  return { tokenIn, tokenOut, amountIn, amountOut, isWhole: amountIn === offered }
}
