/** The fold of prices: one pass over a slice in log order. */
import type { Slice } from "../../engine/projection.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { topOf } from "../../src/math/top.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { isClaim, pricelessParameters } from "../../streams/pool-venue.ts"
import type { Pools } from "../pools/output.ts"
import { decimalsTold, Scales, scaleOf } from "../tokens/decimals.ts"
import type { Tokens } from "../tokens/output.ts"
import { Anchors } from "./anchors.ts"
import { BasedPools } from "./based-pools.ts"
import { NativeUnit } from "./native-unit.ts"
import { Pair } from "./pair.ts"
import type { Parked } from "./parked.ts"
import { PoolBook } from "./pool-book.ts"
import { PricedSwaps } from "./priced-swaps.ts"
import { PrintLevelBook } from "./print-levels.ts"
import { Prints, type Swap } from "./prints.ts"
import type { PoolPrices, PrintLevels, TokenPrices } from "./tables.ts"
import { TokenBook } from "./token-book.ts"
import { Worth } from "./worth.ts"

const Q96 = 2 ** 96

export interface PriceTables {
  readonly pools: SlotTable<PoolPrices>
  readonly tokens: SlotTable<TokenPrices>
  readonly levels: SlotTable<PrintLevels>
  readonly parked: Parked
}

export class PriceFold {
  readonly swaps: PricedSwaps
  /** prints of earlier slices whose price became known in this slice: see `Prices.late` */
  readonly late = new PricedSwaps()
  readonly based = new BasedPools()
  private readonly chain: ChainConfig
  private readonly tokens: Tokens
  private readonly pools: Pools
  /** as of the event in hand: those of `tokens` are ahead, by up to a slice */
  private readonly scales = new Scales()
  private readonly parked: Parked
  readonly pair: Pair
  readonly poolBook: PoolBook
  readonly tokenBook: TokenBook
  readonly worth: Worth
  readonly levels: PrintLevelBook
  private readonly prints: Prints
  /** by token without decimals: the pools that wait for them */
  private readonly waiting = new Map<number, Set<number>>()
  private readonly swapInHand: Swap = {
    ...{ event: 0, row: 0, seq: 0, block: 0, ts: 0, pool: 0, net0: 0, net1: 0 }
  }

  constructor(chain: ChainConfig, tokens: Tokens, pools: Pools, tables: PriceTables) {
    this.chain = chain
    this.tokens = tokens
    this.pools = pools
    this.parked = tables.parked
    const { scales, parked } = this
    const pair = new Pair(pools, new Anchors(chain, tokens), new NativeUnit(chain, tokens))
    const worth = new Worth(tables.tokens, pair.anchors)
    const poolBook = new PoolBook(chain, tables.pools, pools, pair, scales, worth)
    const tokenBook = new TokenBook(tables.tokens, poolBook, pair, this.based, worth)
    const levels = new PrintLevelBook(tables.levels, tables.tokens, poolBook, worth)
    this.worth = worth
    this.pair = pair
    this.poolBook = poolBook
    this.tokenBook = tokenBook
    this.levels = levels
    const books = { tokens, pools, scales, pair, parked, poolBook, worth, levels }
    this.prints = new Prints(chain, books)
    this.swaps = this.prints.swaps
  }

  apply({ batch, from, to, seq }: Slice): void {
    this.swaps.count = 0
    this.late.count = 0
    for (let i = from; i < to; i++) {
      const kind = batch.kind.values[i]
      const row = batch.row.values[i] as number
      if (kind === KIND.SwapExecuted) this.swap(batch, i, row, seq + i - from)
      else if (kind === KIND.ReservesSynced) this.sync(batch, i, row)
      else if (kind === KIND.LiquidityChanged) this.liquidity(batch, i, row)
      else if (kind === KIND.TokenSeen) this.tokenSeen(batch, row, seq + i - from)
      else if (kind === KIND.PoolCreated) this.poolCreated(batch, i, row)
      else if (kind === KIND.PoolInitialized) this.initialized(batch, i, row)
      else if (kind === KIND.FeesCollected) this.collected(batch, row)
      else if (kind === KIND.PoolParameterSet) this.parameterSet(batch, row)
    }
  }

