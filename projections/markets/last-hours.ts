/**
 * How many pairs of each key traded last in each of the newest hours: what a sum of those who
 * traded within a day loses when an hour leaves it.
 */

export class LastHours {
  /** by start of the hour, then by key */
  private readonly hours = new Map<number, Uint32Array>()

  /** A pair of `key` trades in the hour that starts at `hour`; it did last in `before`, if so. */
  move(key: number, before: number | null, hour: number): void {
    if (before !== null) {
      const counts = this.hours.get(before) as Uint32Array
      counts[key] = (counts[key] as number) - 1
    }
    const counts = this.roomFor(hour, key)
    counts[key] = (counts[key] as number) + 1
  }

  private roomFor(hour: number, key: number): Uint32Array {
    const counts = this.hours.get(hour)
    if (counts !== undefined && key < counts.length) return counts
    const grown = new Uint32Array(Math.max(1024, key + 1, (counts?.length ?? 0) * 2))
    if (counts !== undefined) grown.set(counts)
    this.hours.set(hour, grown)
    return grown
  }

  /** Ends the hours before `since`: `drop` gets each key that has pairs there, and how many. */
  advance(since: number, drop: (key: number, pairs: number) => void): void {
    for (const [hour, counts] of this.hours) {
      if (hour >= since) continue
      this.hours.delete(hour)
      for (let key = 0; key < counts.length; key++) {
        const pairs = counts[key] as number
        if (pairs > 0) drop(key, pairs)
      }
    }
  }

  clear(): void {
    this.hours.clear()
  }
}
