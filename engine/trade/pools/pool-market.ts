/** What the route search sees of a chain: pools that hold tokens, with states to quote on. */
import type { AnyVenueKind, PoolFacts, Quote } from "../../../streams/venue.ts"

/** A pool with the state that its kind's model folded from the log. */
export interface TradePool {
  /** address, or pool id where one contract holds all pools of a venue */
  readonly pool: string
  /** venue id, e.g. `uniswap_v3` */
  readonly dex: string
  readonly kind: AnyVenueKind
  /** of the pool, where it is known */
  readonly factory: string | null
  /** with the wrapped token in place of the native unit */
  readonly facts: PoolFacts
  /** whether the pool trades the native unit itself, and not the token that wraps it */
  readonly isNative: boolean
  readonly state: unknown
}

/** Pools by the tokens that they hold; one market is one chain at one position of its log. */
export interface PoolMarket {
  /** pools that hold both tokens (lower-case addresses), in an order that the log alone decides */
  readonly between: (tokenA: string, tokenB: string) => ReadonlyArray<TradePool>
}

/** An exact quote of one pool; tokens as lower-case addresses, amounts in raw units. */
export const quotePool = (
  { kind, facts, state }: TradePool,
  tokenIn: string,
  tokenOut: string,
  amountIn: bigint
): Quote =>
  kind.pool.quote(
    state,
    facts,
    facts.tokens.indexOf(tokenIn),
    facts.tokens.indexOf(tokenOut),
    amountIn
  )

/** How many ticks or bins a sale goes over; 0 where what it costs does not depend on that. */
export const crossedIn = (
  { kind, facts, state }: TradePool,
  tokenIn: string,
  tokenOut: string,
  amountIn: bigint
): number =>
  kind.pool.crossed?.(
    state,
    facts,
    facts.tokens.indexOf(tokenIn),
    facts.tokens.indexOf(tokenOut),
    amountIn
  ) ?? 0
