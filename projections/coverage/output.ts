/** The output of coverage: what the folded log says of itself. */
import type { OutputKey } from "../../engine/query.ts"
import type { GapMark } from "../../streams/open-gaps.ts"
import type { BlockRange, HashesFit } from "../../streams/source.ts"
import type { SaidMarks } from "./log-marks.ts"

/** A `TokenPinned` (`reach` null), `TokenUnpinned` (`UNPINNED`) or `TransfersFilled`. */
export interface SaidPin extends BlockRange {
  readonly token: string
  readonly reach: string | null
  readonly at: number
  /** the lowest grade of the blocks; null for a pin, and in older logs, which do not say */
  readonly grade: string | null
}

/**
 * An `EventsJoined`: the last seq of the side log that it joins; `at` is the block of the event.
 */
export interface SaidJoin {
  readonly lastSeq: number
  readonly at: number
}

/** A stretch in which `blocks` blocks have a grade that proves nothing. */
export interface SaidWords extends BlockRange {
  readonly grade: string
  readonly blocks: number
}

/** A `LogQuarantined`; of Solana also a swap that the balances of its vaults contradict. */
export interface QuarantinedLog {
  readonly block: number
  /** Unix seconds */
  readonly time: number
  /** null of a log that belongs to the block alone */
  readonly tx: string | null
  /** who logged it; of Solana the program */
  readonly account: string
  readonly reason: string
}

export interface Coverage {
  /** number of events by kind */
  readonly events: () => ArrayLike<number>
  /** logs that were not read, by `quarantineKind`, in the order in which kinds came */
  readonly quarantined: () => ReadonlyArray<{ readonly reason: string; readonly count: number }>
  /** the newest of them with their reasons in full, newest first */
  readonly quarantinedLogs: () => ReadonlyArray<QuarantinedLog>
  /** all gaps found and filled */
  readonly gaps: () => ReadonlyArray<GapMark>
  /** where the log begins and what it lacks; one object until something else is said */
  readonly said: () => SaidMarks
  readonly pins: () => ReadonlyArray<SaidPin>
  readonly joins: () => ReadonlyArray<SaidJoin>
  /** runs of blocks that are less than proven, by their first block */
  readonly words: () => ReadonlyArray<SaidWords>
  /** what blocks of the log have shown of how the chain hashes */
  readonly fits: () => HashesFit
}

export const coverageOutput: OutputKey<Coverage> = { name: "coverage" }