  private poolCreated(batch: EventBatch, event: number, row: number): void {
    const c = batch.columns.PoolCreated
    const ts = this.timeOf(batch, event)
    const pool = this.slot(batch, c.pool.get(row), ts)
    const source = batch.syms[c.source.get(row)] as string
    const factory = batch.ids.text(c.factory.get(row))
    const kind = batch.syms[c.venueKind.get(row)] as string
    if (source === "log" && !isClaim(this.chain, source, factory, kind)) {
      this.poolBook.made(pool, ts)
    }
    this.awaitScales(pool)
    this.putByBase(pool)
  }

  private putByBase(pool: number): void {
    if (!this.pair.look(pool)) return
    const before = this.based.put(pool, this.pair.baseAs)
    if (before >= 0) this.tokenBook.forget(before, pool)
  }

  private initialized(batch: EventBatch, event: number, row: number): void {
    const c = batch.columns.PoolInitialized
    const ts = this.timeOf(batch, event)
    const pool = this.slot(batch, c.pool.values[row] as number, ts)
    this.poolBook.initialized(pool, c.sqrtPriceX96.toNumber(row) / Q96)
  }

  private parameterSet(batch: EventBatch, row: number): void {
    const c = batch.columns.PoolParameterSet
    if (!pricelessParameters.has(batch.syms[c.name.get(row)] as string)) return
    const pool = this.knownSlot(batch, c.pool.values[row] as number)
    if (pool >= 0) this.poolBook.curved(pool, c.value.toNumber(row) !== 0)
  }

  /** Returns the slot of a pool that has had an event before; -1 where it has had none. */
  private knownSlot(batch: EventBatch, ref: number): number {
    const pool = this.pools.find(batch, ref)
    return pool < this.poolBook.table.count ? pool : -1
  }

  private collected(batch: EventBatch, row: number): void {
    const c = batch.columns.FeesCollected
    const pool = this.knownSlot(batch, c.pool.values[row] as number)
    if (pool < 0) return
    this.poolBook.collected(pool, c.amount0.toNumber(row), c.amount1.toNumber(row))
  }

  /** Applies a token's decimals from this event on, and prices the prints that waited for them. */
  private tokenSeen(batch: EventBatch, row: number, seq: number): void {
    const scale = scaleOf(decimalsTold(batch, row))
    if (Number.isNaN(scale)) return
    const token = this.tokens.find(batch.ids.bytes(batch.columns.TokenSeen.token.get(row)))
    const before = this.scales.of(token)
    if (before === scale) return
    this.scales.set(token, scale)
    this.parked.release(token, scale, seq, this.late)
    if (this.pair.isOwn(token)) this.rescale(token, Number.isNaN(before) ? scale : scale / before)
    else this.repriceWaiting(token)
    this.waiting.delete(token)
  }

  private rescale(token: number, factor: number): void {
    const { based, poolBook } = this
    for (let pool = based.first(token); pool >= 0; pool = based.after(pool)) {
      if (pool < poolBook.table.count) poolBook.rescale(pool, factor)
    }
    this.tokenBook.rescale(token, factor)
    this.levels.rescale(token, factor)
  }

  private repriceWaiting(token: number): void {
    const { ts } = this.poolBook.table.columns
    const pools = [...(this.waiting.get(token) ?? [])].sort((a, b) => a - b)
    for (const pool of pools) {
      if (ts[pool] !== 0) this.reprice(pool, ts[pool] as number)
    }
  }

  private blockOf(batch: EventBatch, event: number): number {
    return batch.blocks.number.values[batch.block.values[event] as number] as number
  }

  private timeOf(batch: EventBatch, event: number): number {
    return batch.blocks.time.values[batch.block.values[event] as number] as number
  }

