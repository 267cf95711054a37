/** Makes records of probes: one for each few minutes, and one at once where an outcome changes. */
import type { ProbeCounts, ProbeRecord } from "./probe-record.ts"

/** What one probe found. */
export interface Probe {
  /** Unix seconds */
  readonly at: number
  /** whether each chain is well, by key; null where the service did not answer in time */
  readonly chains: ReadonlyMap<string, boolean> | null
}

/** Seconds of one record at most: so late an unchanged outcome is known to readers. */
const LONGEST_S = 300
const DAY = 86_400

/** Two probes with one name found the same. */
const outcomeOf = ({ chains }: Probe): string =>
  chains === null ? "silent" : JSON.stringify([...chains].sort())

const dayOf = (at: number): number => Math.floor(at / DAY)

interface Open {
  readonly outcome: string
  record: ProbeRecord
}

export class Tally {
  private readonly every: number
  private open: Open | null = null
  /** outcome of the newest record that was given out */
  private told = ""
  /** chains of the newest answer */
  private known: ReadonlyArray<string> = []

  /** `every`: seconds between two probes */
  constructor(every: number) {
    this.every = every
  }

  /** Takes a probe, not older than those before. Returns the records that are whole with it. */
  add(probe: Probe): ReadonlyArray<ProbeRecord> {
    const whole: Array<ProbeRecord> = []
    const outcome = outcomeOf(probe)
    const { open } = this
    if (open !== null && (open.outcome !== outcome || dayOf(open.record.from) !== dayOf(probe.at)))
      whole.push(...this.flush())
    if (probe.chains !== null) this.known = [...probe.chains.keys()]
    this.take(probe, outcome)
    const { record } = this.open as unknown as Open
    const isNews = outcome !== this.told
    if (isNews || record.to - record.from >= LONGEST_S - this.every) whole.push(...this.flush())
    return whole
  }

  /** Returns what no record was made of yet. */
  flush(): ReadonlyArray<ProbeRecord> {
    const { open } = this
    if (open === null) return []
    this.open = null
    this.told = open.outcome
    return [open.record]
  }

  private take({ at, chains }: Probe, outcome: string): void {
    const before = this.open?.record
    const counts = (key: string): ProbeCounts => before?.chains[key] ?? { probes: 0, ok: 0 }
    const added = this.known.map(key => {
      const { probes, ok } = counts(key)
      return [key, { probes: probes + 1, ok: ok + (chains?.get(key) === true ? 1 : 0) }] as const
    })
    const record: ProbeRecord = {
      kind: "ProbesTaken",
      from: before?.from ?? at,
      to: at,
      every: this.every,
      probes: (before?.probes ?? 0) + 1,
      answered: (before?.answered ?? 0) + (chains === null ? 0 : 1),
      chains: Object.fromEntries(added)
    }
    this.open = { outcome, record }
  }
}
