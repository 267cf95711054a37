/**
 * What its events tell of each pool: reserves or liquidity, the quote tokens that are in it, since
 * when it is there, and so its price and depth.
 */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { ageOf, reasonAgainst, thresholds } from "../../src/rules/price-recipe.ts"
import type { Pools } from "../pools/output.ts"
import type { Pair } from "./pair.ts"
import type { Scales } from "./scales.ts"
import type { PoolPrices } from "./tables.ts"
import type { Worth } from "./worth.ts"

/** What a sum of computed amounts may fall below zero by rounding, as a part of the last one. */
const ROUNDING = 1e-6

const rootAt = (tick: number): number => 1.0001 ** (tick / 2)

/** Raw tokens that liquidity in a range holds of one side (Uniswap V3 whitepaper, 6.29, 6.30). */
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

export class PoolBook {
  readonly table: SlotTable<PoolPrices>
  private readonly pools: Pools
  private readonly pair: Pair
  private readonly scales: Scales
  private readonly worth: Worth
  /** ids of the venues that the chain's registry lists */
  private readonly venues: ReadonlySet<string>

  constructor(
    chain: ChainConfig,
    table: SlotTable<PoolPrices>,
    pools: Pools,
    pair: Pair,
    scales: Scales,
    worth: Worth
  ) {
    this.table = table
    this.worth = worth
    this.pools = pools
    this.pair = pair
    this.scales = scales
    this.venues = new Set(chain.venues.map(({ id }) => id))
  }

  /** Makes rows up to this pool, which the log tells of for the first time. */
  meet(pool: number, ts: number): void {
    const { table } = this
    if (pool < table.count) return
    const before = table.count
    table.grow(pool + 1)
    const { columns } = table
    for (let p = before; p <= pool; p++) {
      columns.pool[p] = p
      columns.first_ts[p] = ts
      table.touch(p)
    }
  }

  /** The log holds the pool's making: all that happens to it from now on is all there is. */
  made(pool: number, ts: number): void {
    const { columns } = this.table
    if (columns.created_ts[pool] === 0) columns.created_ts[pool] = ts
    this.begin(pool)
  }

  private begin(pool: number): void {
    const { columns } = this.table
    if (columns.ts[pool] === 0) columns.whole[pool] = 1
    this.table.touch(pool)
  }

  /** A pool of ranges got its first price. */
  initialized(pool: number, root: number): void {
    this.begin(pool)
    this.table.columns.root[pool] = root
  }

  synced(pool: number, reserve0: number, reserve1: number): void {
    const { columns } = this.table
    columns.reserve0[pool] = reserve0
    columns.reserve1[pool] = reserve1
    columns.root[pool] = 0
  }

  /** Whether the pool's curve is flat: then its reserves tell its depth and not its price. */
  curved(pool: number, isFlat: boolean): void {
    this.table.columns.flat[pool] = isFlat ? 1 : 0
    this.table.touch(pool)
  }

  /** A pool of ranges swapped: its state after that, and what came in less what went out. */
  swapped(pool: number, root: number, liquidity: number, in0: number, in1: number): void {
    const { columns } = this.table
    columns.root[pool] = root
    columns.reserve0[pool] = liquidity / root
    columns.reserve1[pool] = liquidity * root
    this.hold(pool, in0, in1)
  }

  /**
   * Range liquidity that spans the price deepens the pool at once. Where the event tells no amounts
   * (Uniswap V4) they follow from range and price.
   *
   * @returns whether the price's own liquidity changed
   */
  ranged(pool: number, change: RangeChange): boolean {
    const { columns } = this.table
    const root = columns.root[pool] as number
    const { lower, upper, liquidity, amount0, amount1 } = change
    if (amount0 !== 0 || amount1 !== 0) {
      this.hold(pool, amount0, amount1)
      if (liquidity < 0) this.owe(pool, -amount0, -amount1)
    } else if (root > 0) {
      const [of0, of1] = [true, false].map(side =>
        amountInRange(side, liquidity, root, lower, upper)
      ) as [number, number]
      this.hold(pool, of0, of1)
    } else if (liquidity !== 0) columns.whole[pool] = 0
    this.table.touch(pool)
    if (!(root > 0)) return false
    const tick = (2 * Math.log(root)) / Math.log(1.0001)
    if (tick < lower || tick >= upper) return false
    const active = Math.max(0, (columns.reserve1[pool] as number) / root + liquidity)
    columns.reserve0[pool] = active / root
    columns.reserve1[pool] = active * root
    return true
  }

  /** Tokens were paid out of positions: first what was burnt of them, the rest is fees. */
  collected(pool: number, amount0: number, amount1: number): void {
    const { columns } = this.table
    if (columns.whole[pool] === 0 || !this.pair.look(pool)) return
    const amount = this.pair.quoteIs0 ? amount0 : amount1
    const owed = columns.owed[pool] as number
    columns.owed[pool] = Math.max(0, owed - amount)
    if (amount > owed) this.hold(pool, owed - amount, owed - amount)
    this.table.touch(pool)
  }

  private owe(pool: number, amount0: number, amount1: number): void {
    if (!this.pair.look(pool)) return
    const { owed } = this.table.columns
    owed[pool] = (owed[pool] as number) + (this.pair.quoteIs0 ? amount0 : amount1)
  }

