/**
 * What its events tell of each pool: reserves or liquidity, the quote tokens that are in it, since
 * when it is there, and so its price and depth.
 */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Pools } from "../pools/output.ts"
import type { Pair } from "./pair.ts"
import { ageOf, reasonAgainst, thresholds } from "./recipe.ts"
import type { Scales } from "./scales.ts"
import type { PoolPrices } from "./tables.ts"

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
  /** ids of the venues that the chain's registry lists */
  private readonly venues: ReadonlySet<string>

  constructor(
    chain: ChainConfig,
    table: SlotTable<PoolPrices>,
    pools: Pools,
    pair: Pair,
    scales: Scales
  ) {
    this.table = table
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

  /**
   * Price and depth of the pool that `pair` looks at, after its state changed.
   *
   * @param quoteUsd dollars a whole quote token, NaN where unknown
   */
  value(pool: number, quoteUsd: number): void {
    const { pair, scales } = this
    const c = this.table.columns
    const quoteSide = (pair.quoteIs0 ? c.reserve0 : c.reserve1)[pool] as number
    const baseSide = (pair.quoteIs0 ? c.reserve1 : c.reserve0)[pool] as number
    const quoteScale = scales.of(pair.quote)
    const dollars = (quoteSide / quoteScale) * quoteUsd
    const scale = scales.of(pair.base)
    const unit = dollars / (baseSide / (pair.inUnits(scale) ? 1 : scale))
    const known = unit > 0 && unit < Number.POSITIVE_INFINITY && c.flat[pool] === 0
    const isRange = (c.root[pool] as number) > 0
    const backed = isRange
      ? c.whole[pool] === 1
        ? ((c.held[pool] as number) / quoteScale) * quoteUsd
        : Number.NaN
      : dollars
    c.quote_was[pool] = c.quote_usd[pool] as number
    c.quote_usd[pool] = dollars >= 0 && dollars < Number.POSITIVE_INFINITY ? dollars : 0
    c.backed_usd[pool] = backed
    c.unit[pool] = known ? unit : Number.NaN
    c.price[pool] = known && !Number.isNaN(scale) ? unit : Number.NaN
    const most = Number.isNaN(backed) ? dollars : backed * thresholds.maxLeverage
    c.depth_usd[pool] = known ? Math.min(dollars, most) : 0
  }

  /** Its base token told its decimals: a unit of it is so many of what a unit was. */
  rescale(pool: number, factor: number): void {
    const { columns } = this.table
    columns.unit[pool] = (columns.unit[pool] as number) * factor
    columns.price[pool] = columns.unit[pool] as number
    this.table.touch(pool)
  }

  /** Whether the pool may set a price now. */
  isEligible(pool: number, now: number): boolean {
    const c = this.table.columns
    const [unit, quote] = [c.unit[pool] as number, c.quote_usd[pool] as number]
    if (!(quote >= thresholds.minDepthUsd)) return false
    const age = ageOf(
      c.created_ts[pool] as number,
      c.first_ts[pool] as number,
      this.beganAt(),
      this.isListed(pool),
      now
    )
    return reasonAgainst(unit, quote, c.backed_usd[pool] as number, age) === 0
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
