/**
 * Distinct wallets of buckets that are over, for whoever asks again: no later commit changes them,
 * and to count them is to read every print.
 */
import type { Stretch } from "../coverage/covered-time.ts"
import type { Wallets } from "./distinct-wallets.ts"
import { type AnyFrame, bucketStart } from "./time-frame.ts"

/** Of a stretch of buckets without a hole; those without prints are not among the counts. */
export interface KnownWallets extends Stretch {
  readonly counts: ReadonlyMap<number, Wallets>
}

interface Kept extends KnownWallets {
  readonly counts: Map<number, Wallets>
}

/** Counts kept at most, some 100 bytes each: the series that was not asked for the longest goes. */
const MOST = 1 << 15
/** What a series costs beside its counts. */
const EACH = 8

const isAligned = (frame: AnyFrame, { from, to }: Stretch): boolean =>
  from < to && bucketStart(frame, from) === from && bucketStart(frame, to) === to

export class KeptWallets {
  private readonly most: number
  private readonly kept = new Map<string, Kept>()
  private held = 0
  /** the newest time known of; before `settled`, time went back, so nothing is over for good */
  private newest = 0
  private settled = 0

  constructor(most = MOST) {
    this.most = most
  }

  /** What is known of a stretch; null where nothing is. */
  of(name: string, { from, to }: Stretch): KnownWallets | null {
    const found = this.kept.get(name)
    if (found === undefined) return null
    const known = { from: Math.max(from, found.from), to: Math.min(to, found.to) }
    return known.from < known.to ? { ...known, counts: found.counts } : null
  }

  /** Keeps the counts of a stretch of buckets that are over, what was known of it included. */
  keep(
    name: string,
    frame: AnyFrame,
    over: Stretch,
    counts: Iterable<readonly [number, Wallets]>
  ): void {
    if (!isAligned(frame, over) || over.from < this.settled) return
    const before = this.kept.get(name)
    this.drop(name)
    const isNext = before !== undefined && over.from <= before.to && over.to >= before.from
    const all: Kept = {
      from: isNext ? Math.min(over.from, before.from) : over.from,
      to: isNext ? Math.max(over.to, before.to) : over.to,
      counts: isNext ? before.counts : new Map()
    }
    for (const [t, one] of counts) if (t >= over.from && t < over.to) all.counts.set(t, one)
    this.kept.set(name, all)
    this.held += all.counts.size + EACH
    for (const oldest of this.kept.keys()) {
      if (this.held <= this.most) break
      this.drop(oldest)
    }
  }

  private drop(name: string): void {
    const found = this.kept.get(name)
    if (found === undefined) return
    this.kept.delete(name)
    this.held -= found.counts.size + EACH
  }

  /** Answers are given as of this time, which the fold may have left behind. */
  answeredAt(time: number): void {
    this.newest = Math.max(this.newest, time)
  }

  /**
   * There is a block of this time. Where it is before another's, what was over is not: nothing in a
   * log says that time only rises.
   */
  reached(time: number): void {
    if (time >= this.newest) {
      this.newest = time
      return
    }
    this.forget()
    this.settled = this.newest
  }

  /** What was counted may be undone: nothing is known any more. */
  clear(): void {
    this.forget()
    this.newest = 0
    this.settled = 0
  }

  private forget(): void {
    this.kept.clear()
    this.held = 0
  }
}
