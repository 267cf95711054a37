/** A log in memory with the real codec: for tests of folds that need no nats-server. */
import { createHash } from "node:crypto"
import { Effect, Result, Stream } from "effect"
import type { ReadJoined } from "../../engine/log/read-joined.ts"
import {
  LOG_START,
  type LogPosition,
  type Segment,
  type SegmentHeader
} from "../../engine/log/segment.ts"
import type { LaneLog } from "../../engine/runner/lane-log.ts"
import { decodeSegment, encodeSegment } from "../../streams/codec/segment-codec.ts"
import type { BlockRef, Event } from "../../streams/event.ts"
import { batchOf } from "../../streams/event-objects.ts"

export class MemoryLog {
  readonly segments: Array<Segment> = []
  /** what `EventsJoined` may join: each append is a part */
  private beside: MemoryLog | null
  /** those who follow it and have all that there is */
  private readonly waiting = new Set<() => void>()

  constructor(side: MemoryLog | null = null) {
    this.beside = side
  }

  get end(): LogPosition {
    const last = this.segments[this.segments.length - 1]
    return last === undefined
      ? LOG_START
      : { seq: last.header.lastSeq, streamSeq: last.header.streamSeq, hash: last.header.hash }
  }

  /** `splicing`: where the rewriting began that goes on after it */
  append(events: ReadonlyArray<Event>, splicing: number | null = null): Segment {
    const bytes = encodeSegment(batchOf(events))
    const end = this.end
    const first = events[0]
    const last = events[events.length - 1]?.block
    const segment: Segment = {
      header: {
        chain: "base",
        firstSeq: end.seq + 1,
        lastSeq: end.seq + events.length,
        firstBlock: first?.block.number ?? 0,
        firstBlockHash: first?.block.hash ?? null,
        firstParentHash: first?.block.parentHash ?? null,
        lastBlock: last?.number ?? 0,
        lastBlockHash: last?.hash ?? null,
        lastParentHash: last?.parentHash ?? null,
        lastBlockTime: last?.time ?? 0,
        rollbackTo: first?.kind === "Rollback" ? first.toSeq : null,
        continues: false,
        splicing,
        previousHash: end.hash,
        hash: createHash("sha256").update(end.hash).update(bytes).digest("hex"),
        streamSeq: end.streamSeq + 1
      },
      batch: Result.getOrThrow(decodeSegment(bytes)),
      bytes: bytes.length
    }
    this.segments.push(segment)
    for (const wake of this.waiting) wake()
    return segment
  }

  /** the side log */
  get side(): MemoryLog {
    this.beside ??= new MemoryLog()
    return this.beside
  }

  readonly joined: ReadJoined = ({ firstSeq, lastSeq, hash }) => {
    const found = this.side.segments.filter(
      ({ header }) => header.firstSeq >= firstSeq && header.lastSeq <= lastSeq
    )
    return found.at(-1)?.header.hash === hash
      ? Effect.succeed(found.map(({ batch }) => batch))
      : Effect.die(`nothing ends at event ${lastSeq} with hash ${hash}`)
  }

  readonly read = (from: LogPosition): Stream.Stream<Segment> =>
    Stream.fromIterable(this.segments.slice(from.streamSeq))

  /** What stands after a position, then what is appended. */
  readonly follow = (from: LogPosition): Stream.Stream<Segment> => {
    let taken = from.streamSeq
    const next = Effect.callback<Segment>(resume => {
      const look = (): void => {
        const segment = this.segments[taken]
        if (segment === undefined) {
          this.waiting.add(look)
          return
        }
        this.waiting.delete(look)
        taken++
        resume(Effect.succeed(segment))
      }
      look()
      return Effect.sync(() => this.waiting.delete(look))
    })
    return Stream.fromEffectRepeat(next)
  }
}

/** A log in memory as a lane reads it. */
export const followedLog = (log: MemoryLog): LaneLog => ({
  end: Effect.sync(() => log.end),
  read: (from, { follow }) => (follow ? log.follow(from) : log.read(from)),
  joined: log.joined,
  hashAt: streamSeq => Effect.succeed(log.segments[streamSeq - 1]?.header.hash ?? null)
})

/** Takes back what follows a segment, before the first block of another branch. */
export const takingBack = (to: SegmentHeader, last: SegmentHeader, block: BlockRef): Event => ({
  ...{ kind: "Rollback", block, tx: null, logIndex: 0, toSeq: to.lastSeq, toBlock: to.lastBlock },
  ...{ toHash: to.lastBlockHash, fromBlock: last.lastBlock, reason: "reorg" }
})
