/** Where each key stands in the hours of a ring, found without looking through them. */
import type { ColumnDefs } from "../../engine/store/table.ts"
import type { BucketRing } from "./bucket-ring.ts"

interface Hour {
  /** by key: slot plus one, 0 for none */
  slots: Uint32Array
  /** slots of the hour that are taken in */
  taken: number
}

export class HourSlots {
  private readonly hours = new Map<number, Hour>()

  /** The slot of a key in an hour, -1 where there is none. */
  find<C extends ColumnDefs>(ring: BucketRing<C>, key: number, hour: number): number {
    const slots = ring.of(hour)
    if (slots.length === 0) return -1
    const known = this.hours.get(hour) ?? { slots: new Uint32Array(ring.keyCount), taken: 0 }
    if (known.taken === 0) this.hours.set(hour, known)
    if (known.taken < slots.length) this.take(ring.keys, ring.keyCount, known, slots)
    return (known.slots[key] ?? 0) - 1
  }

  private take(
    keys: Uint32Array,
    keyCount: number,
    hour: Hour,
    slots: ReadonlyArray<number>
  ): void {
    if (hour.slots.length < keyCount) {
      const grown = new Uint32Array(keyCount)
      grown.set(hour.slots)
      hour.slots = grown
    }
    for (let i = hour.taken; i < slots.length; i++) {
      const slot = slots[i] as number
      hour.slots[keys[slot] as number] = slot + 1
    }
    hour.taken = slots.length
  }

  /** The hours before this one are over. */
  forget(before: number): void {
    for (const hour of this.hours.keys()) if (hour < before) this.hours.delete(hour)
  }

  clear(): void {
    this.hours.clear()
  }
}
