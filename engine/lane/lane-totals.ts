/**
 * What a lane has done since the process began, in numbers that only grow. What its tables tell
 * goes back at a rollback; what its source tells is of all sources since then (`sinceStart`).
 */
import type { SourceStatus } from "../../streams/source.ts"
import type { LogCheck } from "./log-check.ts"
import type { LaneStatus } from "./status.ts"

export interface CallTotals {
  readonly endpoint: string
  readonly method: string
  readonly calls: number
  readonly errors: number
}

/** Swaps by what balances of their vaults say of them. */
export interface CheckedTotals {
  readonly ok: number
  readonly bad: number
  readonly unchecked: number
}

const VERDICTS = ["ok", "bad", "unchecked"] as const

export interface LaneTotals {
  readonly events: number
  readonly swaps: number
  readonly quarantined: ReadonlyArray<{ readonly reason: string; readonly count: number }>
  /** null where swaps are not checked so */
  readonly checked: CheckedTotals | null
  readonly reorgs: number
  readonly retries: number
  readonly calls: ReadonlyArray<CallTotals>
  /** questions to the lane's thread that wait for their answers now */
  readonly waiting: number
  /** null where nobody looks through the log */
  readonly logCheck: LogCheck | null
}

/** A counter that takes what a value grew by, and nothing of what it went back. */
class Growth {
  total = 0
  private last = 0

  see(value: number): void {
    if (value > this.last) this.total += value - this.last
    this.last = value
  }
}

interface Calls {
  readonly endpoint: string
  readonly method: string
  readonly calls: Growth
  readonly errors: Growth
}

export class Totals {
  private readonly events = new Growth()
  private readonly swaps = new Growth()
  private readonly quarantined = new Map<string, Growth>()
  private readonly checked = { ok: new Growth(), bad: new Growth(), unchecked: new Growth() }
  private isChecked = false
  private readonly reorgs = new Growth()
  private readonly retries = new Growth()
  private readonly calls = new Map<string, Calls>()

  /** A status without `assurance` is of tables that do not tell yet: it counts nothing. */
  seeLane({ assurance, events, swaps, quarantined }: LaneStatus): void {
    if (assurance === null) return
    this.events.see(events)
    this.swaps.see(swaps)
    for (const { reason, count } of quarantined) {
      const growth = this.quarantined.get(reason) ?? new Growth()
      this.quarantined.set(reason, growth)
      growth.see(count)
    }
  }

  seeSource({ reorgs, retries, endpoints, decode }: SourceStatus): void {
    const venues = decode?.venues ?? []
    this.isChecked ||= venues.length > 0
    for (const verdict of VERDICTS) {
      this.checked[verdict].see(venues.reduce((sum, venue) => sum + venue[verdict], 0))
    }
    this.reorgs.see(reorgs)
    this.retries.see(retries)
    // one node may be asked in two ways, as over HTTP and a WebSocket
    const sums = new Map<Calls, { calls: number; errors: number }>()
    for (const { endpoint, methods } of endpoints) {
      for (const { method, calls, errors } of methods) {
        const known = this.callsOf(endpoint, method)
        const sum = sums.get(known) ?? { calls: 0, errors: 0 }
        sums.set(known, { calls: sum.calls + calls, errors: sum.errors + errors })
      }
    }
    for (const [known, { calls, errors }] of sums) {
      known.calls.see(calls)
      known.errors.see(errors)
    }
  }

  read(): Omit<LaneTotals, "waiting" | "logCheck"> {
    const { ok, bad, unchecked } = this.checked
    return {
      events: this.events.total,
      swaps: this.swaps.total,
      quarantined: [...this.quarantined].map(([reason, { total }]) => ({ reason, count: total })),
      checked: this.isChecked ? { ok: ok.total, bad: bad.total, unchecked: unchecked.total } : null,
      reorgs: this.reorgs.total,
      retries: this.retries.total,
      calls: [...this.calls.values()].map(({ endpoint, method, calls, errors }) => ({
        endpoint,
        method,
        calls: calls.total,
        errors: errors.total
      }))
    }
  }

  private callsOf(endpoint: string, method: string): Calls {
    const key = `${endpoint} ${method}`
    const known = this.calls.get(key)
    if (known !== undefined) return known
    const made: Calls = { endpoint, method, calls: new Growth(), errors: new Growth() }
    this.calls.set(key, made)
    return made
  }
}
