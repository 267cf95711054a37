/** What lasts of tokens: first, newest and highest price, that before the last day, newest day. */

import type { BucketRing } from "../../engine/memory/bucket-ring.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { isFirstOfDay } from "../wallets/first-of-day.ts"
import type { Seen } from "./change.ts"
import type { tokenHoursTable, tokenMarksTable } from "./tables.ts"

type Hours = BucketRing<(typeof tokenHoursTable)["columns"]>

export class TokenMarks {
  /** rows between those of tokens with prints stand for tokens without */
  readonly table: SlotTable<(typeof tokenMarksTable)["columns"]>
  private readonly hours: Hours

  constructor(table: TokenMarks["table"], hours: Hours) {
    this.table = table
    this.hours = hours
  }

  /** Its prices; null while no print counts. */
  seen(token: number): Seen | null {
    const { columns, count } = this.table
    if (token >= count) return null
    const { close, hour } = this.hours.table.columns
    const slot = this.pricedBefore(token, Number.POSITIVE_INFINITY)
    const last = (slot < 0 ? columns.base[token] : close[slot]) as number
    if (!(last > 0)) return null
    return {
      last,
      lastHour: (slot < 0 ? columns.base_hour[token] : hour[slot]) as number,
      first: columns.first[token] as number,
      firstTs: columns.first_ts[token] as number
    }
  }

  /**
   * The newest price before an hour; null where there was none, undefined where only a later one is
   * known.
   */
  closeBefore(token: number, end: number): number | null | undefined {
    const { columns, count } = this.table
    const slot = this.pricedBefore(token, end)
    if (slot >= 0) return this.hours.table.columns.close[slot] as number
    if (token >= count || Number.isNaN(columns.base[token])) return null
    return (columns.base_hour[token] as number) < end ? (columns.base[token] as number) : undefined
  }

  /** The slot of a token's newest hour before a time that has a close, -1 where it has none. */
  private pricedBefore(token: number, end: number): number {
    const { close, hour } = this.hours.table.columns
    let slot = this.hours.newestOf(token)
    while (slot >= 0 && !((hour[slot] as number) < end && (close[slot] as number) > 0)) {
      slot = this.hours.beforeOf(slot)
    }
    return slot
  }

  /** The newest print that counts; of equal heights the first stays. */
  see(token: number, price: number, ts: number): void {
    this.table.grow(token + 1)
    const { columns } = this.table
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
    this.table.grow(token + 1)
    const { columns } = this.table
    if (hour < (columns.base_hour[token] as number)) return
    columns.base[token] = close
    columns.base_hour[token] = hour
    this.table.touch(token)
  }

  /** Whether a print is the token's first of the day that starts at `day`. */
  isNewOn(token: number, day: number): boolean {
    this.table.grow(token + 1)
    return isFirstOfDay(this.table, token, day)
  }
}
