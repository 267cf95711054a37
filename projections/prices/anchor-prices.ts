/**
 * The price of an anchor by the pools that quote it in better-ranked anchors. Where a pool of a
 * listed venue may set the price, pools of other venues count nothing: anybody can deploy a
 * contract that logs a false depth. The mean is summed in the order of prices and slots, so it
 * never depends on the order of updates.
 */

import { reasonOf, thresholds } from "../../src/rules/price-recipe.ts"
import type { Books } from "./books.ts"
import { isListed, mayCount, poolReason } from "./pool-book.ts"

/** What a quote token is worth. */
type WorthOf = (books: Books, quote: number) => number

/** A pool's weight in an anchor's price, or the reason why it has none. */
export interface Word {
  readonly reason: string | null
  readonly weight: number
}

/** A pool of an anchor, as the anchor's newest mean saw it. */
export interface AnchorPool extends Word {
  readonly pool: number
  /** dollars an anchor token; infinite where the pool has no price */
  price: number
  /** dollars that the pool weighs */
  depth: number
  reason: string | null
  /** `depth`, less with the time that the pool has been silent; 0 where there is a reason */
  weight: number
}

/** What an anchor's pools say of it. */
export interface Mean {
  /** dollars; NaN where no pool may set a price */
  readonly price: number
  /** dollars of the pools in the mean */
  readonly depth: number
  /** Unix seconds of the newest pool state in the mean; 0 for none */
  readonly told: number
  /** whether the mean is of pools of listed venues */
  readonly listed: boolean
}

/** Removes a pool from an anchor's pools. */
export const dropPool = ({ anchorPools }: Books, token: number, pool: number): void => {
  const list = anchorPools.get(token)
  const place = list?.findIndex(one => one.pool === pool) ?? -1
  if (place >= 0) list?.splice(place, 1)
}

/** Adds a pool to an anchor's pools where its state may ever count, and removes it elsewhere. */
export const putPool = (books: Books, token: number, pool: number): void => {
  if (!mayCount(books, pool)) return dropPool(books, token, pool)
  const list = books.anchorPools.get(token) ?? []
  if (list.length === 0) books.anchorPools.set(token, list)
  if (list.some(one => one.pool === pool)) return
  list.push({ pool, price: Number.NaN, depth: Number.NaN, reason: null, weight: Number.NaN })
}

/**
 * Computes the weighted mean of an anchor's pools without those far from their weighted median.
 *
 * @param worthOf returns a quote token's price
 */
export const meanOf = (books: Books, token: number, now: number, worthOf: WorthOf): Mean => {
  const pools = books.anchorPools.get(token) ?? []
  const { ts } = books.poolPrices.columns
  sort(books, pools, now, worthOf)
  const listed = pools.some(one => one.reason === null && isListed(books, one.pool))
  weigh(books, pools, listed)
  leaveOutFar(pools)
  let [weighted, whole, depth, told] = [0, 0, 0, 0]
  for (const one of pools) {
    if (one.weight === 0) continue
    weighted += one.price * one.weight
    whole += one.weight
    depth += one.depth
    told = Math.max(told, ts[one.pool] as number)
  }
  return { price: whole > 0 ? weighted / whole : Number.NaN, depth, told, listed }
}

/**
 * Looks at each pool anew, and sorts the list by price, then by slot. Insertion sort: it is nearly
 * sorted from the last time.
 */
const sort = (books: Books, pools: Array<AnchorPool>, now: number, worthOf: WorthOf): void => {
  const { unit, quote, depth } = books.poolPrices.columns
  for (let i = 0; i < pools.length; i++) {
    const one = pools[i] as AnchorPool
    const worth = worthOf(books, quote[one.pool] as number)
    const usd = (unit[one.pool] as number) * worth
    one.price = usd > 0 ? usd : Number.POSITIVE_INFINITY
    one.depth = (depth[one.pool] as number) * worth
    one.reason = reasonOf(poolReason(books, one.pool, now, worth))
    let at = i
    while (at > 0 && isAfter(pools[at - 1] as AnchorPool, one)) {
      pools[at] = pools[at - 1] as AnchorPool
      at--
    }
    pools[at] = one
  }
}

const isAfter = (one: AnchorPool, other: AnchorPool): boolean =>
  one.price > other.price || (one.price === other.price && one.pool > other.pool)

/** Weighs the pools of listed or of other venues that may set a price. */
const weigh = (books: Books, pools: ReadonlyArray<AnchorPool>, listed: boolean): void => {
  const { ts } = books.poolPrices.columns
  let newest = 0
  for (const one of pools) {
    if (one.reason === null && isListed(books, one.pool) !== listed) one.reason = "unlisted"
    if (one.reason === null) newest = Math.max(newest, ts[one.pool] as number)
  }
  for (const one of pools) {
    const silent = newest - (ts[one.pool] as number)
    if (one.reason === null && silent >= thresholds.anchorSilentSeconds) one.reason = "silent"
    one.weight = one.reason === null ? one.depth * ageing(silent) : 0
  }
}

/** Returns what the weight of a pool shrinks by that has been silent so long: 1, a half, ... */
const ageing = (silent: number): number =>
  2 ** -Math.floor(silent / thresholds.anchorHalvingSeconds)

/** Takes the weight of pools far from the weighted median; the pools stand in order of prices. */
export const leaveOutFar = (pools: ReadonlyArray<AnchorPool>): void => {
  let whole = 0
  for (const { weight } of pools) whole += weight
  let below = 0
  const middle = pools.find(({ weight }) => {
    below += weight
    return below * 2 >= whole
  })
  for (const one of pools) {
    if (one.reason !== null || isNear(one.price, middle?.price ?? 0, thresholds.maxAnchorSpread))
      continue
    one.reason = "far"
    one.weight = 0
  }
}

/** Returns the weights of pools as parts of their sum. */
export const wordsOf = (pools: ReadonlyArray<AnchorPool>): ReadonlyMap<number, Word> => {
  const whole = pools.reduce((sum, { weight }) => sum + weight, 0)
  return new Map(
    pools.map(({ pool, reason, weight }) => [
      pool,
      { reason, weight: weight > 0 ? weight / whole : 0 }
    ])
  )
}

/** Whether two positive numbers are at most a factor apart. */
export const isNear = (one: number, other: number, factor: number): boolean =>
  one <= other * factor && other <= one * factor
