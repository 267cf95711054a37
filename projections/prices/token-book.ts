/** The price of each token, by the pools that may set it. */
import { thresholds } from "../../src/rules/price-recipe.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { isNear, type Mean, meanOf, putPool, type Word, wordsOf } from "./anchor-prices.ts"
import { type Books, listAnchor } from "./books.ts"
import { inReference, updateDollars } from "./dollar-basket.ts"
import { isEligible, isListed, poolDepthUsd } from "./pool-book.ts"
import { anchorUsd, unitUsd } from "./worth.ts"

/**
 * Computes the base token's price after the pool that `pair` looks at changed, and what follows.
 */
export const poolChanged = (books: Books, pool: number, ts: number): void => {
  const { anchors, quoteAs, baseAs } = books.pair
  if (anchors.isUsd(quoteAs)) meetDollar(books, quoteAs, ts)
  if (anchors.isUsd(baseAs)) {
    meetDollar(books, baseAs, ts)
    putPool(books, baseAs, pool)
    if (updateDollars(books, ts, token => settleDollar(books, token, ts)))
      priceAssets(books, 0, true, ts)
  } else if (anchors.isAnchor(baseAs)) {
    books.tokenPrices.grow(baseAs + 1)
    putAsset(books, baseAs, pool)
    priceAssets(books, books.assets.indexOf(baseAs), false, ts)
  } else priceToken(books, baseAs, pool, ts)
}

/** Gives a dollar the price $1 at its first sight; later the basket sets its price. */
const meetDollar = (books: Books, token: number, ts: number): void => {
  books.tokenPrices.grow(token + 1)
  const { columns } = books.tokenPrices
  if ((columns.price[token] as number) > 0) return
  columns.price[token] = 1
  columns.ts[token] = ts
  books.tokenPrices.touch(token)
  listAnchor(books, books.dollars, token)
}

const putAsset = (books: Books, token: number, pool: number): void => {
  putPool(books, token, pool)
  listAnchor(books, books.assets, token)
}

/**
 * Prices the anchor at a place of `assets`. Where its price moved (or `moved`), prices the
 * anchors behind it too, since their pools may be quoted in it.
 */
const priceAssets = (books: Books, from: number, moved: boolean, ts: number): void => {
  let isMoved = moved
  for (let place = from; place < books.assets.length; place++) {
    if (place > from && !isMoved) return
    if (priceAsset(books, books.assets[place] as number, ts)) isMoved = true
  }
}

/** Prices an anchor that is no dollar. Returns whether its price changed. */
const priceAsset = (books: Books, token: number, ts: number): boolean => {
  settle(books, token, meanOf(books, token, ts, anchorUsd), thresholds.anchorJump, ts)
  const { price, unit } = books.tokenPrices.columns
  if (Object.is(price[token], unit[token])) return false
  price[token] = unit[token] as number
  return true
}

/** Computes the price of a dollar in the reference. */
const settleDollar = (books: Books, token: number, ts: number): void => {
  const mean = meanOf(books, token, ts, inReference)
  const isDeep = mean.depth >= thresholds.minDollarDepthUsd
  settle(books, token, isDeep ? mean : { ...mean, price: Number.NaN }, thresholds.dollarJump, ts)
}

/** Takes the newest mean of an anchor over as its price, where the mean counts already. */
const settle = (books: Books, token: number, mean: Mean, jump: number, ts: number): void => {
  const { columns } = books.tokenPrices
  const { price, depth, told: newestTs, listed } = mean
  const isStale = ts - (columns.told_ts[token] as number) >= thresholds.anchorStaleSeconds
  const before = columns.unit[token] as number
  if (Object.is(price, before) && columns.depth[token] === depth) {
    if (columns.told_ts[token] === newestTs && Number.isNaN(columns.pending[token])) return
  }
  if (Number.isNaN(price)) setUnit(books, token, Number.NaN, NONE)
  else if (isStale || counts(books, token, mean, jump, ts)) {
    setUnit(books, token, price, NONE)
    columns.pending[token] = Number.NaN
    columns.pending_ts[token] = 0
    columns.listed[token] = listed ? 1 : 0
  }
  columns.depth[token] = depth
  columns.told_ts[token] = newestTs > 0 ? newestTs : (columns.told_ts[token] as number)
  columns.ts[token] = ts
  books.tokenPrices.touch(token)
}

/**
 * Whether an anchor's mean counts: it is near the former price, has lasted, or is the first one
 * of listed venues.
 */
const counts = (books: Books, token: number, mean: Mean, jump: number, ts: number): boolean => {
  const { columns } = books.tokenPrices
  const unit = columns.unit[token] as number
  const before = unit > 0 ? unit : (columns.unit_was[token] as number)
  const pending = columns.pending[token] as number
  const isBetter = mean.listed && columns.listed[token] === 0
  if (before > 0 && !isBetter && !isNear(mean.price, before, jump)) {
    // the price may move on while the mean waits
    if (!isNear(mean.price, pending, Math.max(jump, thresholds.maxAnchorSpread))) {
      columns.pending[token] = mean.price
      columns.pending_ts[token] = ts
      return false
    }
    if (ts - (columns.pending_ts[token] as number) < thresholds.anchorHoldSeconds) return false
  }
  return true
}

/** Sets a token's price per unit, and keeps the newest known one as the former price. */
const setUnit = (books: Books, token: number, unit: number, quote: number): void => {
  const { columns } = books.tokenPrices
  const before = unitUsd(books, token)
  columns.unit[token] = unit
  columns.quote[token] = quote
  const after = unitUsd(books, token)
  if (before > 0) columns.unit_was[token] = before
  else if (after > 0) columns.unit_was[token] = after
}