  private sync(batch: EventBatch, event: number, row: number): void {
    const c = batch.columns.ReservesSynced
    const ts = this.timeOf(batch, event)
    const pool = this.slot(batch, c.pool.values[row] as number, ts)
    this.poolBook.synced(pool, c.reserve0.toNumber(row), c.reserve1.toNumber(row))
    this.reprice(pool, ts)
  }

  private liquidity(batch: EventBatch, event: number, row: number): void {
    const c = batch.columns.LiquidityChanged
    const ts = this.timeOf(batch, event)
    const pool = this.slot(batch, c.pool.values[row] as number, ts)
    const lower = c.tickLower.values[row] as number
    if (lower === NULL_I32 || c.liquidity.isNull(row)) return
    const isActive = this.poolBook.ranged(pool, {
      lower,
      upper: c.tickUpper.values[row] as number,
      liquidity: c.liquidity.toNumber(row),
      amount0: c.amount0.toNumber(row),
      amount1: c.amount1.toNumber(row)
    })
    if (isActive) this.reprice(pool, ts)
  }

  private slot(batch: EventBatch, ref: number, ts: number): number {
    const pool = this.pools.find(batch, ref)
    this.poolBook.meet(pool, ts)
    return pool
  }

  private swap(batch: EventBatch, event: number, row: number, seq: number): void {
    const c = batch.columns.SwapExecuted
    const ts = this.timeOf(batch, event)
    const pool = this.slot(batch, c.pool.values[row] as number, ts)
    const swap = this.swapInHand
    swap.event = event
    swap.row = row
    swap.seq = seq
    swap.block = this.blockOf(batch, event)
    swap.ts = ts
    swap.pool = pool
    swap.net0 = c.amount0Out.toNumber(row) - c.amount0In.toNumber(row)
    swap.net1 = c.amount1Out.toNumber(row) - c.amount1In.toNumber(row)
    if (!c.sqrtPriceX96.isNull(row)) {
      const root = c.sqrtPriceX96.toNumber(row) / Q96
      const liquidity = c.liquidity.toNumber(row)
      if (root > 0 && liquidity >= 0) {
        this.poolBook.swapped(pool, root, liquidity, -swap.net0, -swap.net1)
        this.reprice(pool, ts)
      }
    }
    this.prints.add(batch, swap)
  }

  /** Computes a pool's price after its state changed, then its base token's price. */
  private reprice(pool: number, ts: number): void {
    const { poolBook, tokenBook, pair } = this
    poolBook.table.columns.ts[pool] = ts
    poolBook.table.touch(pool)
    if (!pair.look(pool)) return
    poolBook.value(pool)
    tokenBook.poolChanged(pool, ts)
  }

  /** Returns the deepest pools that may price a token, `limit` at most. */
  deepest(token: number, limit: number): ReadonlyArray<number> {
    const { poolBook } = this
    const metPools = this.based.of(token).filter(pool => pool < poolBook.table.count)
    return topOf(metPools, limit, (a, b) => poolBook.depthUsd(b) - poolBook.depthUsd(a) || a - b)
  }

  reloaded(): void {
    const { pair, pools, tokens } = this
    pair.anchors.reset()
    pair.native.reset()
    this.scales.clear()
    for (let token = 0; token < tokens.count(); token++) this.scales.set(token, tokens.scale(token))
    this.parked.reload()
    this.waiting.clear()
    this.based.clear()
    this.poolBook.reloaded()
    this.levels.reloaded(tokens.count())
    for (let pool = 0; pool < pools.count(); pool++) {
      this.awaitScales(pool)
      if (pair.look(pool)) this.based.put(pool, pair.baseAs)
    }
    this.tokenBook.reloaded(tokens.count(), pools.count())
  }

  /** Lets a pool wait for the decimals of its tokens that have none yet. */
  private awaitScales(pool: number): void {
    const { token0, token1 } = this.pools.columns()
    for (const token of [token0[pool] as number, token1[pool] as number]) {
      if (token === NONE || !Number.isNaN(this.scales.of(token))) continue
      const pools = this.waiting.get(token)
      if (pools === undefined) this.waiting.set(token, new Set([pool]))
      else pools.add(pool)
    }
  }
}
