/** The fold of prices: one pass over a slice in log order. */
import type { Slice } from "../../engine/projection.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Pools } from "../pools/output.ts"
import { decimalsTold, scaleOf } from "../tokens/decimals.ts"
import type { Tokens } from "../tokens/output.ts"
import { AnchorPrices } from "./anchor-prices.ts"
import { Anchors, MIN_DEPTH_USD } from "./anchors.ts"
import { NativeUnit } from "./native-unit.ts"
import type { Parked } from "./parked.ts"
import type { PoolPrices, TokenPrices } from "./projection.ts"
import { Scales } from "./scales.ts"
import { Trades } from "./trades.ts"

const Q96 = 2 ** 96
/**
 * Raw units that must have moved of each token for a print to tell a price: below, rounding to
 * whole units alone would shift it by more than 0.1 %.
 */
const MIN_RAW_UNITS = 1_000
/** Dollars above which a swap is not believed: sums must stay exact integers of micro-dollars. */
const MAX_USD_MICRO = 2 ** 53

export class PriceFold {
  readonly trades = new Trades()
  /** prints of earlier slices that got their price in this one: see `Prices.late` */
  readonly late = new Trades()
  private readonly scales = new Scales()
  private readonly parked: Parked
  /** pools that wait for the decimals of a token */
  private readonly waiting = new Map<number, Set<number>>()
  private readonly tokens: Tokens
  private readonly pools: Pools
  private readonly anchors: Anchors
  private readonly anchorPrices: AnchorPrices
  private readonly native: NativeUnit
  /** ids of the venues that the chain's registry lists */
  private readonly venues: ReadonlySet<string>
  /** micro-dollars below which a swap is no print; 0 for none */
  private readonly floor: number
  private readonly poolPrices: SlotTable<PoolPrices>
  private readonly tokenPrices: SlotTable<TokenPrices>

  constructor(
    chain: ChainConfig,
    tokens: Tokens,
    pools: Pools,
    poolPrices: SlotTable<PoolPrices>,
    tokenPrices: SlotTable<TokenPrices>,
    parked: Parked
  ) {
    this.parked = parked
    this.tokens = tokens
    this.pools = pools
    this.anchors = new Anchors(chain, tokens)
    this.native = new NativeUnit(chain, tokens)
    this.poolPrices = poolPrices
    this.tokenPrices = tokenPrices
    this.venues = new Set(chain.venues.map(({ id }) => id))
    this.floor = (chain.ingestFloorUsd ?? 0) * 1e6
    this.anchorPrices = new AnchorPrices(poolPrices, pool => this.isListed(pool))
  }

  apply({ batch, from, to, seq }: Slice): void {
    this.trades.count = 0
    this.late.count = 0
    for (let i = from; i < to; i++) {
      const kind = batch.kind.values[i]
      const row = batch.row.values[i] as number
      if (kind === KIND.SwapExecuted) this.swap(batch, i, row, seq + i - from)
      else if (kind === KIND.ReservesSynced) this.sync(batch, i, row)
      else if (kind === KIND.LiquidityChanged) this.liquidity(batch, i, row)
      else if (kind === KIND.TokenSeen) this.tokenSeen(batch, row, seq + i - from)
      else if (kind === KIND.PoolCreated) this.poolCreated(batch, i, row)
    }
  }

  private poolCreated(batch: EventBatch, event: number, row: number): void {
    this.awaitScales(this.slot(batch, batch.columns.PoolCreated.pool.get(row), event))
  }

  /** From here on the token has these decimals; what waited for them is priced. */
  private tokenSeen(batch: EventBatch, row: number, seq: number): void {
    const scale = scaleOf(decimalsTold(batch, row))
    if (Number.isNaN(scale)) return
    const token = this.tokens.find(batch.ids.bytes(batch.columns.TokenSeen.token.get(row)))
    if (this.scales.of(token) === scale) return
    this.scales.set(token, scale)
    this.parked.release(token, scale, seq, this.late)
    const pools = this.waiting.get(token) ?? this.leaderOf(token)
    this.waiting.delete(token)
    const { ts } = this.poolPrices.columns
    for (const pool of [...pools].sort((a, b) => a - b)) {
      if (ts[pool] !== 0) this.reprice(pool, ts[pool] as number)
    }
  }

  /** The pool that prices the token, if one does. */
  private leaderOf(token: number): ReadonlyArray<number> {
    if (token >= this.tokenPrices.count) return []
    const pool = this.tokenPrices.columns.pool[token] as number
    return pool === NONE ? [] : [pool]
  }

