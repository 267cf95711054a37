/**
 * Shares the serving thread among connections. uWebSockets hands over all requests of a received
 * buffer within one callback, and a buffer holds thousands of small pipelined ones: one client
 * could keep everybody else waiting for seconds. So the requests of one turn of the event loop get
 * a few milliseconds together, and those that come later wait for the turns that follow, in their
 * order. uWebSockets closes a connection that sends another request while one of its own waits.
 */

/** Milliseconds that the requests of one turn get. */
const TURN_MS = 10

export class Turns {
  /** milliseconds of a clock that only goes forward */
  private readonly now: () => number
  /** when the first request of this turn came, by that clock; null before it */
  private began: number | null = null
  private waiting: Array<() => void> = []
  private isScheduled = false

  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** Whether a request must wait: this turn's time is used up, or others wait already. */
  get isOver(): boolean {
    if (this.waiting.length > 0) return true
    const now = this.now()
    if (this.began !== null) return now - this.began > TURN_MS
    this.began = now
    this.schedule()
    return false
  }

  /** Runs work in a later turn, after what waits already; this turn may have had no request. */
  wait(work: () => void): void {
    this.waiting.push(work)
    this.schedule()
  }

  private schedule(): void {
    if (!this.isScheduled) setImmediate(this.next)
    this.isScheduled = true
  }

  private readonly next = (): void => {
    const { waiting } = this
    const began = this.now()
    let done = 0
    while (done < waiting.length && this.now() - began <= TURN_MS) waiting[done++]?.()
    this.waiting = waiting.slice(done)
    this.began = null
    this.isScheduled = false
    if (this.waiting.length > 0) this.schedule()
  }
}
