/** The progress of reading history: blocks done, blocks per second, and the time that is left. */
import type { BlockRange, Gap, HistoryStatus } from "../../streams/source.ts"

/** The rate is measured over about this time. */
const RATE_WINDOW_MS = 60_000
/** For so long without another block read, reading stands still: pieces may take a node long. */
const STILL_MS = 20_000

export class HistoryProgress {
  private readonly order: HistoryStatus["order"]
  private readonly whole: BlockRange
  private readonly total: number
  private samples: Array<{ readonly at: number; readonly done: number }> = []
  private done = 0
  /** when a block was read last, or a part was begun (ms since 1970); null while none is read */
  private readMs: number | null = null
  state: HistoryStatus["state"] = "reading"
  problem: string | null = null
  /** blocks that could not be read at the last attempt */
  unread: ReadonlyArray<Gap> = []

  constructor(order: HistoryStatus["order"], whole: BlockRange, total: number) {
    this.order = order
    this.whole = whole
    this.total = total
  }

  /** A part is begun: from now on nodes are asked. */
  begins(nowMs: number): void {
    this.readMs = nowMs
  }

  /** Nothing is asked for: what was read is placed, or the next try is waited for. */
  pauses(): void {
    this.readMs = null
  }

  /** Says for how long reading has stood still; null where it does not. */
  stillProblem(nowMs: number): string | null {
    if (this.readMs === null || nowMs - this.readMs < STILL_MS) return null
    const ms = nowMs - this.readMs
    return `no block of it could be read for ${Math.round(ms / 1000)} s: what is asked for is not answered`
  }

  /** Notes that `done` blocks of the total are read at the time `now`, in milliseconds. */
  at(done: number, now: number): void {
    const read = Math.min(this.total, done)
    if (read > this.done && this.readMs !== null) this.readMs = now
    this.done = read
    this.samples.push({ at: now, done: this.done })
    if (this.samples.length > 512) this.samples = this.samples.filter((_, i) => i % 2 === 0)
    const oldest = this.samples.findIndex(({ at }) => now - at <= RATE_WINDOW_MS)
    if (oldest > 0) this.samples = this.samples.slice(oldest)
  }

  /** The progress at a time, in milliseconds. */
  status(nowMs: number): HistoryStatus {
    const [first, last] = [this.samples[0], this.samples[this.samples.length - 1]]
    const ms = first === undefined || last === undefined ? 0 : last.at - first.at
    const read = (last?.done ?? 0) - (first?.done ?? 0)
    const rate = ms < 500 || read <= 0 ? null : (read * 1000) / ms
    const left = this.total - this.done
    return {
      order: this.order,
      state: this.state,
      ...this.whole,
      doneBlocks: this.done,
      totalBlocks: this.total,
      blocksPerSecond: rate === null ? null : Math.round(rate * 10) / 10,
      etaSeconds: this.state === "done" ? 0 : rate === null ? null : Math.ceil(left / rate),
      problem: this.problem ?? this.stillProblem(nowMs),
      unread: this.unread
    }
  }

  /** The progress as text, for a line of output. */
  text(nowMs: number): string {
    const { doneBlocks, totalBlocks, blocksPerSecond, etaSeconds } = this.status(nowMs)
    const share = totalBlocks === 0 ? 100 : (doneBlocks / totalBlocks) * 100
    const rate = blocksPerSecond === null ? "" : `, ${blocksPerSecond} blocks/s`
    const left = etaSeconds === null ? "" : `, ${etaSeconds} s left`
    return `${share.toFixed(1)} % of ${totalBlocks} blocks${rate}${left}`
  }
}
