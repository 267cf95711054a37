/**
 * Counts requests together with other nodes that serve the same log. Ten times a second each node
 * tells the others what it let through since, in one note, and adds what they tell to its own
 * counts; no request waits for that. So a caller who is served by several nodes gets more than the
 * limit by what the others serve it within that tenth of a second and the note's way: where all of
 * a minute comes in one such moment, at most the limit of each node. A note that is lost, as while
 * the store is away, lets its requests through as if they had not been.
 */
import { Option, Schema } from "effect"
import { BUCKETS, type BucketName } from "../../src/rules/plans.ts"
import type { CallerId, CountedMore, RateLimiter } from "./rate-limiter.ts"

/** Milliseconds between two notes. */
export const TELL_MS = 100
/** Callers of one note: more of them go in several, each far below what a server takes. */
const CALLERS_A_NOTE = 10_000

const Note = Schema.Struct({
  node: Schema.String,
  /** Unix second at which the window ends */
  end: Schema.Int,
  counts: Schema.Array(
    Schema.Tuple([
      Schema.Literals(BUCKETS),
      Schema.Union([Schema.Int, Schema.String]),
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 }))
    ])
  )
})
type Note = typeof Note.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Note))
const encoder = new TextEncoder()
const decoder = new TextDecoder()

export class SharedCounts {
  private readonly limiter: RateLimiter
  /** what tells the notes of this process from those of others */
  private readonly node: string
  private end = 0
  private number = 0
  private readonly untold = new Map<BucketName, Map<CallerId, number>>()

  constructor(limiter: RateLimiter, node: string) {
    this.limiter = limiter
    this.node = node
    limiter.onTaken = (windowEnd, bucket, caller) => this.taken(windowEnd, bucket, caller)
  }

  /** Tells what was let through since the last time; nothing where nothing was. */
  tell(put: (key: string, note: Uint8Array) => void): void {
    const counts = [...this.untold].flatMap(([bucket, callers]) =>
      [...callers].map(([caller, requests]) => [bucket, caller, requests] as const)
    )
    this.untold.clear()
    for (let from = 0; from < counts.length; from += CALLERS_A_NOTE) {
      const some = counts.slice(from, from + CALLERS_A_NOTE)
      const note: Note = { node: this.node, end: this.end, counts: some }
      put(`${this.node}.${++this.number}`, encoder.encode(JSON.stringify(note)))
    }
  }

  /** Adds what another node tells; its own notes come by, too. */
  receive(bytes: Uint8Array): void {
    const note = Option.getOrNull(decode(decoder.decode(bytes)))
    if (note === null || note.node === this.node) return
    const more = note.counts.map(
      ([bucket, caller, requests]): CountedMore => ({ bucket, caller, requests })
    )
    this.limiter.add(note.end, more)
  }

  private taken(windowEnd: number, bucket: BucketName, caller: CallerId): void {
    // What belongs to a window before is of no use to anybody.
    if (windowEnd !== this.end) this.untold.clear()
    this.end = windowEnd
    const callers = this.untold.get(bucket) ?? new Map<CallerId, number>()
    callers.set(caller, (callers.get(caller) ?? 0) + 1)
    this.untold.set(bucket, callers)
  }
}