  private blockOf(batch: EventBatch, event: number): number {
    return batch.blocks.number.values[batch.block.values[event] as number] as number
  }

  private timeOf(batch: EventBatch, event: number): number {
    return batch.blocks.time.values[batch.block.values[event] as number] as number
  }

  private sync(batch: EventBatch, event: number, row: number): void {
    const c = batch.columns.ReservesSynced
    const pool = this.slot(batch, c.pool.values[row] as number, event)
    const { columns } = this.poolPrices
    columns.reserve0[pool] = c.reserve0.toNumber(row)
    columns.reserve1[pool] = c.reserve1.toNumber(row)
    this.reprice(pool, this.timeOf(batch, event))
  }

  /** Range liquidity that spans the price deepens the pool at once, in proportion. */
  private liquidity(batch: EventBatch, event: number, row: number): void {
    const c = batch.columns.LiquidityChanged
    const lower = c.tickLower.values[row] as number
    if (lower === NULL_I32) return
    const pool = this.slot(batch, c.pool.values[row] as number, event)
    const { reserve0, reserve1 } = this.poolPrices.columns
    const x = reserve0[pool] as number
    const y = reserve1[pool] as number
    if (!(x > 0) || !(y > 0)) return
    const tick = Math.log(y / x) / Math.log(1.0001)
    if (tick < lower || tick >= (c.tickUpper.values[row] as number)) return
    const before = Math.sqrt(x * y)
    const factor = Math.max(0, before + c.liquidity.toNumber(row)) / before
    reserve0[pool] = x * factor
    reserve1[pool] = y * factor
    this.reprice(pool, this.timeOf(batch, event))
  }

  private slot(batch: EventBatch, ref: number, event: number): number {
    const pool = this.pools.slotOf(batch, ref, this.blockOf(batch, event))
    if (pool >= this.poolPrices.count) {
      const before = this.poolPrices.count
      this.poolPrices.grow(pool + 1)
      for (let p = before; p <= pool; p++) this.poolPrices.columns.pool[p] = p
    }
    return pool
  }

  private swap(batch: EventBatch, event: number, row: number, seq: number): void {
    const c = batch.columns.SwapExecuted
    const pool = this.slot(batch, c.pool.values[row] as number, event)
    const ts = this.timeOf(batch, event)
    if (!c.sqrtPriceX96.isNull(row)) {
      const root = c.sqrtPriceX96.toNumber(row) / Q96
      const liquidity = c.liquidity.toNumber(row)
      if (root > 0 && liquidity >= 0) {
        const { columns } = this.poolPrices
        columns.reserve0[pool] = liquidity / root
        columns.reserve1[pool] = liquidity * root
        this.reprice(pool, ts)
      }
    }
    this.print(batch, event, row, seq, pool, ts)
  }

  /**
   * The token that a swap's amounts of one side are in: the one it names, or the one at the place
   * it tells, or the pool's own. `NONE` where it is unknown, as underlying coins are.
   */
  private tokenOf(
    batch: EventBatch,
    row: number,
    pool: number,
    side: 0 | 1,
    block: number
  ): number {
    const c = batch.columns.SwapExecuted
    const named = (side === 0 ? c.token0 : c.token1).values[row] as number
    if (named !== NONE) return this.tokens.intern(batch.ids.bytes(named), 0, block)
    const place = (side === 0 ? c.index0 : c.index1).values[row] as number
    return this.pools.tokenAt(pool, place === NULL_I32 ? side : place)
  }

