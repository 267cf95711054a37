/**
 * How many blocks to ask for at once. Grows while answers are small and come, halves when the
 * node says no, and never goes above a limit that the node named.
 */

/** Logs an answer should have: enough to be worth a call, few enough to hold several in memory. */
const TARGET_LOGS = 4000
const GROWTH = 2
/** Successes after which a limit once met is tried again a little higher. */
const PROBE_AFTER = 50

export class RangeSize {
  /** blocks in the next range */
  blocks: number
  private ceiling: number
  private successes = 0

  constructor(first: number, largest: number) {
    this.blocks = Math.min(first, largest)
    this.ceiling = largest
  }

  /** A range of so many blocks was answered with so many logs. */
  answered(blocks: number, logs: number): void {
    this.successes++
    if (this.successes % PROBE_AFTER === 0) this.ceiling += Math.ceil(this.ceiling / 8)
    // A short range at the end of the history says nothing about the next ones.
    if (blocks < this.blocks) return
    const fitting = logs === 0 ? blocks * GROWTH : Math.floor((blocks * TARGET_LOGS) / logs)
    this.blocks = this.within(Math.min(blocks * GROWTH, fitting))
  }

  /** A range was too wide: `limit` is the widest that the node takes, where it names one. */
  tooWide(blocks: number, limit: number | undefined): void {
    const next = limit !== undefined && limit < blocks ? limit : Math.floor(blocks / 2)
    this.ceiling = Math.max(1, Math.min(this.ceiling, limit === next ? limit : blocks - 1))
    this.shrink(next)
  }

  /** A range held too many logs, or took too long. */
  tooMuch(blocks: number): void {
    this.shrink(Math.floor(blocks / 2))
  }

  private shrink(blocks: number): void {
    this.successes = 0
    this.blocks = this.within(Math.min(this.blocks, blocks))
  }

  private within(blocks: number): number {
    return Math.max(1, Math.min(this.ceiling, blocks))
  }
}
