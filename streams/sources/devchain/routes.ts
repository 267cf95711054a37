/** Paths through pools of one kind, as the V2 and V3 routers take them. */
import type { Market, Pool, Token } from "./market.ts"
import { type PoolState, undervaluation } from "./pool-state.ts"
import type { Random } from "./random.ts"

/** A pool with its state at the head, and how far it undervalues its token 0 (log). */
export interface PoolView {
  readonly pool: Pool
  readonly state: PoolState
  readonly under: number
}

export interface Route {
  readonly pools: ReadonlyArray<PoolView>
  /** one more than pools: what goes in, what comes between, what comes out */
  readonly tokens: ReadonlyArray<Token>
}

export const viewPool = (pool: Pool, state: PoolState, time: number): PoolView => ({
  pool,
  state,
  under: undervaluation(pool, state, time)
})

export const tokenIn = (route: Route): Token => route.tokens[0] as Token
export const tokenOut = (route: Route): Token => route.tokens.at(-1) as Token

const other = (pool: Pool, token: Token): Token =>
  pool.token0 === token ? pool.token1 : pool.token0

/** One pool, in the direction of this input. */
export const directRoute = (view: PoolView, input: Token): Route => ({
  pools: [view],
  tokens: [input, other(view.pool, input)]
})

export const reversed = (route: Route): Route => ({
  pools: [...route.pools].reverse(),
  tokens: [...route.tokens].reverse()
})

/** Logarithm of fair value out over fair value in, before fees and price impact. */
export const gain = (route: Route): number =>
  route.pools.reduce(
    (sum, view, hop) =>
      sum + (view.pool.token0 === route.tokens[hop + 1] ? view.under : -view.under),
    0
  )

/** Depth in dollars of the smallest pool on the way. */
export const narrowest = (route: Route): number =>
  Math.min(...route.pools.map(view => view.pool.depthUsd))

/**
 * A random route of at most `hops` pools: the first is drawn by the root of its depth, each further
 * one continues from the output through pools of the same kind, never back to a token already used.
 */
export const drawRoute = (
  random: Random,
  market: Market,
  views: ReadonlyArray<PoolView>,
  hops: number
): Route => {
  const first = random.weighted(views, view => Math.sqrt(view.pool.depthUsd))
  const { token0, token1 } = first.pool
  // Routes with more than one hop go through a quote asset, as real ones do.
  const input =
    hops > 1 && market.quotes.includes(token0)
      ? token1
      : hops > 1 && market.quotes.includes(token1)
        ? token0
        : random.pick([token0, token1])
  let route = directRoute(first, input)
  while (route.pools.length < hops) {
    const last = tokenOut(route)
    const next = views.filter(
      ({ pool }) =>
        pool.kind === first.pool.kind &&
        (pool.token0 === last || pool.token1 === last) &&
        !route.tokens.includes(other(pool, last))
    )
    if (next.length === 0) break
    const view = random.weighted(next, candidate => Math.sqrt(candidate.pool.depthUsd))
    route = {
      pools: [...route.pools, view],
      tokens: [...route.tokens, other(view.pool, last)]
    }
  }
  return route
}