  /** Writes the swap's row of `trades`. */
  private print(
    batch: EventBatch,
    event: number,
    row: number,
    seq: number,
    pool: number,
    ts: number
  ): void {
    const c = batch.columns.SwapExecuted
    const net0 = c.amount0Out.toNumber(row) - c.amount0In.toNumber(row)
    const net1 = c.amount1Out.toNumber(row) - c.amount1In.toNumber(row)
    const block = this.blockOf(batch, event)
    const token0 = this.tokenOf(batch, row, pool, 0, block)
    const token1 = this.tokenOf(batch, row, pool, 1, block)
    const amount0 = token0 === NONE ? Number.NaN : Math.abs(net0) / this.scales.of(token0)
    const amount1 = token1 === NONE ? Number.NaN : Math.abs(net1) / this.scales.of(token1)
    const usd = this.usdOf(token0, token1, amount0, amount1)
    const micro = Math.round(usd * 1e6)
    if (this.floor > 0 && !(micro >= this.floor)) return
    const { trades } = this
    const t = trades.next()
    trades.event[t] = event
    trades.seq[t] = seq
    trades.block[t] = block
    trades.ts[t] = ts
    trades.pool[t] = pool
    // in raw units a side stands for itself: those of its wrapped token may be others
    trades.token0[t] = Number.isNaN(amount0) ? token0 : this.native.as(token0, token1)
    trades.token1[t] = Number.isNaN(amount1) ? token1 : this.native.as(token1, token0)
    trades.amount0[t] = amount0
    trades.amount1[t] = amount1
    trades.bought0[t] = net0 > 0 || (net0 === 0 && net1 < 0) ? 1 : 0
    const believed = micro >= 0 && micro < MAX_USD_MICRO
    trades.usdMicro[t] = believed ? micro : Number.NaN
    const precise = Math.abs(net0) >= MIN_RAW_UNITS && Math.abs(net1) >= MIN_RAW_UNITS
    const dollars = believed && precise ? usd : Number.NaN
    trades.dollars[t] = dollars
    trades.price0[t] = dollars / amount0
    trades.price1[t] = dollars / amount1
    trades.raw0[t] = Number.NaN
    trades.raw1[t] = Number.NaN
    trades.outlier0[t] = 0
    trades.outlier1[t] = 0
    const logIndex = batch.logIndex.values[event] as number
    if (token0 !== NONE && Number.isNaN(amount0)) {
      trades.raw0[t] = Math.abs(net0)
      this.park(t, token0, Math.abs(net0), trades.bought0[t] as number, logIndex)
    }
    if (token1 !== NONE && Number.isNaN(amount1)) {
      trades.raw1[t] = Math.abs(net1)
      this.park(t, token1, Math.abs(net1), 1 - (trades.bought0[t] as number), logIndex)
    }
  }

  /** Keeps the print of a token without decimals, if its dollars will tell a price. */
  private park(t: number, token: number, raw: number, buy: number, logIndex: number): void {
    const { trades } = this
    const dollars = trades.dollars[t] as number
    if (!(dollars >= 0)) return
    const [block, ts, pool] = [trades.block[t], trades.ts[t], trades.pool[t]] as [
      number,
      number,
      number
    ]
    this.parked.park({ token, block, logIndex, ts, pool, buy, raw, dollars })
  }

  /** Dollars of the better-ranked side; NaN where neither is a priced anchor. */
  private usdOf(token0: number, token1: number, amount0: number, amount1: number): number {
    if (token0 === NONE || token1 === NONE) return Number.NaN
    const first = this.anchors.rank(token0) <= this.anchors.rank(token1)
    const quote = first ? this.native.as(token0, token1) : this.native.as(token1, token0)
    return (first ? amount0 : amount1) * this.quotePrice(quote)
  }

  private quotePrice(token: number): number {
    if (this.anchors.isUsd(token)) return 1
    if (!this.anchors.isAnchor(token) || token >= this.tokenPrices.count) return Number.NaN
    return this.tokenPrices.columns.price[token] as number
  }

  /** After a pool's reserves changed: its own price, then its base token's. */
  private reprice(pool: number, ts: number): void {
    const own = this.poolPrices.columns
    own.ts[pool] = ts
    this.poolPrices.touch(pool)
    const facts = this.pools.columns()
    const token0 = facts.token0[pool] as number
    const token1 = facts.token1[pool] as number
    if (token0 === NONE || token1 === NONE) return
    const quoteIs0 = this.anchors.rank(token0) <= this.anchors.rank(token1)
    const quote = quoteIs0 ? token0 : token1
    const base = quoteIs0 ? token1 : token0
    const [quoteAs, baseAs] = [this.native.as(quote, base), this.native.as(base, quote)]
    const quoteUsd = this.quotePrice(quoteAs)
    const quoteSide = (quoteIs0 ? own.reserve0 : own.reserve1)[pool] as number
    const baseSide = (quoteIs0 ? own.reserve1 : own.reserve0)[pool] as number
    const quoteAmount = quoteSide / this.scales.of(quote)
    const price = (quoteAmount / (baseSide / this.scales.of(base))) * quoteUsd
    const depth = quoteAmount * quoteUsd
    const known = price > 0 && price < Number.POSITIVE_INFINITY && depth >= 0
    own.price[pool] = known ? price : Number.NaN
    own.depth_usd[pool] = known ? depth : 0
    if (this.anchors.isUsd(quoteAs)) this.priceUsdAnchor(quoteAs, ts)
    if (this.anchors.isUsd(baseAs)) return this.priceUsdAnchor(baseAs, ts)
    if (this.anchors.isAnchor(baseAs)) this.repriceAnchor(baseAs, pool, ts)
    else this.repriceToken(baseAs, pool, ts)
  }

