/** What tokens or markets did in the 24 hours that end with the newest one: by hour, and in all. */

import type { BucketRing } from "../../engine/memory/bucket-ring.ts"
import { ColumnSet } from "../../engine/store/column-set.ts"
import type { ColumnDefs } from "../../engine/store/table.ts"
import { DAY, HOUR } from "./hours.ts"

/** Sums by id, of columns of hours and of `makers`, which count a wallet once. */
export type Sums<Name extends string> = ColumnSet<{
  readonly [name in Name | "makers"]: { readonly type: "f64" }
}>

/** Who traded what: pairs of an id and a wallet. */
interface Makers {
  /** Calls `visit` with the id of each pair that traded in the last day, and when it did last. */
  readonly eachLast: (visit: (id: number, last: number) => void) => void
}

/** Start of the oldest of the 24 hours that end with an hour. */
export const sinceOf = (hour: number): number => hour - 23 * HOUR

export class LastDay<C extends ColumnDefs, Name extends keyof C & string> {
  /** by id of a token or market; wallets of hours do not add up to those of the day */
  private sums: Sums<Name>
  /** start of the oldest hour in the sums */
  private since = 0
  private readonly hours: BucketRing<C>
  private readonly names: ReadonlyArray<Name>
  private readonly makers: Makers

  constructor(hours: BucketRing<C>, names: ReadonlyArray<Name>, makers: Makers) {
    this.hours = hours
    this.names = names
    this.makers = makers
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

  /** The sums of the hours from `since` on, which is the present oldest one or a later one. */
  sumsSince(since: number): Sums<Name> {
    return since === this.since ? this.sums : this.summed(since)
  }

  private summed(since: number): Sums<Name> {
    const sums = this.none()
    for (const [start, slots] of this.hours.buckets) {
      if (start >= since) for (const slot of slots) this.add(sums, slot, 1)
    }
    this.count(sums, since, Number.POSITIVE_INFINITY, 1)
    return sums
  }

  /** Counts the wallets that traded last in a time, or takes them off. */
  private count(sums: Sums<Name>, from: number, to: number, sign: 1 | -1): void {
    const makers = sums.array("makers") as Float64Array
    this.makers.eachLast((id, last) => {
      if (last >= from && last < to) makers[id] = (makers[id] as number) + sign
    })
  }

  /** The sums, with room for an id. */
  sumsFor(id: number): Sums<Name>["columns"] {
    this.sums.reserve(id + 1)
    return this.sums.columns
  }

  /** Whether a wallet that trades now counts for the first time: it did last at `before`. */
  isNew(before: number): boolean {
    return before < this.since
  }

  /** An hour begins: those that lie a day back end, and `drop` gets their slots. */
  begin(hour: number, drop?: (slot: number) => void): void {
    this.hours.advance(hour - DAY, slot => {
      this.add(this.sums, slot, -1)
      drop?.(slot)
    })
    const since = sinceOf(hour)
    this.count(this.sums, this.since, since, -1)
    this.since = since
  }

  /** Sums what the table holds where `hour` is the newest. */
  reload(hour: number): void {
    this.hours.reload(hour - DAY)
    this.since = sinceOf(hour)
    this.sums = this.summed(this.since)
  }
}
