/** A log in memory with the real codec: for tests of folds that need no nats-server. */
import { createHash } from "node:crypto"
import { Result, Stream } from "effect"
import { LOG_START, type LogPosition, type Segment } from "../../engine/log/segment.ts"
import { decodeSegment, encodeSegment } from "../../streams/codec/segment-codec.ts"
import type { Event } from "../../streams/event.ts"
import { batchOf } from "../../streams/event-objects.ts"

export class MemoryLog {
  readonly segments: Array<Segment> = []

  get end(): LogPosition {
    const last = this.segments[this.segments.length - 1]
    return last === undefined
      ? LOG_START
      : { seq: last.header.lastSeq, streamSeq: last.header.streamSeq, hash: last.header.hash }
  }

  append(events: ReadonlyArray<Event>): Segment {
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
        splicing: null,
        previousHash: end.hash,
        hash: createHash("sha256").update(end.hash).update(bytes).digest("hex"),
        streamSeq: end.streamSeq + 1
      },
      batch: Result.getOrThrow(decodeSegment(bytes)),
      bytes: bytes.length
    }
    this.segments.push(segment)
    return segment
  }

  readonly read = (from: LogPosition): Stream.Stream<Segment> =>
    Stream.fromIterable(this.segments.slice(from.streamSeq))
}