  private tokenSlot(token: number): void {
    if (token < this.tokenPrices.count) return
    const before = this.tokenPrices.count
    this.tokenPrices.grow(token + 1)
    for (let t = before; t <= token; t++) this.tokenPrices.columns.token[t] = t
  }

  /** A `usd` anchor costs $1 from its first sight on. */
  private priceUsdAnchor(token: number, ts: number): void {
    this.tokenSlot(token)
    const { columns } = this.tokenPrices
    if (columns.price[token] === 1) return
    columns.price[token] = 1
    columns.ts[token] = ts
    this.tokenPrices.touch(token)
  }

  private repriceAnchor(token: number, pool: number, ts: number): void {
    this.tokenSlot(token)
    const mean = this.anchorPrices.update(token, pool)
    const { columns } = this.tokenPrices
    columns.price[token] = mean.price
    columns.depth_usd[token] = mean.depth
    columns.ts[token] = ts
    this.tokenPrices.touch(token)
  }

  private repriceToken(token: number, pool: number, ts: number): void {
    this.tokenSlot(token)
    const { columns } = this.tokenPrices
    const depth = this.poolPrices.columns.depth_usd[pool] as number
    const leader = columns.pool[token] as number
    if (leader !== pool && (depth < MIN_DEPTH_USD || !this.outranks(pool, token, leader))) return
    columns.pool[token] = pool
    columns.depth_usd[token] = depth
    columns.price[token] =
      depth >= MIN_DEPTH_USD ? (this.poolPrices.columns.price[pool] as number) : Number.NaN
    columns.ts[token] = ts
    this.tokenPrices.touch(token)
  }

  /** Whether a deep pool is to price a token instead of its leader: a listed one, or a deeper. */
  private outranks(pool: number, token: number, leader: number): boolean {
    const leading = this.tokenPrices.columns.depth_usd[token] as number
    const isListed = this.isListed(pool)
    if (leader !== NONE && leading >= MIN_DEPTH_USD && isListed !== this.isListed(leader)) {
      return isListed
    }
    return (this.poolPrices.columns.depth_usd[pool] as number) > leading
  }

  /** Whether the pool is of a venue of the registry; others may log what they like. */
  private isListed(pool: number): boolean {
    const venue = this.pools.columns().venue[pool]
    return typeof venue === "string" && this.venues.has(venue)
  }

  reloaded(): void {
    this.anchors.reset()
    this.native.reset()
    this.scales.reload(this.tokens)
    this.parked.reload()
    this.waiting.clear()
    const pools = this.pools.count()
    this.poolPrices.truncate(pools)
    this.poolPrices.grow(pools)
    for (let p = 0; p < pools; p++) this.poolPrices.columns.pool[p] = p
    const tokens = this.tokens.count()
    this.tokenPrices.truncate(tokens)
    this.tokenPrices.grow(tokens)
    for (let t = 0; t < tokens; t++) this.tokenPrices.columns.token[t] = t
    const facts = this.pools.columns()
    this.anchorPrices.reset()
    for (let p = 0; p < pools; p++) {
      this.awaitScales(p)
      const base = this.baseOf(facts.token0[p] as number, facts.token1[p] as number)
      if (base >= 0 && this.anchors.isAnchor(base) && !this.anchors.isUsd(base)) {
        this.anchorPrices.note(base, p)
      }
    }
  }

  /** Notes a pool with tokens whose decimals are unknown until now. */
  private awaitScales(pool: number): void {
    const { token0, token1 } = this.pools.columns()
    for (const token of [token0[pool] as number, token1[pool] as number]) {
      if (token === NONE || !Number.isNaN(this.scales.of(token))) continue
      const pools = this.waiting.get(token)
      if (pools === undefined) this.waiting.set(token, new Set([pool]))
      else pools.add(pool)
    }
  }

  private baseOf(token0: number, token1: number): number {
    if (token0 === NONE || token1 === NONE) return -1
    const first = this.anchors.rank(token0) <= this.anchors.rank(token1)
    return first ? this.native.as(token1, token0) : this.native.as(token0, token1)
  }
}
