/** The paths that an order may take through a market, with the pools of their hops. */

import { type Hop, hopBetween, legKey, type Search, saleAfter } from "./hop.ts"
import { type Path, pathOf } from "./path.ts"
import type { PlannedLeg } from "./planned-leg.ts"
import type { Candidate, RouteOptions, RouteOrder } from "./route.ts"

/** Whether each hop has a pool: what leads nowhere is not looked at, and tells no reason. */
const isLinked = ({ market }: Search, tokens: ReadonlyArray<string>): boolean =>
  tokens.every((token, i) => i === 0 || market.between(tokens[i - 1] as string, token).length > 0)

/** Takes note that a hop buys not one unit, so that nothing is left to be sold behind it. */
const buysNothing = ({ lost }: Search, { tokenIn, tokenOut, pools }: Hop): null => {
  const ends = { tokenIn, tokenOut, lost: "amount-too-small" } as const
  for (const { pool } of pools) lost.push({ pool: pool.pool, dex: pool.dex, ...ends })
  return null
}

/**
 * Hops from token to token, each for what the one before can buy; null where one has no pool.
 */
const hopsAlong = (
  search: Search,
  tokens: ReadonlyArray<string>,
  amount: bigint
): ReadonlyArray<Hop> | null => {
  if (!isLinked(search, tokens)) return null
  const hops: Array<Hop> = []
  let carried = amount
  for (let i = 1; i < tokens.length; i++) {
    const before = hops.at(-1)
    if (before !== undefined && before.bought < 1) return buysNothing(search, before)
    const hop = hopBetween(search, tokens[i - 1] as string, tokens[i] as string, carried)
    if (hop === null) return null
    hops.push(hop)
    carried = BigInt(saleAfter(hop.bought))
  }
  return hops
}

/** The lists of tokens that routes may lead along. */
const tokenPaths = (
  { tokenIn, tokenOut }: RouteOrder,
  { anchors, maxHops = 2 }: RouteOptions
): ReadonlyArray<ReadonlyArray<string>> => {
  const between = [...new Set(anchors)]
    .filter(anchor => anchor !== tokenIn && anchor !== tokenOut)
    .sort()
  const two = maxHops < 2 ? [] : between.map(anchor => [tokenIn, anchor, tokenOut])
  const three =
    maxHops < 3
      ? []
      : between.flatMap(a => between.flatMap(b => (a === b ? [] : [[tokenIn, a, b, tokenOut]])))
  return [[tokenIn, tokenOut], ...two, ...three]
}

/** All of them, for sales of up to `amount`. */
export const pathsOf = (
  search: Search,
  order: RouteOrder,
  options: RouteOptions,
  amount: bigint
): ReadonlyArray<Path> =>
  tokenPaths(order, options).flatMap(tokens => {
    const hops = hopsAlong(search, tokens, amount)
    return hops === null ? [] : [pathOf(hops)]
  })

/**
 * Every pool that was looked at and has no leg, once a hop, in the order in which they were met.
 */
export const lostOf = (
  refused: ReadonlyArray<Candidate>,
  removed: ReadonlyArray<Candidate>,
  paths: ReadonlyArray<Path>,
  legs: ReadonlyArray<PlannedLeg>
): ReadonlyArray<Candidate> => {
  const lost = new Map<string, Candidate>()
  const add = (one: Candidate) => {
    const key = legKey(one.pool, one.tokenIn, one.tokenOut)
    if (!lost.has(key)) lost.set(key, one)
  }
  for (const one of refused) add(one)
  for (const one of removed) add(one)
  for (const { hops } of paths)
    for (const { tokenIn, tokenOut, pools } of hops)
      for (const { pool } of pools)
        add({ pool: pool.pool, dex: pool.dex, tokenIn, tokenOut, lost: "worse-price" })
  for (const { pool, tokenIn, tokenOut } of legs) lost.delete(legKey(pool.pool, tokenIn, tokenOut))
  return [...lost.values()]
}
