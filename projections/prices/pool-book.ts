/**
 * The state of each pool by its events: reserves or liquidity, the quote tokens in it, the time of
 * its making; and the price and depth that follow.
 */
import { ageOf, reasonAgainst, thresholds } from "../../src/rules/price-recipe.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { launchKinds } from "../../streams/pool-venue.ts"
import type { Books } from "./books.ts"
import { anchorUsd } from "./worth.ts"

/** The part of the newest amount by which a sum of computed amounts may round below zero. */
const ROUNDING = 1e-6

const rootAt = (tick: number): number => 1.0001 ** (tick / 2)

/**
 * Returns the raw tokens of one side in a range's liquidity (Uniswap V3 whitepaper, 6.29, 6.30).
 */
const amountInRange = (
  isSide0: boolean,
  liquidity: number,
  root: number,
  lower: number,
  upper: number
): number => {
  const [low, high] = [rootAt(lower), rootAt(upper)]
  const at = Math.min(Math.max(root, low), high)
  return isSide0 ? liquidity * (1 / at - 1 / high) : liquidity * (at - low)
}

/** A change of liquidity in a range; amounts as the pool sees them, in raw units. */
export interface RangeChange {
  readonly lower: number
  readonly upper: number
  readonly liquidity: number
  readonly amount0: number
  readonly amount1: number
}

/** Makes the row of a pool at its first event, and rows of all slots before it. */
export const meetPool = (books: Books, pool: number, ts: number): void => {
  while (books.poolPrices.count <= pool) {
    const met = books.poolPrices.add()
    books.poolPrices.columns.first_ts[met] = ts
  }
}

/** Notes the pool's making: from here on the log holds everything that happened to the pool. */
export const made = (books: Books, pool: number, ts: number): void => {
  const { columns } = books.poolPrices
  if (columns.created_ts[pool] === 0) columns.created_ts[pool] = ts
  begin(books, pool)
}

const begin = (books: Books, pool: number): void => {
  const { columns } = books.poolPrices
  if (columns.ts[pool] === 0) columns.whole[pool] = 1
  books.poolPrices.touch(pool)
}

/** Sets the first price of a pool of ranges. */
export const initialized = (books: Books, pool: number, root: number): void => {
  begin(books, pool)
  books.poolPrices.columns.root[pool] = root
}

export const synced = (books: Books, pool: number, reserve0: number, reserve1: number): void => {
  const { columns } = books.poolPrices
  columns.told[pool] = 1
  columns.reserve0[pool] = reserve0
  columns.reserve1[pool] = reserve1
  // the price of a pool that is weighed by them stands until a swap tells another
  if (!isDepth(books, pool) || (reserve0 === 0 && reserve1 === 0)) columns.root[pool] = 0
}

/** Notes how much of one of the pool's first two tokens prices it and is not in it. */
export const virtualTold = (books: Books, pool: number, place: number, raw: number): void => {
  const { virtual0, virtual1 } = books.poolPrices.columns
  if (place === 0) virtual0[pool] = raw
  if (place === 1) virtual1[pool] = raw
  books.poolPrices.touch(pool)
}

/** Whether reserves of pools of its kind are no price. */
const isDepth = (books: Books, pool: number): boolean =>
  books.ofDepth.size > 0 && books.ofDepth.has(books.pools.columns().kind[pool] ?? "")

/** Notes whether the pool was told to be one whose reserves give its depth and no price. */
export const curved = (books: Books, pool: number, isFlat: boolean): void => {
  const { flat } = books.poolPrices.columns
  if (flat[pool] === (isFlat ? 1 : 0)) return
  flat[pool] = isFlat ? 1 : 0
  books.poolPrices.touch(pool)
}

/**
 * Takes a swap of a pool of ranges. Where reserves of its kind are a depth, what is in it was told
 * ahead of the swap, and weighs it; else its liquidity does.
 *
 * @param root square root of the price after the swap
 * @param liquidity at the price; NaN where the event does not tell it
 * @param in0 raw units of token 0 that came in, less those that went out
 */
export const swapped = (
  books: Books,
  pool: number,
  root: number,
  liquidity: number,
  in0: number,
  in1: number
): void => {
  const { columns } = books.poolPrices
  if (isDepth(books, pool)) {
    columns.root[pool] = root
    return
  }
  if (!(liquidity >= 0)) return
  columns.root[pool] = root
  columns.reserve0[pool] = liquidity / root
  columns.reserve1[pool] = liquidity * root
  hold(books, pool, in0, in1)
}

/**
 * Takes a change of liquidity in a range. Liquidity that spans the price deepens the pool at
 * once. Where the event has no amounts (Uniswap V4) they follow from range and price.
 *
 * @returns whether the liquidity at the price changed
 */
