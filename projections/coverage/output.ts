/** The output of coverage: what the folded log says of itself. */
import type { OutputKey } from "../../engine/query.ts"
import type { Gap } from "../../streams/source.ts"
import type { SaidMarks } from "./log-marks.ts"

/** Both blocks included. */
interface Blocks {
  readonly fromBlock: number
  readonly toBlock: number
}

/** A `GapFound` (`open`, with its reason) or `GapFilled`; `at` is the block of the event. */
export interface SaidGap extends Blocks {
  readonly open: boolean
  readonly reason: string | null
  readonly at: number
}

/** A `TokenPinned` (`reach` null), `TokenUnpinned` (`UNPINNED`) or `TransfersFilled`. */
export interface SaidPin extends Blocks {
  readonly token: string
  readonly reach: string | null
  readonly at: number
}

/**
 * An `EventsJoined`: the last seq of the side log that it joins; `at` is the block of the event.
 */
export interface SaidJoin {
  readonly lastSeq: number
  readonly at: number
}

/** A stretch in which `blocks` blocks have a grade that proves nothing. */
export interface SaidWords extends Blocks {
  readonly grade: string
  readonly blocks: number
}

/** What the log says of the time that it covers, each gap with its reason. */
export interface SaidGaps extends SaidMarks {
  readonly open: ReadonlyArray<Gap>
}

export interface Coverage {
  /** number of events by kind */
  readonly events: () => ArrayLike<number>
  /** logs that could not be decoded, by reason, in the order in which reasons came */
  readonly quarantined: () => ReadonlyArray<{ readonly reason: string; readonly count: number }>
  /** all gaps found and filled; it returns one list until a further event comes */
  readonly gaps: () => ReadonlyArray<SaidGap>
  /** where the log begins and what it lacks; one object until something else is said */
  readonly said: () => SaidGaps
  readonly pins: () => ReadonlyArray<SaidPin>
  readonly joins: () => ReadonlyArray<SaidJoin>
  /** runs of blocks that are less than proven, by their first block */
  readonly words: () => ReadonlyArray<SaidWords>
}

export const coverageOutput: OutputKey<Coverage> = { name: "coverage" }
