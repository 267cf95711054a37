/** The fold of prices: one pass over a slice in log order. */
import type { Slice } from "../../engine/projection.ts"
import { ID_BYTES } from "../../src/domain/ids.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { MIGRATED_TO, VIRTUAL_RESERVE } from "../../streams/pool-parameters.ts"
import { isClaim, kindsOfTwoCurves, pricelessParameters } from "../../streams/pool-venue.ts"
import { decimalsTold, scaleOf } from "../tokens/decimals.ts"
import { dropPool } from "./anchor-prices.ts"
import type { Books } from "./books.ts"
import {
  collected,
  curved,
  initialized,
  made,
  meetPool,
  ranged,
  rescalePool,
  swapped,
  synced,
  valuePool,
  virtualTold
} from "./pool-book.ts"
import { addChange, addChangeOf, CHANGE } from "./priced-changes.ts"
import { rescaleLevels } from "./print-levels.ts"
import { addPrint } from "./prints.ts"
import { poolChanged, reloadTokens, rescaleToken } from "./token-book.ts"

const Q96 = 2 ** 96

/** Takes an event of one kind: its place in the batch, its row there, its position in the log. */
type Take = (books: Books, batch: EventBatch, event: number, row: number, seq: number) => void

const timeOf = (batch: EventBatch, event: number): number =>
  batch.blocks.time.values[batch.block.values[event] as number] as number

const slotOf = (books: Books, batch: EventBatch, ref: number, ts: number): number => {
  const pool = books.pools.find(batch, ref)
  meetPool(books, pool, ts)
  return pool
}

/** Returns the slot of a pool that has had an event before; -1 where it has had none. */
const knownSlot = (books: Books, batch: EventBatch, ref: number): number => {
  const pool = books.pools.find(batch, ref)
  return pool < books.poolPrices.count ? pool : -1
}

const poolCreated: Take = (books, batch, event, row) => {
  const c = batch.columns.PoolCreated
  const ts = timeOf(batch, event)
  const isNew = knownSlot(books, batch, c.pool.get(row)) < 0
  const pool = slotOf(books, batch, c.pool.get(row), ts)
  const source = batch.syms[c.source.get(row)] as string
  const factory = batch.ids.text(c.factory.get(row))
  const kind = batch.syms[c.venueKind.get(row)] as string
  books.successors.made(pool)
  const isClaimed = isClaim(books.chain, source, factory, kind)
  // which curve a claimed pool is on is not known before the pool itself says so
  if (!isClaimed) curved(books, pool, false)
  else if (isNew && kindsOfTwoCurves.has(kind)) curved(books, pool, true)
  if (source === "log" && !isClaimed) made(books, pool, ts)
  awaitScales(books, pool)
  if (!books.pair.look(pool)) return
  const before = books.based.put(pool, books.pair.baseAs)
  if (before >= 0) dropPool(books, before, pool)
}

const poolInitialized: Take = (books, batch, event, row) => {
  const c = batch.columns.PoolInitialized
  const pool = slotOf(books, batch, c.pool.values[row] as number, timeOf(batch, event))
  initialized(books, pool, c.sqrtPriceX96.toNumber(row) / Q96)
}

/** The account that a number is, as `MIGRATED_TO` tells one. */
const idOfNumber = (value: bigint): Uint8Array =>
  Uint8Array.from(Buffer.from(value.toString(16).padStart(2 * ID_BYTES, "0"), "hex"))

const parameterSet: Take = (books, batch, event, row) => {
  const c = batch.columns.PoolParameterSet
  const name = batch.syms[c.name.get(row)] as string
  const ref = c.pool.values[row] as number
  if (name === VIRTUAL_RESERVE) {
    const pool = slotOf(books, batch, ref, timeOf(batch, event))
    virtualTold(books, pool, c.index.values[row] as number, c.value.toNumber(row))
    return
  }
  const isMoved = name === MIGRATED_TO
  if (!isMoved && !pricelessParameters.has(name)) return
  const pool = knownSlot(books, batch, ref)
  if (pool < 0) return
  if (isMoved) books.successors.tell(pool, idOfNumber(c.value.get(row) ?? 0n))
  else curved(books, pool, c.value.toNumber(row) !== 0)
}

const feesCollected: Take = (books, batch, event, row) => {
  const c = batch.columns.FeesCollected
  const [amount0, amount1] = [c.amount0.toNumber(row), c.amount1.toNumber(row)]
  const pool = knownSlot(books, batch, c.pool.values[row] as number)
  if (pool >= 0) collected(books, pool, amount0, amount1)
  const poolSlot = books.pools.find(batch, c.pool.values[row] as number)
  addChange(books, event, CHANGE.fees, poolSlot, amount0, amount1)
}

/** Applies a token's decimals from this event on, and prices the prints that waited for them. */
const tokenSeen: Take = (books, batch, _, row, seq) => {
  const scale = scaleOf(decimalsTold(batch, row))
  if (Number.isNaN(scale)) return
  const token = books.tokens.find(batch.ids.bytes(batch.columns.TokenSeen.token.get(row)))
  const before = books.scales.of(token)
  if (before === scale) return
  books.scales.set(token, scale)
  books.parked.release(token, scale, seq, books.late)
  if (books.pair.anchors.isOwn(token))
    rescale(books, token, Number.isNaN(before) ? scale : scale / before)
  else repriceWaiting(books, token)
  books.waiting.delete(token)
}

const rescale = (books: Books, token: number, factor: number): void => {
  for (const pool of books.based.of(token)) {
    if (pool < books.poolPrices.count) rescalePool(books, pool, factor)
  }
  rescaleToken(books, token, factor)
  rescaleLevels(books, token, factor)
}