export const ranged = (books: Books, pool: number, change: RangeChange): boolean => {
  const { columns } = books.poolPrices
  const root = columns.root[pool] as number
  const { lower, upper, liquidity, amount0, amount1 } = change
  if (amount0 !== 0 || amount1 !== 0) {
    hold(books, pool, amount0, amount1)
    if (liquidity < 0) owe(books, pool, -amount0, -amount1)
  } else if (root > 0) {
    const [of0, of1] = [true, false].map(side =>
      amountInRange(side, liquidity, root, lower, upper)
    ) as [number, number]
    hold(books, pool, of0, of1)
  } else if (liquidity !== 0) columns.whole[pool] = 0
  books.poolPrices.touch(pool)
  if (!(root > 0)) return false
  const tick = (2 * Math.log(root)) / Math.log(1.0001)
  if (tick < lower || tick >= upper) return false
  const active = Math.max(0, (columns.reserve1[pool] as number) / root + liquidity)
  columns.reserve0[pool] = active / root
  columns.reserve1[pool] = active * root
  return true
}

/** Takes a payment to positions: burnt liquidity that was owed goes first, the rest is fees. */
export const collected = (books: Books, pool: number, amount0: number, amount1: number): void => {
  const { columns } = books.poolPrices
  if (columns.whole[pool] === 0 || !books.pair.look(pool)) return
  const amount = books.pair.quoteIs0 ? amount0 : amount1
  const owed = columns.owed[pool] as number
  columns.owed[pool] = Math.max(0, owed - amount)
  if (amount > owed) hold(books, pool, owed - amount, owed - amount)
  books.poolPrices.touch(pool)
}

const owe = (books: Books, pool: number, amount0: number, amount1: number): void => {
  if (!books.pair.look(pool)) return
  const { owed } = books.poolPrices.columns
  owed[pool] = (owed[pool] as number) + (books.pair.quoteIs0 ? amount0 : amount1)
}

/**
 * Adds quote tokens that came in (negative: went out). A sum below zero shows that the log lacks
 * some of the pool's past.
 */
const hold = (books: Books, pool: number, in0: number, in1: number): void => {
  const { columns } = books.poolPrices
  if (columns.whole[pool] === 0) return
  if (!books.pair.look(pool)) {
    columns.whole[pool] = 0
    return
  }
  const change = books.pair.quoteIs0 ? in0 : in1
  const held = (columns.held[pool] as number) + change
  if (held < -thresholds.minRawUnits - Math.abs(change) * ROUNDING) columns.whole[pool] = 0
  columns.held[pool] = Math.max(0, held)
}

/** Raw units of the pool that `pair` looks at: what it holds, and what is virtual beside that. */
const sidesOf = ({ pair, poolPrices }: Books, pool: number) => {
  const { reserve0, reserve1, virtual0, virtual1 } = poolPrices.columns
  const of0 = [reserve0[pool] as number, virtual0[pool] as number] as const
  const of1 = [reserve1[pool] as number, virtual1[pool] as number] as const
  const [[quote, quoteBeside], [base, baseBeside]] = pair.quoteIs0 ? [of0, of1] : [of1, of0]
  // a pool that holds nothing trades no more, whatever is virtual in it
  const isEmpty = quote === 0 && base === 0
  return { quote, quoteSide: isEmpty ? 0 : quote + quoteBeside, baseSide: base + baseBeside }
}

/** Computes price and depth, in quote tokens, of the pool that `pair` looks at. */
export const valuePool = (books: Books, pool: number): void => {
  const { pair, scales } = books
  const c = books.poolPrices.columns
  const quoteScale = scales.of(pair.quote)
  const { quote, quoteSide, baseSide } = sidesOf(books, pool)
  const side = quoteSide / quoteScale
  const scale = scales.of(pair.base)
  const root = c.root[pool] as number
  const isRange = root > 0
  const isWeighed = isDepth(books, pool)
  const baseUnits = pair.inUnits(scale) ? 1 : scale
  const unit =
    isRange && isWeighed
      ? ((pair.quoteIs0 ? 1 / (root * root) : root * root) / quoteScale) * baseUnits
      : side / (baseSide / baseUnits)
  const isTold = c.flat[pool] === 0 && (isRange || !isWeighed)
  const hasPrice = unit > 0 && unit < Number.POSITIVE_INFINITY && isTold
  const backed =
    isRange && !isWeighed
      ? c.whole[pool] === 1
        ? (c.held[pool] as number) / quoteScale
        : Number.NaN
      : quote / quoteScale
  c.quote[pool] = pair.quoteAs
  c.quote_usd[pool] = anchorUsd(books, pair.quoteAs)
  c.side_was[pool] = c.side[pool] as number
  c.side[pool] = side >= 0 && side < Number.POSITIVE_INFINITY ? side : 0
  c.backed[pool] = backed
  c.unit[pool] = hasPrice ? unit : Number.NaN
  c.price[pool] = hasPrice && !Number.isNaN(scale) ? unit : Number.NaN
  const isCapped = isRange && !isWeighed && !Number.isNaN(backed)
  const cap = isCapped ? backed * thresholds.maxLeverage : side
  c.depth[pool] = hasPrice ? Math.min(side, cap) : 0
}

