/**
 * What a lane's worker tells, taken piece by piece: a port hands over all that has come at once,
 * and under a backfill that is more than readers should wait for. What waits is in order.
 */
import type { FromLane } from "./messages.ts"

/**
 * Answers and frames wait for nothing: they say their own positions, and come behind the id of the
 * log that these are of. A pulse is of the moment.
 */
const URGENT: ReadonlySet<FromLane["type"]> = new Set([
  ...(["answer", "history", "unanswered", "frames", "log", "pulse"] as const)
])
const isUrgent = ({ type }: FromLane): boolean => URGENT.has(type)

/** Pieces for copies of tables that are taken in one turn: some milliseconds' work. */
const PIECES_A_TURN = 3
/** Messages taken before their memory is given back. */
const KEPT = 256

export class LaneInbox {
  private readonly take: (message: FromLane) => void
  private waiting: Array<FromLane> = []
  private next = 0
  private isAwake = false
  private isClosed = false

  constructor(take: (message: FromLane) => void) {
    this.take = take
  }

  readonly receive = (message: FromLane): void => {
    if (this.isClosed) return
    if (isUrgent(message)) {
      this.take(message)
      return
    }
    this.waiting.push(message)
    if (this.isAwake) return
    this.isAwake = true
    setImmediate(this.step)
  }

  /** The worker is gone: what it told and was not taken is void. */
  close(): void {
    this.isClosed = true
    this.waiting = []
  }

  /** Some pieces a turn of the event loop; other messages are small and go along. */
  private readonly step = (): void => {
    for (let pieces = 0; pieces < PIECES_A_TURN; ) {
      const message = this.waiting[this.next++]
      if (message === undefined) {
        this.waiting = []
        this.next = 0
        this.isAwake = false
        return
      }
      this.take(message)
      if (message.type === "replica-rows") pieces++
    }
    if (this.next >= KEPT) {
      this.waiting = this.waiting.slice(this.next)
      this.next = 0
    }
    setImmediate(this.step)
  }
}
