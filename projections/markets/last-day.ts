/** What tokens or markets did in the 24 hours that end with the newest one: by hour, and in all. */

import type { BucketRing } from "../../engine/memory/bucket-ring.ts"
import { roomFor } from "../../engine/memory/room.ts"
import { ColumnSet } from "../../engine/store/column-set.ts"
import type { ColumnDefs } from "../../engine/store/table.ts"
import { DAY, HOUR, hourOf } from "./hours.ts"

/** Sums by id, of columns of hours and of `makers`, which count a wallet once. */
export type Sums<Name extends string> = ColumnSet<{
  readonly [name in Name | "makers"]: { readonly type: "f64" }
}>

/** Start of the oldest of the 24 hours that end with an hour. */
export const sinceOf = (hour: number): number => hour - 23 * HOUR

const NOBODY = new Uint32Array(0)

export class LastDay<C extends ColumnDefs, Name extends keyof C & string> {
  /** by id of a token or market; wallets of hours do not add up to those of the day */
  sums: Sums<Name>
  private readonly hours: BucketRing<C>
  private readonly names: ReadonlyArray<Name>
  /** by start of the hour, then by id: wallets whose newest swap lies in it */
  private readonly lastIn = new Map<number, Uint32Array>()

  constructor(hours: BucketRing<C>, names: ReadonlyArray<Name>) {
    this.hours = hours
    this.names = names
    this.sums = this.none()
  }

  private none(): Sums<Name> {
    const defs = [...this.names, "makers"].map(name => [name, { type: "f64" }])
    return new ColumnSet(Object.fromEntries(defs), 1024)
  }

  private add(sums: Sums<Name>, slot: number, sign: 1 | -1): void {
    const id = this.hours.keys[slot] as number
    sums.reserve(id + 1)
    for (const name of this.names) {
      const sum = sums.array(name) as Float64Array
      const value = this.hours.table.columns[name] as unknown as Float64Array
      sum[id] = (sum[id] as number) + sign * (value[slot] as number)
    }
  }

  /** Sums the hours from `since` on anew, without wallets. */
  summed(since: number): Sums<Name> {
    const sums = this.none()
    for (const [start, slots] of this.hours.buckets) {
      if (start >= since) for (const slot of slots) this.add(sums, slot, 1)
    }
    return sums
  }

  /** Counts a wallet that trades in an hour, and did last at `before`; 0 for never. */
  see(id: number, before: number, hour: number): void {
    if (before >= hour) return
    if (before >= sinceOf(hour)) this.countLast(id, hourOf(before), -1)
    else {
      this.sums.reserve(id + 1)
      const makers = this.makers()
      makers[id] = (makers[id] as number) + 1
    }
    this.countLast(id, hour, 1)
  }

  private makers(): Float64Array {
    return this.sums.array("makers") as Float64Array
  }

  private countLast(id: number, hour: number, by: 1 | -1): void {
    const held = this.lastIn.get(hour)
    const counts = roomFor(held ?? NOBODY, id)
    if (counts !== held) this.lastIn.set(hour, counts)
    counts[id] = (counts[id] as number) + by
  }

  /** An hour begins: those that lie a day back end, and `drop` gets their slots. */
  begin(hour: number, drop?: (slot: number) => void): void {
    this.hours.advance(hour - DAY, slot => {
      this.add(this.sums, slot, -1)
      drop?.(slot)
    })
    const makers = this.makers()
    for (const [last, counts] of this.lastIn) {
      if (last >= sinceOf(hour)) continue
      this.lastIn.delete(last)
      for (let id = 0; id < counts.length; id++) {
        if (counts[id] !== 0) makers[id] = (makers[id] as number) - (counts[id] as number)
      }
    }
  }

  /** Sums what the table holds where `hour` is the newest; wallets are to be seen again. */
  reload(hour: number): void {
    this.hours.reload(hour - DAY)
    this.sums = this.summed(sinceOf(hour))
    this.lastIn.clear()
  }
}
