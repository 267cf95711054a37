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
  /** first and last block of its events */
  readonly firstBlock: number
  readonly lastBlock: number
  readonly lastBlockHash: string | null
  readonly lastBlockTime: number
  /** hash of the segment before, 64 zeros for the first; and of this one (hex, sha-256) */
  readonly previousHash: string
  readonly hash: string
  /** JetStream's own sequence of the message */
  readonly streamSeq: number
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
