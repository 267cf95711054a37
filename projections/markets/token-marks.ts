/** What lasts of tokens: the highest price, the price before the last day, the newest day. */
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { isFirstOfDay } from "../wallets/first-of-day.ts"
import type { tokenMarksTable } from "./tables.ts"

export class TokenMarks {
  readonly table: SlotTable<(typeof tokenMarksTable)["columns"]>

  constructor(table: SlotTable<(typeof tokenMarksTable)["columns"]>) {
    this.table = table
  }

  private reserve(token: number): void {
    const before = this.table.count
    if (token < before) return
    this.table.grow(token + 1)
    for (let t = before; t <= token; t++) this.table.columns.token[t] = t
  }

  /** A print that counts; of equal heights the first stays. */
  see(token: number, price: number, ts: number): void {
    this.reserve(token)
    const { columns } = this.table
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

  /** Rows between those of tokens with prints stand for tokens without. */
  reload(): void {
    const { columns, count } = this.table
    for (let token = 0; token < count; token++) columns.token[token] = token
  }
}
