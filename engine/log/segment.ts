/**
 * A segment as it stands in the log: its place, its chain of hashes and its events. `seq` counts
 * the events of a lane from 1 without holes; it is the position users see (`X-Log-Seq`).
 */
import type { EventBatch } from "../../streams/batch/batch.ts"

export interface SegmentHeader {
  readonly chain: string
  /** seq of its first and last event */
  readonly firstSeq: number
  readonly lastSeq: number
  /** first and last block of its events; a `Rollback` counts only where there is nothing else */
  readonly firstBlock: number
  readonly firstBlockHash: string | null
  readonly firstParentHash: string | null
  readonly lastBlock: number
  readonly lastBlockHash: string | null
  readonly lastParentHash: string | null
  /** Unix seconds */
  readonly lastBlockTime: number
  /** `toSeq` of the `Rollback` that is its first event; null where it begins with none */
  readonly rollbackTo: number | null
  /** its last block was too large for one message and goes on in the next segment */
  readonly continues: boolean
  /** seq of the `Rollback` with which blocks began to be put in their place, where that goes on in
   *  the next segment; null where it does not */
  readonly splicing: number | null
  /** hash of the segment before, 64 zeros for the first; and of this one (hex, sha-256) */
  readonly previousHash: string
  readonly hash: string
  /** JetStream's own sequence of the message */
  readonly streamSeq: number
}

/** A segment before its events are decoded. */
export interface RawSegment {
  readonly header: SegmentHeader
  readonly payload: Uint8Array
}

export interface Segment {
  readonly header: SegmentHeader
  readonly batch: EventBatch
  /** size of the encoded events */
  readonly bytes: number
}

/** The place after which to read: seq 0 is before the first event. */
export interface LogPosition {
  readonly seq: number
  readonly streamSeq: number
  /** hash of the segment that ends at `seq` */
  readonly hash: string
}

export const LOG_START: LogPosition = { seq: 0, streamSeq: 0, hash: "0".repeat(64) }

/** The place where a segment ends. */
export const endOf = ({ lastSeq, streamSeq, hash }: SegmentHeader): LogPosition => ({
  seq: lastSeq,
  streamSeq,
  hash
})

/** The place where a segment begins. */
export const startOf = ({ firstSeq, streamSeq, previousHash }: SegmentHeader): LogPosition => ({
  seq: firstSeq - 1,
  streamSeq: streamSeq - 1,
  hash: previousHash
})