/** Multiplies the price per unit by `factor`, once the decimals of the pool's base are known. */
export const rescalePool = (books: Books, pool: number, factor: number): void => {
  const { columns } = books.poolPrices
  columns.unit[pool] = (columns.unit[pool] as number) * factor
  columns.price[pool] = columns.unit[pool] as number
  books.poolPrices.touch(pool)
}

/** Returns the present dollars of a quote token of the pool; NaN where unknown. */
export const poolQuoteUsd = (books: Books, pool: number): number =>
  anchorUsd(books, books.poolPrices.columns.quote[pool] as number)

/** Returns the dollars of a whole base token by the pool; NaN where the pool has no price. */
export const poolUsd = (books: Books, pool: number): number =>
  (books.poolPrices.columns.price[pool] as number) * poolQuoteUsd(books, pool)

/** Returns the dollars that the pool weighs when it sets a price; 0 where it has no price. */
export const poolDepthUsd = (books: Books, pool: number): number =>
  (books.poolPrices.columns.depth[pool] as number) * poolQuoteUsd(books, pool) || 0

/** Whether a part of the pool's reserves is virtual. */
const hasVirtual = ({ poolPrices }: Books, pool: number): boolean => {
  const { virtual0, virtual1 } = poolPrices.columns
  return virtual0[pool] !== 0 || virtual1[pool] !== 0
}

/**
 * Returns the dollars of the quote tokens of the pool's depth that it can pay out: without virtual
 * ones, which move its price as if they were there; 0 where it has no price.
 */
export const poolLiquidUsd = (books: Books, pool: number): number => {
  const { backed, depth } = books.poolPrices.columns
  if (!hasVirtual(books, pool)) return poolDepthUsd(books, pool)
  return Math.min(backed[pool] as number, depth[pool] as number) * poolQuoteUsd(books, pool) || 0
}

/**
 * Returns the quote tokens that are to be in a pool before it may set a price; NaN where that is
 * not asked. What is virtual of a pool is its program's, so nobody can have put in one side alone.
 */
export const backingOf = (books: Books, pool: number): number =>
  hasVirtual(books, pool) ? Number.NaN : (books.poolPrices.columns.backed[pool] as number)

/**
 * Whether the pool's state might set an anchor's price, whatever anchors cost: no dollar is
 * believed to cost more than two. It keeps the lists short that are sorted at each event.
 */
export const mayCount = (books: Books, pool: number): boolean => {
  const c = books.poolPrices.columns
  if (!((c.unit[pool] as number) > 0)) return false
  const isUsd = books.pair.anchors.isUsd(c.quote[pool] as number)
  return !isUsd || (c.side[pool] as number) * 2 >= thresholds.minDepthUsd
}

/** Whether the pool may set a price now. */
export const isEligible = (books: Books, pool: number, now: number): boolean =>
  poolReason(books, pool, now, poolQuoteUsd(books, pool)) === 0

/**
 * Returns the code of why the pool may not set a price, 0 where it may.
 *
 * @param quoteUsd dollars per quote token
 */
export const poolReason = (books: Books, pool: number, now: number, quoteUsd: number): number => {
  const c = books.poolPrices.columns
  const side = (c.side[pool] as number) * quoteUsd
  const unit = (c.unit[pool] as number) * quoteUsd
  const backed = backingOf(books, pool) * quoteUsd
  // most pools are refused without their age, which takes longer to compute
  const code = reasonAgainst(unit, side, backed, Number.POSITIVE_INFINITY)
  return code === 0 ? reasonAgainst(unit, side, backed, ageAt(books, pool, now)) : code
}

/** Whether the pool is a curve of a listed launch program, whose token trades nowhere before. */
const isLaunch = (books: Books, pool: number): boolean => {
  const kind = books.pools.columns().kind[pool]
  return typeof kind === "string" && launchKinds.has(kind) && isListed(books, pool)
}

/**
 * Returns the seconds since the pool was made; infinite where it may be older than the log, and of
 * launch programs' curves: nothing prices their tokens before. A pool that a curve moved into is as
 * old as the curve: it began with what the curve held.
 */
export const ageAt = (books: Books, pool: number, now: number): number => {
  const { created_ts, first_ts } = books.poolPrices.columns
  const curve = books.successors.curveOf(pool)
  const since = curve === NONE ? pool : curve
  if (isLaunch(books, since)) return Number.POSITIVE_INFINITY
  const [created, first] = [created_ts[since] as number, first_ts[since] as number]
  return ageOf(created, first, first_ts[0] as number, isListed(books, since), now)
}

/** Whether the pool's venue is in the registry; other contracts may log what they like. */
export const isListed = (books: Books, pool: number): boolean => {
  const venue = books.pools.columns().venue[pool]
  return typeof venue === "string" && books.venues.has(venue)
}
