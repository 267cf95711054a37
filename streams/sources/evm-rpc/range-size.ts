/**
 * How many blocks to ask for at once. Grows while answers are small and come, halves when the
 * answer was too much, and no endpoint is asked for more than it takes: one that takes few blocks
 * holds nobody else down.
 */

/** Logs an answer should have: enough to be worth a call, few enough to hold several in memory. */
const TARGET_LOGS = 4000
const GROWTH = 2
/** Successes after which limits once met are tried again a little higher. */
const PROBE_AFTER = 50

export class RangeSize {
  /** blocks in the next range of an endpoint that takes them */
  blocks: number
  private readonly largest: number
  /** the most that an endpoint takes, by its label, where it refused more */
  private readonly ceilings = new Map<string, number>()
  private successes = 0

  constructor(first: number, largest: number) {
    this.blocks = Math.min(first, largest)
    this.largest = largest
  }

  /** Whether an endpoint takes a range of so many blocks, as far as is known. */
  takes(endpoint: string, blocks: number): boolean {
    return blocks <= this.ceilingOf(endpoint)
  }

  /** Blocks in the next range where these endpoints can be asked. */
  blocksOf(endpoints: ReadonlyArray<string>): number {
    const most = Math.max(1, ...endpoints.map(endpoint => this.ceilingOf(endpoint)))
    return Math.min(this.blocks, most)
  }

  /** A range of so many blocks was answered with so many logs. */
  answered(endpoint: string, blocks: number, logs: number): void {
    this.successes++
    if (this.successes % PROBE_AFTER === 0) {
      for (const [one, ceiling] of this.ceilings) {
        this.ceilings.set(one, ceiling + Math.ceil(ceiling / 8))
      }
    }
    const isLimited = this.ceilingOf(endpoint) < this.blocks
    // A short range at the end of the history says nothing about the next ones.
    if (logs <= TARGET_LOGS && (isLimited || blocks < this.blocks)) return
    const fitting = logs === 0 ? blocks * GROWTH : Math.floor((blocks * TARGET_LOGS) / logs)
    this.blocks = this.within(Math.min(blocks * GROWTH, fitting))
  }

  /** A range was too wide: `limit` is the widest that the endpoint takes, where it names one. */
  tooWide(endpoint: string, blocks: number, limit: number | undefined): void {
    const next = limit !== undefined && limit < blocks ? limit : Math.floor(blocks / 2)
    this.successes = 0
    this.ceilings.set(endpoint, Math.max(1, Math.min(this.ceilingOf(endpoint), next)))
  }

  /** A range held too many logs, or took too long. */
  tooMuch(blocks: number): void {
    this.successes = 0
    this.blocks = this.within(Math.min(this.blocks, Math.floor(blocks / 2)))
  }

  private ceilingOf(endpoint: string): number {
    return this.ceilings.get(endpoint) ?? this.largest
  }

  private within(blocks: number): number {
    return Math.max(1, Math.min(this.largest, blocks))
  }
}
