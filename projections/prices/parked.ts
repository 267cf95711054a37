/**
 * Prints that have dollars and no price, because the decimals of a token are unknown. They wait in
 * a table until the decimals come, and are then priced as if the decimals had been known all along.
 */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { table } from "../../engine/store/table.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { PricedSwaps } from "./priced-swaps.ts"

/** Prints that wait at most; further prints of tokens without decimals never get a price. */
const MAX_PARKED_PRINTS = 262_144

export const parkedPrintsTable = table({
  name: "parked_prints",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    /** null where the slot is free again */
    token: { type: "u32", nullable: true },
    block: { type: "i64" },
    log_index: { type: "u32" },
    ts: { type: "u32" },
    pool: { type: "u32" },
    /** 1 where the trader bought the token */
    buy: { type: "u8" },
    /** raw units that moved */
    raw: { type: "f64" },
    dollars: { type: "f64" },
    /** why it is an outlier of the token; 0: it is none */
    outlier: { type: "u8" }
  }
})

type Columns = (typeof parkedPrintsTable)["columns"]

export class Parked {
  private readonly slots: SlotTable<Columns>
  private readonly byToken = new Map<number, Array<number>>()
  /** free slots, the lowest last, so that the slot of a print follows from the table alone */
  private free: Array<number> = []

  constructor(slots: SlotTable<Columns>) {
    this.slots = slots
  }

  /** Parks the print of one side of a swap where its dollars will give a price. */
  park(swaps: PricedSwaps, t: number, side: 0 | 1, logIndex: number): void {
    const raw = (side === 0 ? swaps.raw0 : swaps.raw1)[t] as number
    if (Number.isNaN(raw) || !((swaps.dollars[t] as number) >= 0)) return
    const slot = this.free.pop() ?? this.slots.count
    if (slot >= MAX_PARKED_PRINTS) return
    this.slots.grow(slot + 1)
    const c = this.slots.columns
    c.token[slot] = (side === 0 ? swaps.token0 : swaps.token1)[t] as number
    c.block[slot] = swaps.block[t] as number
    c.log_index[slot] = logIndex
    c.ts[slot] = swaps.ts[t] as number
    c.pool[slot] = swaps.pool[t] as number
    c.buy[slot] = swaps.bought0[t] === 1 - side ? 1 : 0
    c.raw[slot] = raw
    c.dollars[slot] = swaps.dollars[t] as number
    c.outlier[slot] = (side === 0 ? swaps.outlier0 : swaps.outlier1)[t] as number
    this.slots.touch(slot)
    this.list(slot)
  }

  private list(slot: number): void {
    const token = this.slots.columns.token[slot] as number
    const list = this.byToken.get(token)
    if (list === undefined) this.byToken.set(token, [slot])
    else list.push(slot)
  }

  /**
   * Moves the token's prints to `late`, oldest first, as rows that have the token on side 0 only.
   */
  release(token: number, scale: number, seq: number, late: PricedSwaps): void {
    const list = this.byToken.get(token)
    if (list === undefined) return
    this.byToken.delete(token)
    const c = this.slots.columns
    const inOrder = (a: number, b: number): number =>
      (c.block[a] as number) - (c.block[b] as number) ||
      (c.log_index[a] as number) - (c.log_index[b] as number)
    for (const slot of list.toSorted(inOrder)) {
      this.writeLate(slot, scale, seq, late)
      this.slots.clear(slot)
      this.slots.touch(slot)
    }
    this.free = [...this.free, ...list].sort((a, b) => b - a)
  }

  private writeLate(slot: number, scale: number, seq: number, late: PricedSwaps): void {
    const c = this.slots.columns
    const t = late.next()
    const amount = (c.raw[slot] as number) / scale
    const dollars = c.dollars[slot] as number
    late.event[t] = 0
    late.seq[t] = seq
    late.block[t] = c.block[slot] as number
    late.ts[t] = c.ts[slot] as number
    late.pool[t] = c.pool[slot] as number
    late.token0[t] = c.token[slot] as number
    late.token1[t] = NONE
    late.amount0[t] = amount
    late.amount1[t] = Number.NaN
    late.raw0[t] = Number.NaN
    late.raw1[t] = Number.NaN
    late.bought0[t] = c.buy[slot] as number
    late.usdMicro[t] = Math.round(dollars * 1e6)
    late.dollars[t] = dollars
    late.price0[t] = dollars / amount
    late.price1[t] = Number.NaN
    late.outlier0[t] = c.outlier[slot] as number
    late.outlier1[t] = 0
  }

  reload(): void {
    this.byToken.clear()
    this.free = []
    const { count, columns } = this.slots
    for (let slot = count - 1; slot >= 0; slot--) {
      if (columns.token[slot] === NONE) this.free.push(slot)
      else this.list(slot)
    }
  }
}
