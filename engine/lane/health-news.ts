/**
 * When a lane's health is worth a line of the log: once when trouble begins, once when it ends, and
 * at growing intervals while it lasts or comes back again and again.
 */
import type { LaneHealth, Part } from "./lane-health.ts"

/** Trouble that lasts gets another line after this, then after twice as long, up to the longest. */
const FIRST_PAUSE_MS = 60_000
const LONGEST_PAUSE_MS = 3_600_000
/** Trouble that comes back is passed over for no longer than that. */
const UNTOLD_MS = 10_000

export interface HealthLine {
  readonly isTrouble: boolean
  readonly text: string
}

/** What was said of trouble of one part. */
interface Said {
  nextMs: number
  pauseMs: number
}

const lasted = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

export class HealthNews {
  private readonly chain: string
  private readonly said = new Map<Part, Said>()
  /** the part whose trouble was told and is not over */
  private told: Part | null = null
  private sinceMs = 0
  /** since when there has been trouble of any part; null while there is none */
  private beganMs: number | null = null

  constructor(chain: string) {
    this.chain = chain
  }

  /** The line that is due; null where none is. */
  next(health: LaneHealth, nowMs: number): HealthLine | null {
    const { part, ok, problem } = health
    if (part !== null) return this.trouble(part, problem ?? "", nowMs)
    if (!ok) return null
    this.beganMs = null
    if (this.told === null) return null
    this.told = null
    const text = `${this.chain}: well again after ${lasted(nowMs - this.sinceMs)}`
    return { isTrouble: false, text }
  }

  private trouble(part: Part, problem: string, nowMs: number): HealthLine | null {
    const said = this.said.get(part)
    // what was well for longer than the next line would have waited is news again
    const isNew = said === undefined || nowMs > said.nextMs + said.pauseMs
    const next = isNew ? { nextMs: 0, pauseMs: FIRST_PAUSE_MS } : said
    this.beganMs ??= nowMs
    const isOverdue = this.told === null && nowMs - this.beganMs >= UNTOLD_MS
    if (nowMs < next.nextMs && !isOverdue) return null
    if (this.told === null) this.sinceMs = this.beganMs
    this.told = part
    this.said.set(part, {
      nextMs: nowMs + next.pauseMs,
      pauseMs: Math.min(LONGEST_PAUSE_MS, next.pauseMs * 2)
    })
    return { isTrouble: true, text: `${this.chain}: ${problem}` }
  }
}
