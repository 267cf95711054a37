/**
 * A copy of the newest rows of a table with buckets, by slot, as of the newest commit. Where rows
 * become too many the copy forgets slots that nobody asks for, those with old rows first. A ring
 * says from which bucket on it holds all rows (`RowRing.from`).
 */
import { RowPool } from "../memory/row-pool.ts"
import { RowRing } from "../memory/row-ring.ts"

/** The share of `maxRows` that is left after slots were forgotten. */
const SHARE_LEFT = 0.85

/**
 * The rows of one slot. Rows of the open transaction wait in a ring of their own. They join the
 * committed rows when a reader or a later transaction looks at the slot, so a commit costs nothing.
 */
class SlotRows {
  readonly rows: RowRing
  private readonly waiting: RowRing
  /** the transaction that wrote the waiting rows */
  private transaction = 0
  /** whether a reader has asked for the slot since slots were forgotten last */
  isAsked = false

  /** @param from the ring holds every bucket from this one on */
  constructor(pool: RowPool, from: number) {
    this.rows = new RowRing(pool, from)
    this.waiting = new RowRing(pool, 0)
  }

  /** Takes a row of the open transaction: of the newest bucket, or of a later one. */
  take(source: Float64Array, at: number, open: number): void {
    this.settle(open)
    this.transaction = open
    this.waiting.put(source, at)
  }

  /** Joins the waiting rows to the others, where the transaction that wrote them has ended. */
  settle(open: number): this {
    const { waiting, rows } = this
    if (waiting.isEmpty || this.transaction === open) return this
    // one transaction wrote more rows than a ring keeps: older rows would leave a hole
    if (waiting.from > 0) {
      rows.clear()
      rows.from = waiting.from
    }
    waiting.drain(rows.put)
    waiting.from = 0
    return this
  }

  get lastBucket(): number {
    return this.waiting.lastBucket ?? this.rows.lastBucket ?? 0
  }

  clear(): void {
    this.rows.clear()
    this.waiting.clear()
  }
}

export class SeriesCopy {
  private readonly maxRows: number
  private readonly pool: RowPool
  private slots: Array<SlotRows | undefined> = []
  /** number of the open transaction */
  private open = 1

  /**
   * @param width doubles per row, the bucket first
   * @param maxRows rows of all slots together, above which slots are forgotten
   */
  constructor(width: number, maxRows: number) {
    this.pool = new RowPool(width)
    this.maxRows = maxRows
  }

  /** Takes a row of the open transaction. `isFirst` where the slot has no older bucket. */
  take(slot: number, isFirst: boolean, source: Float64Array, at: number): void {
    const held = this.slots[slot]
    const rows = held ?? new SlotRows(this.pool, isFirst ? 0 : (source[at] as number))
    this.slots[slot] = rows
    rows.take(source, at, this.open)
  }

  /** Lets the rows that were taken since the last commit count. */
  commit(): void {
    this.open++
    if (this.pool.rows > this.maxRows) this.forgetQuiet()
  }

  /**
   * Forgets slots: those that nobody asked for first, and among them those with the oldest rows.
   */
  private forgetQuiet(): void {
    const held = this.slots
      .flatMap((rows, slot) => (rows === undefined ? [] : [{ slot, rows }]))
      .map(one => ({ ...one, isAsked: one.rows.isAsked, last: one.rows.lastBucket }))
      .sort((a, b) => Number(a.isAsked) - Number(b.isAsked) || a.last - b.last)
    for (const { slot, rows } of held) {
      if (this.pool.rows <= this.maxRows * SHARE_LEFT) break
      rows.clear()
      this.slots[slot] = undefined
    }
    for (const { rows } of held) rows.isAsked = false
  }

  /** Forgets all rows: the tables were read again or rolled back. */
  forget(): void {
    for (const rows of this.slots) rows?.clear()
    this.slots = []
    this.open++
  }

  /** Returns the committed rows of a slot; undefined where none is held. */
  of(slot: number): RowRing | undefined {
    const rows = this.slots[slot]
    if (rows === undefined) return undefined
    rows.isAsked = true
    return rows.settle(this.open).rows
  }
}
