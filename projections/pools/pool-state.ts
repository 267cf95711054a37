/**
 * The exact state of each pool as its events tell it: reserves (V2 shape), or price, liquidity
 * and tick (V3 shape). Within a slice only the newest swap or sync of a pool matters, so it is
 * noted and copied once at the end.
 */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { table } from "../../engine/store/table.ts"
import { toHex } from "../../src/domain/address.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import type { IntColumn } from "../../streams/batch/int-column.ts"

export const poolStateTable = table({
  name: "pool_state",
  shape: "state",
  key: ["pool"],
  columns: {
    pool: { type: "u32" },
    sqrt_price_x96: { type: "bytes32", nullable: true },
    liquidity: { type: "bytes16" },
    tick: { type: "i32", nullable: true },
    reserve0: { type: "bytes16" },
    reserve1: { type: "bytes16" },
    block: { type: "i64" },
    ts: { type: "u32" }
  }
})

type Columns = (typeof poolStateTable)["columns"]

const SWAP = 1
const SYNC = 2

/** Right-aligns an integer of at most `width` bytes; false (and no write) where it is longer. */
const setInt = (
  target: Uint8Array,
  slot: number,
  width: number,
  from: IntColumn,
  row: number
): boolean => {
  const start = from.start[row] as number
  const length = (from.start[row + 1] as number) - start
  if (length > width) return false
  const at = slot * width
  target.fill(0, at, at + width - length)
  const { data } = from
  for (let i = 0; i < length; i++) target[at + width - length + i] = data[start + i] as number
  return true
}

export class PoolState {
  readonly slots: SlotTable<Columns>
  /** what is noted for each pool in the running slice, and at which row and block */
  private kind = new Uint8Array(1024)
  private row = new Uint32Array(1024)
  private block = new Uint32Array(1024)
  private readonly noted: Array<number> = []

  constructor(slots: SlotTable<Columns>) {
    this.slots = slots
  }

  grow(count: number): void {
    const before = this.slots.count
    this.slots.grow(count)
    for (let pool = before; pool < count; pool++) this.slots.columns.pool[pool] = pool
    if (this.kind.length >= count) return
    const size = count * 2
    const [kind, row, block] = [new Uint8Array(size), new Uint32Array(size), new Uint32Array(size)]
    kind.set(this.kind)
    row.set(this.row)
    block.set(this.block)
    this.kind = kind
    this.row = row
    this.block = block
  }

  /** Takes one event in; `slotOf` resolves its pool. */
  event(
    batch: EventBatch,
    kind: number,
    row: number,
    block: number,
    slotOf: (ref: number) => number
  ): void {
    if (kind === KIND.SwapExecuted) {
      const c = batch.columns.SwapExecuted
      const pool = slotOf(c.pool.values[row] as number)
      if (!c.sqrtPriceX96.isNull(row)) this.note(pool, SWAP, row, block)
    } else if (kind === KIND.ReservesSynced) {
      const pool = slotOf(batch.columns.ReservesSynced.pool.values[row] as number)
      this.note(pool, SYNC, row, block)
    } else if (kind === KIND.PoolInitialized) {
      const c = batch.columns.PoolInitialized
      const pool = slotOf(c.pool.values[row] as number)
      this.copy(batch, pool)
      const { columns } = this.slots
      setInt(columns.sqrt_price_x96, pool, 32, c.sqrtPriceX96, row)
      columns.tick[pool] = c.tick.values[row] as number
      this.stamp(batch, pool, block)
    } else {
      const pool = slotOf(batch.columns.LiquidityChanged.pool.values[row] as number)
      this.copy(batch, pool)
      this.addLiquidity(batch, pool, row, block)
    }
  }

  private note(pool: number, kind: number, row: number, block: number): void {
    if (this.kind[pool] === 0) this.noted.push(pool)
    this.kind[pool] = kind
    this.row[pool] = row
    this.block[pool] = block
  }

  /** Copies what was noted for a pool into its slot. */
  private copy(batch: EventBatch, pool: number): void {
    const kind = this.kind[pool]
    if (kind === 0) return
    this.kind[pool] = 0
    const row = this.row[pool] as number
    const { columns } = this.slots
    if (kind === SWAP) {
      const c = batch.columns.SwapExecuted
      setInt(columns.sqrt_price_x96, pool, 32, c.sqrtPriceX96, row)
      setInt(columns.liquidity, pool, 16, c.liquidity, row)
      columns.tick[pool] = c.tick.values[row] as number
    } else {
      const c = batch.columns.ReservesSynced
      setInt(columns.reserve0, pool, 16, c.reserve0, row)
      setInt(columns.reserve1, pool, 16, c.reserve1, row)
    }
    this.stamp(batch, pool, this.block[pool] as number)
  }

  /** Liquidity that spans the current tick is active at once. */
  private addLiquidity(batch: EventBatch, pool: number, row: number, block: number): void {
    const c = batch.columns.LiquidityChanged
    const { columns } = this.slots
    const tick = columns.tick[pool] as number
    const lower = c.tickLower.values[row] as number
    const upper = c.tickUpper.values[row] as number
    if (tick === NULL_I32 || lower === NULL_I32 || tick < lower || tick >= upper) return
    const at = pool * 16
    const before = BigInt(toHex(columns.liquidity.subarray(at, at + 16)))
    const after = before + (c.liquidity.get(row) ?? 0n)
    // below zero only where the log began in the middle of the pool's life: unknown, so zero
    const hex = (after < 0n ? 0n : after).toString(16).padStart(32, "0")
    for (let i = 0; i < 16; i++) {
      columns.liquidity[at + i] = Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16)
    }
    this.stamp(batch, pool, block)
  }

  private stamp(batch: EventBatch, pool: number, block: number): void {
    const { columns } = this.slots
    columns.block[pool] = batch.blocks.number.get(block)
    columns.ts[pool] = batch.blocks.time.get(block)
    this.slots.touch(pool)
  }

  /** Ends a slice. */
  settle(batch: EventBatch): void {
    for (const pool of this.noted) this.copy(batch, pool)
    this.noted.length = 0
  }

  /** After a rollback: nothing is noted, and every pool has a slot again. */
  reset(count: number): void {
    this.noted.length = 0
    this.kind.fill(0)
    this.slots.truncate(count)
    this.grow(count)
    for (let pool = 0; pool < count; pool++) this.slots.columns.pool[pool] = pool
  }
}

export const newPoolState = (slots: SlotTable<Columns>): PoolState => new PoolState(slots)

export const reloadPoolState = (state: PoolState, count: number): void => state.reset(count)
