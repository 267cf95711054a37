/**
 * What a reader of live candles holds: all versions of each bucket by position, of which an undo
 * voids those after the position to which it goes back.
 */

interface Bucket {
  readonly t: number
}

export class HeldCandles<C extends Bucket> {
  private readonly versions = new Map<number, Array<{ readonly seq: number; readonly candle: C }>>()

  put(seq: number, candle: C): void {
    const before = this.versions.get(candle.t) ?? []
    this.versions.set(candle.t, [...before, { seq, candle }])
  }

  undo(toSeq: number): void {
    for (const [t, versions] of this.versions) {
      const kept = versions.filter(({ seq }) => seq <= toSeq)
      if (kept.length === 0) this.versions.delete(t)
      else this.versions.set(t, kept)
    }
  }

  /** The newest version of each bucket, oldest bucket first. */
  get newest(): ReadonlyArray<C> {
    return [...this.versions.values()]
      .flatMap(versions => versions.at(-1)?.candle ?? [])
      .sort((a, b) => a.t - b.t)
  }
}
