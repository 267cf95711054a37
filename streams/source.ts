/**
 * What a source of events fulfils. A source turns facts outside into batches that end at block
 * boundaries, in order (block, transaction, log), each block closed by a `BlockSealed`. A reorg is
 * a batch whose first event is `Rollback` (its `toSeq` is filled in by the log). The engine
 * appends each batch as one segment before it pulls the next.
 */
import type { Stream } from "effect"
import { Schema } from "effect"
import type { EventBatch } from "./batch/batch.ts"

/** Where the log ends: what a source needs to continue it. */
export interface LogTail {
  /** the last sealed blocks, oldest first, at least down to the finality depth; empty if new */
  readonly blocks: ReadonlyArray<{ readonly number: number; readonly hash: string | null }>
  /** pools and tokens whose facts already stand in the log, lower-case addresses */
  readonly knownPools: ReadonlyArray<string>
  readonly knownTokens: ReadonlyArray<string>
}

export class SourceError extends Schema.TaggedError<SourceError>()("SourceError", {
  /** what was asked for, of whom, and what came back */
  message: Schema.String,
  /** true where trying again cannot help: the lane stops and shows the message */
  fatal: Schema.Boolean
}) {}

/** What `/status` tells of a source; counters since start. */
export interface SourceStatus {
  readonly kind: "evm-rpc" | "file" | "devchain"
  /** RPC hosts without credentials, file names, or the devchain's description */
  readonly description: string
  /** `starting`, `backfill`, `live`, `retrying` (with `problem`), `ended`, `stopped` */
  readonly state: "starting" | "backfill" | "live" | "retrying" | "ended" | "stopped"
  readonly problem: string | null
  /** newest block the source has heard of, and the newest it has emitted */
  readonly headBlock: number | null
  readonly emittedBlock: number | null
  readonly logs: number
  readonly quarantined: number
  readonly retries: number
  readonly reorgs: number
}

export interface Source {
  /** never ends for a live source; ends after the last block for a file */
  readonly batches: (tail: LogTail) => Stream.Stream<EventBatch, SourceError>
  readonly status: () => SourceStatus
}
