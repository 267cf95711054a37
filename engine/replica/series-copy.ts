/**
 * The newest rows of a table with buckets, by slot, as of the newest commit. A slot that nobody
 * asks for and whose rows are old is forgotten where memory becomes short; a reader is told which
 * buckets are held.
 */
import { RowPool } from "./row-pool.ts"
import { RowRing } from "./row-ring.ts"

/** The share of the rows that is left once quiet slots were forgotten. */
const LEFT = 0.85

/**
 * The rows of one slot. Rows of the open transaction wait beside the others, and join them when a
 * reader or a later transaction looks at the slot after the commit: so a commit costs nothing here.
 */
class SlotRows {
  readonly rows: RowRing
  private readonly waiting: RowRing
  /** the transaction that wrote the waiting rows */
  private transaction = 0
  /** a reader has asked for the slot since slots were forgotten last */
  isAsked = false

  /** Holds every bucket from `from` on. */
  constructor(pool: RowPool, from: number) {
    this.rows = new RowRing(pool, from)
    this.waiting = new RowRing(pool, 0)
  }

  /** Takes a row of the open transaction: its newest bucket again, or a later one. */
  take(source: Float64Array, at: number, open: number): void {
    this.settle(open)
    this.transaction = open
    this.waiting.put(source, at)
  }

  /** Takes in the waiting rows, where the transaction that wrote them is no longer open. */
  settle(open: number): this {
    const { waiting, rows } = this
    if (waiting.isEmpty || this.transaction === open) return this
    // one transaction wrote more rows than a ring keeps
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

  /** `width` doubles a row, the bucket first; `maxRows` of all slots together. */
  constructor(width: number, maxRows: number) {
    this.pool = new RowPool(width)
    this.maxRows = maxRows
  }

  /** Takes a row of the open transaction. `isFirst`: the slot has no older bucket. */
  take(slot: number, isFirst: boolean, source: Float64Array, at: number): void {
    const known = this.slots[slot]
    const rows = known ?? new SlotRows(this.pool, isFirst ? 0 : (source[at] as number))
    this.slots[slot] = rows
    rows.take(source, at, this.open)
  }

  /** The rows taken since the last commit count from now on. */
  commit(): void {
    this.open++
    if (this.pool.rows > this.maxRows) this.forgetQuiet()
  }

  /** Forgets slots that nobody asked for, those with the oldest rows first; then others. */
  private forgetQuiet(): void {
    const held = this.slots
      .flatMap((rows, slot) => (rows === undefined ? [] : [{ slot, rows }]))
      .map(one => ({ ...one, isAsked: one.rows.isAsked, last: one.rows.lastBucket }))
      .sort((a, b) => Number(a.isAsked) - Number(b.isAsked) || a.last - b.last)
    for (const { slot, rows } of held) {
      if (this.pool.rows <= this.maxRows * LEFT) break
      rows.clear()
      this.slots[slot] = undefined
    }
    for (const { rows } of held) rows.isAsked = false
  }

  /** The tables were read again or rolled back. */
  forget(): void {
    for (const rows of this.slots) rows?.clear()
    this.slots = []
    this.open++
  }

  /** The committed rows of a slot; undefined where none is held. */
  of(slot: number): RowRing | undefined {
    const rows = this.slots[slot]
    if (rows === undefined) return undefined
    rows.isAsked = true
    return rows.settle(this.open).rows
  }
}
