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

/** A print of an earlier slice whose token's decimals became known, and so its price. */
export interface LatePrint {
  /** position of the event that told the decimals */
  readonly seq: number
  /** Unix seconds of the print's block */
  readonly ts: number
  readonly token: number
  /** 1 where the trader bought the token */
  readonly bought: number
  /** micro-dollars, an integer */
  readonly usdMicro: number
  /** dollars a whole token */
  readonly price: number
  /** code of `OUTLIER`; 0 where it is none */
  readonly outlier: number
}

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

  /** Moves the token's prints to `late`, oldest first. */
  release(token: number, scale: number, seq: number, late: Array<LatePrint>): void {
    const list = this.byToken.get(token)
    if (list === undefined) return
    this.byToken.delete(token)
    const c = this.slots.columns
    const inOrder = (a: number, b: number): number =>
      (c.block[a] as number) - (c.block[b] as number) ||
      (c.log_index[a] as number) - (c.log_index[b] as number)
    for (const slot of list.toSorted(inOrder)) {
      const dollars = c.dollars[slot] as number
      late.push({
        seq,
        ts: c.ts[slot] as number,
        token,
        bought: c.buy[slot] as number,
        usdMicro: Math.round(dollars * 1e6),
        price: dollars / ((c.raw[slot] as number) / scale),
        outlier: c.outlier[slot] as number
      })
      this.slots.clear(slot)
      this.slots.touch(slot)
    }
    this.free = [...this.free, ...list].sort((a, b) => b - a)
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
