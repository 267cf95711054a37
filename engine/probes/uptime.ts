/** Folds records of probes into days: how long was measured, and how long all was well. */
import type { ProbeRecord } from "./probe-record.ts"

/** Seconds of a UTC day in which something was measured, and of those in which it was well. */
export interface Measured {
  readonly measuredS: number
  readonly okS: number
}

export interface UptimeDay extends Measured {
  /** Unix seconds of the day's start */
  readonly day: number
  readonly chains: ReadonlyArray<Measured & { readonly chain: string }>
}

export interface Uptime {
  /** Unix seconds of the first probe */
  readonly since: number
  /** Unix seconds of the newest probe that is in the log */
  readonly until: number
  /** the newest days with a probe, oldest first */
  readonly days: ReadonlyArray<UptimeDay>
}

const DAY = 86_400

interface Sum {
  measuredS: number
  okS: number
}

interface DaySum extends Sum {
  readonly day: number
  readonly chains: Map<string, Sum>
}

const add = (sum: Sum, every: number, probes: number, ok: number): void => {
  sum.measuredS += every * probes
  sum.okS += every * ok
}

export class UptimeBook {
  private readonly days = new Map<number, DaySum>()
  private readonly mostDays: number
  private since: number | null = null
  private until = 0

  /** Keeps so many of the newest days. */
  constructor(mostDays: number) {
    this.mostDays = mostDays
  }

  apply({ from, to, every, probes, answered, chains }: ProbeRecord): void {
    this.since = Math.min(this.since ?? from, from)
    this.until = Math.max(this.until, to)
    const sum = this.dayOf(from - (from % DAY))
    add(sum, every, probes, answered)
    for (const [chain, counts] of Object.entries(chains)) {
      const ofChain = sum.chains.get(chain) ?? { measuredS: 0, okS: 0 }
      add(ofChain, every, counts.probes, counts.ok)
      sum.chains.set(chain, ofChain)
    }
  }

  /** Returns what is known; null before the first record. */
  told(): Uptime | null {
    if (this.since === null) return null
    const days = [...this.days.values()].sort((a, b) => a.day - b.day)
    return {
      since: this.since,
      until: this.until,
      days: days.map(({ day, measuredS, okS, chains }) => ({
        ...{ day, measuredS, okS },
        chains: [...chains]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([chain, of]) => ({
            chain,
            ...of
          }))
      }))
    }
  }

  private dayOf(day: number): DaySum {
    const before = this.days.get(day)
    if (before !== undefined) return before
    const made = { day, measuredS: 0, okS: 0, chains: new Map<string, Sum>() }
    this.days.set(day, made)
    if (this.days.size > this.mostDays) this.days.delete(Math.min(...this.days.keys()))
    return made
  }
}
