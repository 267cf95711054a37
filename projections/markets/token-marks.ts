/** What lasts of tokens: first, newest and highest price, that before the last day, newest day. */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { isFirstOfDay } from "../wallets/first-of-day.ts"
import type { BucketRing } from "./bucket-ring.ts"
import type { Seen } from "./change.ts"
import { hourOf } from "./hours.ts"
import type { tokenHoursTable, tokenMarksTable } from "./tables.ts"

export class TokenMarks {
  readonly table: SlotTable<(typeof tokenMarksTable)["columns"]>
  /** newest price of a print that counts, by token; NaN while there is none. Follows from tables */
  private last = new Float64Array(0)
  /** the hour of that print */
  private lastHour = new Float64Array(0)

  constructor(table: SlotTable<(typeof tokenMarksTable)["columns"]>) {
    this.table = table
  }

  private reserve(token: number): void {
    const before = this.table.count
    if (token < before) return
    this.table.grow(token + 1)
    for (let t = before; t <= token; t++) this.table.columns.token[t] = t
    this.reserveLast()
  }

  private reserveLast(): void {
    if (this.last.length >= this.table.count) return
    const last = new Float64Array(this.table.capacity).fill(Number.NaN)
    last.set(this.last)
    this.last = last
    const lastHour = new Float64Array(last.length)
    lastHour.set(this.lastHour)
    this.lastHour = lastHour
  }

  /** Its prices; null while no print counts. */
  seen(token: number): Seen | null {
    const last = this.last[token] ?? Number.NaN
    if (!(last > 0)) return null
    const { first, first_ts } = this.table.columns
    return {
      last,
      lastHour: this.lastHour[token] as number,
      first: first[token] as number,
      firstTs: first_ts[token] as number
    }
  }

  /** The newest print that counts; of equal heights the first stays. */
  see(token: number, price: number, ts: number): void {
    this.reserve(token)
    const { columns } = this.table
    this.last[token] = price
    this.lastHour[token] = hourOf(ts)
    if (!((columns.first[token] as number) > 0)) {
      columns.first[token] = price
      columns.first_ts[token] = ts
    }
    if (price <= (columns.ath[token] as number)) return
    columns.ath[token] = price
    columns.ath_ts[token] = ts
    this.table.touch(token)
  }

  /** An hour with a close is no longer one of the last 24. */
  leave(token: number, close: number, hour: number): void {
    this.reserve(token)
    const { columns } = this.table
    if (hour < (columns.base_hour[token] as number)) return
    columns.base[token] = close
    columns.base_hour[token] = hour
    this.table.touch(token)
  }

  /** Whether a print is the token's first of the day that starts at `day`. */
  isNewOn(token: number, day: number): boolean {
    this.reserve(token)
    return isFirstOfDay(this.table, token, day)
  }

  /**
   * Rows between those of tokens with prints stand for tokens without.
   *
   * @param closeOf the newest price of the last 24 hours, with its hour; null where there is none
   */
  reload(closeOf: (token: number) => Close | null): void {
    const { columns, count } = this.table
    this.reserveLast()
    this.last.fill(Number.NaN)
    for (let token = 0; token < count; token++) {
      columns.token[token] = token
      const found = closeOf(token)
      this.last[token] = found?.close ?? (columns.base[token] as number)
      this.lastHour[token] = found?.hour ?? (columns.base_hour[token] as number)
    }
  }
}

/** The newest price of an hour, Unix seconds. */
interface Close {
  readonly close: number
  readonly hour: number
}

/** Tells the newest price of each token in the hours of a ring; null where there is none. */
export const newestCloses = (
  hours: BucketRing<(typeof tokenHoursTable)["columns"]>
): ((token: number) => Close | null) => {
  const { hour, token, close } = hours.table.columns
  const newest = new Map<number, number>()
  hours.each(slot => {
    if (!((close[slot] as number) > 0)) return
    const known = newest.get(token[slot] as number)
    if (known !== undefined && (hour[known] as number) > (hour[slot] as number)) return
    newest.set(token[slot] as number, slot)
  })
  return of => {
    const slot = newest.get(of)
    return slot === undefined ? null : { close: close[slot] as number, hour: hour[slot] as number }
  }
}