  /**
   * Quote tokens came in or went out. More going out than came in shows that the log does not hold
   * all of them.
   */
  private hold(pool: number, in0: number, in1: number): void {
    const { columns } = this.table
    if (columns.whole[pool] === 0) return
    if (!this.pair.look(pool)) {
      columns.whole[pool] = 0
      return
    }
    const change = this.pair.quoteIs0 ? in0 : in1
    const held = (columns.held[pool] as number) + change
    if (held < -thresholds.minRawUnits - Math.abs(change) * ROUNDING) columns.whole[pool] = 0
    columns.held[pool] = Math.max(0, held)
  }

  /** Price and depth, in its quote token, of the pool that `pair` looks at: its state changed. */
  value(pool: number): void {
    const { pair, scales } = this
    const c = this.table.columns
    const quoteScale = scales.of(pair.quote)
    const side = ((pair.quoteIs0 ? c.reserve0 : c.reserve1)[pool] as number) / quoteScale
    const baseSide = (pair.quoteIs0 ? c.reserve1 : c.reserve0)[pool] as number
    const scale = scales.of(pair.base)
    const unit = side / (baseSide / (pair.inUnits(scale) ? 1 : scale))
    const known = unit > 0 && unit < Number.POSITIVE_INFINITY && c.flat[pool] === 0
    const isRange = (c.root[pool] as number) > 0
    const backed = isRange
      ? c.whole[pool] === 1
        ? (c.held[pool] as number) / quoteScale
        : Number.NaN
      : side
    c.quote[pool] = pair.quoteAs
    c.quote_usd[pool] = this.worth.ofAnchor(pair.quoteAs)
    c.side_was[pool] = c.side[pool] as number
    c.side[pool] = side >= 0 && side < Number.POSITIVE_INFINITY ? side : 0
    c.backed[pool] = backed
    c.unit[pool] = known ? unit : Number.NaN
    c.price[pool] = known && !Number.isNaN(scale) ? unit : Number.NaN
    const most = Number.isNaN(backed) ? side : backed * thresholds.maxLeverage
    c.depth[pool] = known ? Math.min(side, most) : 0
  }

  /** Its base token told its decimals: a unit of it is so many of what a unit was. */
  rescale(pool: number, factor: number): void {
    const { columns } = this.table
    columns.unit[pool] = (columns.unit[pool] as number) * factor
    columns.price[pool] = columns.unit[pool] as number
    this.table.touch(pool)
  }

  /** Dollars a quote token of the pool at present; NaN where unknown. */
  quoteUsd(pool: number): number {
    return this.worth.ofAnchor(this.table.columns.quote[pool] as number)
  }

  /** Dollars of a whole base token by the pool; NaN where it tells none. */
  priceUsd(pool: number): number {
    return (this.table.columns.price[pool] as number) * this.quoteUsd(pool)
  }

  /** Dollars that it counts for when it sets a price; 0 where it tells none. */
  depthUsd(pool: number): number {
    return (this.table.columns.depth[pool] as number) * this.quoteUsd(pool) || 0
  }

  /**
   * Whether the pool might set an anchor's price as it is, whatever anchors cost: no dollar is
   * believed to cost more than two. What is sorted and weighed at each event is few pools then.
   */
  mayCount(pool: number): boolean {
    const c = this.table.columns
    if (!((c.unit[pool] as number) > 0)) return false
    const isUsd = this.pair.anchors.isUsd(c.quote[pool] as number)
    return !isUsd || (c.side[pool] as number) * 2 >= thresholds.minDepthUsd
  }

  /** Whether the pool may set a price now. */
  isEligible(pool: number, now: number): boolean {
    return this.reasonAgainst(pool, now, this.quoteUsd(pool)) === 0
  }

  /** Code of why the pool may not set a price, 0 where it may, with a quote token at `quoteUsd`. */
  reasonAgainst(pool: number, now: number, quoteUsd: number): number {
    const c = this.table.columns
    const side = (c.side[pool] as number) * quoteUsd
    const unit = (c.unit[pool] as number) * quoteUsd
    const backed = (c.backed[pool] as number) * quoteUsd
    // most are refused by what is cheap to see
    const code = reasonAgainst(unit, side, backed, Number.POSITIVE_INFINITY)
    return code === 0 ? reasonAgainst(unit, side, backed, this.ageAt(pool, now)) : code
  }

  /** Seconds since it was made; infinite where the log cannot tell it from older ones. */
  ageAt(pool: number, now: number): number {
    const { created_ts, first_ts } = this.table.columns
    const [created, first] = [created_ts[pool] as number, first_ts[pool] as number]
    return ageOf(created, first, this.beganAt(), this.isListed(pool), now)
  }

  /** Time of the log's first event of any pool. */
  beganAt(): number {
    return this.table.columns.first_ts[0] as number
  }

  /** Whether the pool is of a venue of the registry; others may log what they like. */
  isListed(pool: number): boolean {
    const venue = this.pools.columns().venue[pool]
    return typeof venue === "string" && this.venues.has(venue)
  }

  /** After a rollback or start: a row for each pool there is. */
  reloaded(): void {
    const count = this.pools.count()
    this.table.truncate(count)
    this.table.grow(count)
    for (let pool = 0; pool < count; pool++) this.table.columns.pool[pool] = pool
  }
}