const repriceWaiting = (books: Books, token: number): void => {
  const { ts } = books.poolPrices.columns
  for (const pool of [...(books.waiting.get(token) ?? [])].sort((a, b) => a - b)) {
    if (ts[pool] !== 0) reprice(books, pool, ts[pool] as number)
  }
}

const reservesSynced: Take = (books, batch, event, row) => {
  const c = batch.columns.ReservesSynced
  const ts = timeOf(batch, event)
  const pool = slotOf(books, batch, c.pool.values[row] as number, ts)
  synced(books, pool, c.reserve0.toNumber(row), c.reserve1.toNumber(row))
  reprice(books, pool, ts)
}

const liquidityChanged: Take = (books, batch, event, row) => {
  const c = batch.columns.LiquidityChanged
  const ts = timeOf(batch, event)
  const pool = slotOf(books, batch, c.pool.values[row] as number, ts)
  const lower = c.tickLower.values[row] as number
  const liquidity = c.liquidity.isNull(row) ? null : c.liquidity.toNumber(row)
  const [amount0, amount1] = [c.amount0.toNumber(row), c.amount1.toNumber(row)]
  if (lower !== NULL_I32 && liquidity !== null) {
    const upper = c.tickUpper.values[row] as number
    const isActive = ranged(books, pool, { lower, upper, liquidity, amount0, amount1 })
    if (isActive) reprice(books, pool, ts)
  }
  const isTold = amount0 !== 0 || amount1 !== 0 || liquidity === 0
  const told = (amount: number): number => (isTold ? amount : Number.NaN)
  addChange(books, event, CHANGE.liquidity, pool, told(amount0), told(amount1))
}

/** Of one token of a pool that may have more than two. */
const reserveChanged: Take = (books, batch, event, row) => {
  const c = batch.columns.ReserveChanged
  if (batch.syms[c.reason.get(row)] !== "liquidity") return
  const pool = books.pools.find(batch, c.pool.values[row] as number)
  const [ref, index] = [c.token.get(row), c.index.values[row] as number]
  const named = ref === NONE ? -1 : books.tokens.find(batch.ids.bytes(ref))
  const listed = index >= 0 && pool >= 0 ? books.pools.tokenAt(pool, index) : NONE
  const token = named >= 0 ? named : listed
  addChangeOf(books, event, pool, token, c.amount.toNumber(row))
}

const swapExecuted: Take = (books, batch, event, row, seq) => {
  const c = batch.columns.SwapExecuted
  const block = batch.blocks.number.values[batch.block.values[event] as number] as number
  const ts = timeOf(batch, event)
  const pool = slotOf(books, batch, c.pool.values[row] as number, ts)
  const net0 = c.amount0Out.toNumber(row) - c.amount0In.toNumber(row)
  const net1 = c.amount1Out.toNumber(row) - c.amount1In.toNumber(row)
  if (!c.sqrtPriceX96.isNull(row)) {
    const root = c.sqrtPriceX96.toNumber(row) / Q96
    const liquidity = c.liquidity.toNumber(row)
    if (root > 0) {
      swapped(books, pool, root, liquidity, -net0, -net1)
      reprice(books, pool, ts)
    }
  }
  addPrint(books, batch, { event, row, seq, block, ts, pool, net0, net1 })
}

const takes: { readonly [kind: number]: Take } = {
  [KIND.SwapExecuted]: swapExecuted,
  [KIND.ReservesSynced]: reservesSynced,
  [KIND.LiquidityChanged]: liquidityChanged,
  [KIND.ReserveChanged]: reserveChanged,
  [KIND.TokenSeen]: tokenSeen,
  [KIND.PoolCreated]: poolCreated,
  [KIND.PoolInitialized]: poolInitialized,
  [KIND.FeesCollected]: feesCollected,
  [KIND.PoolParameterSet]: parameterSet
}

export const apply = (books: Books, { batch, from, to, seq }: Slice): void => {
  books.swaps.count = 0
  books.changes.count = 0
  books.late.length = 0
  for (let i = from; i < to; i++) {
    const take = takes[batch.kind.values[i] as number]
    take?.(books, batch, i, batch.row.values[i] as number, seq + i - from)
  }
}

/** Computes a pool's price after its state changed, then its base token's price. */
const reprice = (books: Books, pool: number, ts: number): void => {
  books.poolPrices.columns.ts[pool] = ts
  books.poolPrices.touch(pool)
  if (!books.pair.look(pool)) return
  valuePool(books, pool)
  poolChanged(books, pool, ts)
}

/** Lets a pool wait for the decimals of its tokens that have none yet. */
const awaitScales = ({ pools, scales, waiting }: Books, pool: number): void => {
  const { token0, token1 } = pools.columns()
  for (const token of [token0[pool] as number, token1[pool] as number]) {
    if (token === NONE || !Number.isNaN(scales.of(token))) continue
    waiting.set(token, (waiting.get(token) ?? new Set()).add(pool))
  }
}

/** Makes what follows from the tables anew, after a rollback or a start. */
export const reloaded = (books: Books): void => {
  const { pair, pools, tokens, scales, based } = books
  pair.anchors.reset()
  scales.clear()
  for (let token = 0; token < tokens.count(); token++) scales.set(token, tokens.scale(token))
  for (const table of [books.tokenPrices, books.levels]) table.grow(tokens.count())
  books.parked.reload()
  books.successors.reload()
  books.waiting.clear()
  based.clear()
  for (let pool = 0; pool < pools.count(); pool++) {
    awaitScales(books, pool)
    if (pair.look(pool)) based.put(pool, pair.baseAs)
  }
  reloadTokens(books)
}
