/** What the tape writer needs of whoever decodes logs. */
import type { BatchBuilder } from "../batch/builder.ts"
import type { RawLog } from "./raw-log.ts"

/**
 * Of an operation of an account: its bundle's begin, its end, or told by who is not believed.
 * `apart`: of none, and none is kept for its sake.
 */
export type OperationLog = "begin" | "end" | "foreign" | "apart"

export interface LogDecoder {
  /** true where topic0 is one that a venue kind decodes */
  readonly watches: (log: RawLog) => boolean
  /** pushes events, none where the log before told the same, and returns null; else returns why */
  readonly decode: (log: RawLog, out: BatchBuilder) => string | null
  /** what the log tells of accounts' operations; null where it tells something else */
  readonly operation?: (log: RawLog) => OperationLog | null
  /** tokens that the log of a swap names itself; absent: none does */
  readonly tokensOf?: (log: RawLog) => ReadonlyArray<string>
  /** the pool that a log names itself, of a contract that holds all pools; absent: none does */
  readonly poolOf?: (log: RawLog) => string | null
  /** whether the newest `PoolCreated` is a factory's that the chain's list has: anybody can log
   *  that a pool is his. Absent: it is */
  readonly isListed?: (out: BatchBuilder) => boolean
}
