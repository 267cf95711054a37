/** The fold of liquidity: each change a row, and the sums of its position. */
import type { FoldContext, Slice } from "../../engine/projection.ts"
import { copyEntry } from "../../engine/store/copy-entry.ts"
import type { RowBuffer } from "../../engine/store/row-buffer.ts"
import { ID_BYTES, TX_BYTES } from "../../src/domain/ids.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { pools } from "../pools/output.ts"
import { pricesOutput } from "../prices/output.ts"
import { CHANGE } from "../prices/priced-changes.ts"
import { PositionSet } from "./position-set.ts"
import {
  CHANGES,
  type Change,
  type Liquidity,
  liquidityEventsTable,
  lpPositionsTable,
  type Positions
} from "./tables.ts"

/** A change as rows and sums take it: signs are those of a rebalance alone, NaN where unknown. */
interface Told {
  readonly change: Change
  /** reference of the batch; `NONE` for nobody */
  readonly owner: number
  readonly lower: number
  readonly upper: number
  readonly liquidity: number
  /** which of the pool's first two tokens the first amount is of; 2: of another */
  readonly place: 0 | 1 | 2
}

const NOBODY = new Uint8Array(ID_BYTES)

/** Whether it is a removal, by what is told: liquidity, else dollars, else amounts. */
const isRemoval = (...told: ReadonlyArray<number>): boolean =>
  (told.find(value => !Number.isNaN(value) && value !== 0) ?? 0) < 0

/** Bytes of the position that the event behind a change names; zeros where none does. */
const nameOf = (batch: EventBatch, event: number): Uint8Array => {
  const next = event + 1
  if (next >= batch.count || batch.kind.values[next] !== KIND.PositionNamed) return NOBODY
  return batch.ids.bytes(batch.columns.PositionNamed.position.get(batch.row.values[next] as number))
}

export class LiquidityFold {
  private readonly changes
  private readonly pools
  private readonly events: RowBuffer<(typeof liquidityEventsTable)["columns"]>
  private readonly positions: Positions
  private readonly set: PositionSet

  constructor({ output, rows, state }: FoldContext, most?: number) {
    this.changes = output(pricesOutput).changes
    this.pools = output(pools)
    this.events = rows(liquidityEventsTable)
    this.positions = state(lpPositionsTable)
    this.set = new PositionSet(this.positions, most)
  }

  get out(): Liquidity {
    return { positions: this.positions, lists: this.set.lists, isFull: () => this.set.isFull }
  }

  apply({ batch, from, seq }: Slice): void {
    const { changes } = this
    for (let t = 0; t < changes.count; t++) {
      const event = changes.event[t] as number
      const told = this.toldBy(batch, t)
      if (told === null) continue
      this.write(batch, t, seq + event - from, told)
      this.sum(batch, t, told)
    }
  }

  reloaded(): void {
    this.set.reloaded()
  }

  /** What an event tells; null where nothing changed. */
  private toldBy(batch: EventBatch, t: number): Told | null {
    const { kind, amount0, amount1, usdMicro } = this.changes
    const row = batch.row.values[this.changes.event[t] as number] as number
    const [first, second] = [amount0[t] as number, amount1[t] as number]
    const usd = usdMicro[t] as number
    if (kind[t] === CHANGE.reserve) return first === 0 ? null : this.reserve(batch, t, row)
    if (kind[t] === CHANGE.fees) {
      if (first === 0 && second === 0) return null
      const { owner, tickLower, tickUpper } = batch.columns.FeesCollected
      const range = this.rangeOf(tickLower.values, tickUpper.values, row)
      return { change: "collect", owner: owner.get(row), ...range, liquidity: Number.NaN, place: 0 }
    }
    const c = batch.columns.LiquidityChanged
    const liquidity = c.liquidity.isNull(row) ? Number.NaN : c.liquidity.toNumber(row)
    if (first === 0 && second === 0 && !(Math.abs(liquidity) > 0)) return null
    const { lower, upper } = this.rangeOf(c.tickLower.values, c.tickUpper.values, row)
    const isMixed = first * second < 0
    return {
      change: isMixed ? "rebalance" : isRemoval(liquidity, usd, first, second) ? "remove" : "add",
      ...{ owner: c.owner.get(row), lower, upper, liquidity: Math.abs(liquidity), place: 0 }
    }
  }

  private rangeOf(lower: ArrayLike<number>, upper: ArrayLike<number>, row: number) {
    return { lower: lower[row] as number, upper: upper[row] as number }
  }

