/** When a lane commits what it has folded. */

/** A commit holds at most so many events, and comes after so many milliseconds at the latest. */
const MOST_EVENTS = 400_000
const LATEST_MS = 1000
/**
 * The limit of a lane that is further behind than such a commit and that nobody reads: a row is
 * written once a commit, however often it changed, so rare commits write less.
 */
const FAR_LATEST_MS = 40_000
/** A commit comes so many milliseconds after somebody began to wait for it. */
const AWAITED_MS = 100
/**
 * For so many milliseconds after a question readers count as there: what memory does not hold they
 * read in the tables, which a rare commit would leave seconds behind.
 */
const READ_LATELY_MS = 5000

/**
 * Share of what memory holds that is committed at once while somebody reads. What memory no longer
 * holds is then committed, and read without a wait, unless more is folded while that is written.
 */
const HELD_SHARE = 0.5

export interface CommitFacts {
  /** folded since the last commit */
  readonly events: number
  /** since the first of them was folded */
  readonly sinceMs: number
  /** whether more can be folded at once */
  readonly hasMore: boolean
  /** events from what is folded to the log's end */
  readonly behind: number
  /** events from what is folded to where the log ended when the lane began; negative behind it */
  readonly left: number
  /** events that are folded again at most while readers wait */
  readonly inPlaceEvents: number
  /** events that the lane's memory lets a commit hold */
  readonly roomEvents: number
  /** events up to what is folded of which memory holds all rows that it keeps of tables */
  readonly held: number
  /** whether somebody waits for the commit */
  readonly isAwaited: boolean
  /** since the last question of a reader; infinite where there was none */
  readonly unreadMs: number
}

/** Whether the log's end is further away than one commit. */
export const isFar = (behind: number): boolean => behind > MOST_EVENTS

/** Whether the log's end as it was at the beginning is near, so that commits become small. */
export const isNearEnd = (left: number): boolean => left > 0 && left < MOST_EVENTS / 4

/**
 * The events that a commit holds at most. Towards where the log ended at the beginning commits
 * become smaller, each at most as large as what is left: a fork near that end is then never much
 * nearer to it than a commit, and is gone back to in place. That costs some seven small commits.
 */
const mostEvents = (facts: CommitFacts, isRare: boolean): number => {
  const { left, inPlaceEvents, roomEvents, held, unreadMs } = facts
  const limit = isRare ? roomEvents : Math.min(MOST_EVENTS, roomEvents)
  const usual = unreadMs > READ_LATELY_MS ? limit : Math.min(limit, held * HELD_SHARE)
  return left <= 0 ? usual : Math.min(usual, Math.max(left, inPlaceEvents / 4))
}

/**
 * Whether to commit now. At the head of the log: at once, for the reader's sake. Behind it: in
 * large commits, because DuckDB writes those straight to their place.
 */
export const isCommitDue = (facts: CommitFacts): boolean => {
  const isRare = isFar(facts.behind) && facts.unreadMs > READ_LATELY_MS
  const latestMs = facts.isAwaited ? AWAITED_MS : isRare ? FAR_LATEST_MS : LATEST_MS
  // of a clock that was set back nobody knows how long ago it was
  const isLate = facts.sinceMs < 0 || facts.sinceMs >= latestMs
  return !facts.hasMore || isLate || facts.events >= mostEvents(facts, isRare)
}