const priceToken = (books: Books, token: number, pool: number, ts: number): void => {
  books.tokenPrices.grow(token + 1)
  const { columns } = books.tokenPrices
  const eligible = isEligible(books, pool, ts)
  const leader = columns.pool[token] as number
  if (leader !== pool) {
    if (eligible && outranks(books, pool, token)) lead(books, token, pool, ts)
    // where a curve's pool says another price, and may not set it, the curve's is over
    else if (!eligible && leader !== NONE && books.successors.curveOf(pool) === leader)
      if (hasPrice(books, pool)) unprice(books, token, leader, ts)
    return
  }
  if (eligible) return lead(books, token, pool, ts)
  const wasPriced = (columns.unit[token] as number) > 0
  const other = wasPriced ? best(books, token, ts) : NONE
  if (other !== NONE) return lead(books, token, other, ts)
  if (!isMoving(books, pool)) unprice(books, token, pool, ts)
}

const hasPrice = ({ poolPrices }: Books, pool: number): boolean =>
  pool < poolPrices.count && (poolPrices.columns.unit[pool] as number) > 0

/**
 * Whether a curve moved into a pool that has told no price yet: the curve's last price stands, at
 * which its program puts into the pool what it held.
 */
const isMoving = (books: Books, curve: number): boolean =>
  books.successors.hasMoved(curve) && !hasPrice(books, books.successors.successorOf(curve))

/** Takes the price of a token that no pool may set any more; `pool` was its leader. */
const unprice = (books: Books, token: number, pool: number, ts: number): void => {
  const { columns } = books.tokenPrices
  const poolColumns = books.poolPrices.columns
  setUnit(books, token, Number.NaN, poolColumns.quote[pool] as number)
  columns.price[token] = Number.NaN
  columns.depth[token] = poolColumns.depth[pool] as number
  columns.ts[token] = ts
  books.tokenPrices.touch(token)
}

/** Makes a pool the token's leader: the token has the pool's price. */
const lead = (books: Books, token: number, pool: number, ts: number): void => {
  const { columns } = books.tokenPrices
  const poolColumns = books.poolPrices.columns
  setUnit(books, token, poolColumns.unit[pool] as number, poolColumns.quote[pool] as number)
  columns.price[token] = poolColumns.price[pool] as number
  columns.pool[token] = pool
  columns.listed[token] = isListed(books, pool) ? 1 : 0
  columns.depth[token] = poolColumns.depth[pool] as number
  columns.told_ts[token] = poolColumns.ts[pool] as number
  columns.ts[token] = ts
  books.tokenPrices.touch(token)
}

/** Whether an eligible pool replaces the token's leader: it is listed, or deeper. */
const outranks = (books: Books, pool: number, token: number): boolean => {
  const { columns } = books.tokenPrices
  const leader = columns.pool[token] as number
  if (leader === NONE || !(unitUsd(books, token) > 0)) return true
  return isBetter(books, pool, leader)
}

const isBetter = (books: Books, pool: number, than: number): boolean => {
  const listed = isListed(books, pool)
  if (listed !== isListed(books, than)) return listed
  return poolDepthUsd(books, pool) > poolDepthUsd(books, than)
}

/** Returns the best eligible pool of a token (listed, then deepest, then oldest), or `NONE`. */
const best = (books: Books, token: number, now: number): number => {
  let best = NONE
  for (const pool of books.based.of(token).toSorted((a, b) => a - b)) {
    if (!isEligible(books, pool, now)) continue
    if (best === NONE || isBetter(books, pool, best)) best = pool
  }
  return best
}

/** Multiplies the prices per unit by `factor`, once the token's decimals are known. */
export const rescaleToken = (books: Books, token: number, factor: number): void => {
  if (token >= books.tokenPrices.count) return
  const { columns } = books.tokenPrices
  if (!((columns.unit_was[token] as number) > 0)) return
  columns.unit[token] = (columns.unit[token] as number) * factor
  columns.unit_was[token] = (columns.unit_was[token] as number) * factor
  columns.price[token] = columns.unit[token] as number
  books.tokenPrices.touch(token)
}

/** Returns the weight of each pool in an anchor's price, as of the time it was computed last. */
export const weightsOf = (books: Books, token: number): ReadonlyMap<number, Word> => {
  const { columns, count } = books.tokenPrices
  if (token >= count) return new Map()
  const worthOf = books.pair.anchors.isUsd(token) ? inReference : anchorUsd
  meanOf(books, token, columns.ts[token] as number, worthOf)
  return wordsOf(books.anchorPools.get(token) ?? [])
}

/** Makes lists anew after a rollback or a start, once the pools' rows are in place. */
export const reloadTokens = (books: Books): void => {
  const { columns, count } = books.tokenPrices
  const { anchors } = books.pair
  books.anchorPools.clear()
  books.dollars.length = 0
  books.assets.length = 0
  for (let token = 0; token < count; token++) {
    if (anchors.isUsd(token) && (columns.price[token] as number) > 0) {
      listAnchor(books, books.dollars, token)
    }
  }
  for (let pool = 0; pool < books.pools.count(); pool++) {
    if (!books.pair.look(pool)) continue
    const { baseAs } = books.pair
    if (anchors.isUsd(baseAs)) putPool(books, baseAs, pool)
    else if (anchors.isAnchor(baseAs)) putAsset(books, baseAs, pool)
  }
}