  private reserve(batch: EventBatch, t: number, row: number): Told {
    const { pool, token0, amount0, usdMicro } = this.changes
    const c = batch.columns.ReserveChanged
    const raw = c.amount.toNumber(row)
    const token = token0[t] as number
    const isHere = (place: number): boolean =>
      token !== NONE && this.pools.tokenAt(pool[t] as number, place) === token
    return {
      change: isRemoval(raw, usdMicro[t] as number, amount0[t] as number) ? "remove" : "add",
      ...{ owner: c.owner.get(row), lower: NULL_I32, upper: NULL_I32, liquidity: Number.NaN },
      place: isHere(0) ? 0 : isHere(1) ? 1 : 2
    }
  }

  private write(batch: EventBatch, t: number, seq: number, told: Told): void {
    const { changes, events } = this
    const event = changes.event[t] as number
    const row = events.next(seq)
    const c = events.columns
    const block = batch.block.values[event] as number
    const tx = batch.tx.values[event] as number
    c.block[row] = batch.blocks.number.values[block] as number
    c.ts[row] = batch.blocks.time.values[block] as number
    c.log_index[row] = batch.logIndex.values[event] as number
    copyEntry(c.tx, row, TX_BYTES, batch.txs.hash, tx)
    c.pool[row] = changes.pool[t] as number
    c.change[row] = CHANGES.indexOf(told.change)
    copyEntry(c.owner, row, ID_BYTES, batch.ids.accounts, told.owner)
    c.tick_lower[row] = told.lower
    c.tick_upper[row] = told.upper
    c.liquidity[row] = told.liquidity
    c.token0[row] = changes.token0[t] as number
    c.token1[row] = changes.token1[t] as number
    const signed = told.change === "rebalance" ? (value: number) => value : Math.abs
    c.amount0[row] = signed(changes.amount0[t] as number)
    c.amount1[row] = signed(changes.amount1[t] as number)
    c.usd[row] = signed(changes.usdMicro[t] as number)
  }

  private sum(batch: EventBatch, t: number, told: Told): void {
    const { changes, positions } = this
    const event = changes.event[t] as number
    const ts = batch.blocks.time.values[batch.block.values[event] as number] as number
    const { owner, lower, upper } = told
    const bytes = owner === NONE ? NOBODY : batch.ids.bytes(owner)
    const pool = changes.pool[t] as number
    const named = nameOf(batch, event)
    const slot = this.set.slotOf({ pool, bytes, named, from: 0, lower, upper })
    const c = positions.columns
    if (c.first_ts[slot] === 0) c.first_ts[slot] = ts
    c.last_ts[slot] = ts
    this.count(slot, t, told)
    positions.touch(slot)
  }

  /**
   * Counts a change in the sums of its position. Of a rebalance what is put in is added, and what
   * is taken out removed; so are the dollars that are left over.
   */
  private count(slot: number, t: number, { change, liquidity, place }: Told): void {
    const { changes, positions } = this
    const c = positions.columns
    const add = (column: { [slot: number]: number }, value: number): void => {
      column[slot] = (column[slot] as number) + value
    }
    const sums = {
      add: { of0: c.added0, of1: c.added1, usd: c.added_usd, times: c.adds },
      remove: { of0: c.removed0, of1: c.removed1, usd: c.removed_usd, times: c.removes },
      collect: { of0: c.collected0, of1: c.collected1, usd: c.collected_usd, times: c.collects }
    }
    const parts = change === "rebalance" ? ([sums.add, sums.remove] as const) : [sums[change]]
    /** the sums that a value of this sign goes into */
    const partOf = (value: number) => (value < 0 ? parts.at(-1) : parts[0]) as (typeof parts)[0]
    for (const { times } of parts) add(times, 1)
    const [first, second] = [changes.amount0[t] as number, changes.amount1[t] as number]
    const usd = changes.usdMicro[t] as number
    if (Number.isNaN(first) || Number.isNaN(second)) add(c.untold, 1)
    else if (place < 2) {
      const { of0, of1 } = partOf(first)
      add(place === 0 ? of0 : of1, Math.abs(first))
      if (place === 0) add(partOf(second).of1, Math.abs(second))
    }
    if (Number.isNaN(usd)) add(c.unpriced, 1)
    else add(partOf(usd).usd, Math.abs(usd))
    if (Number.isNaN(liquidity)) return
    if (Number.isNaN(c.liquidity[slot] as number)) c.liquidity[slot] = 0
    add(c.liquidity, change === "remove" ? -liquidity : liquidity)
  }
}
