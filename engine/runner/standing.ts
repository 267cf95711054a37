/**
 * Where a lane stands: what is committed, what is being committed, and what is folded beyond both.
 * Nobody changes it but by the functions below.
 *
 * The folds may be looked at between two segments, committed or not. What is folded the log has, so
 * it is as true as a commit. They may not be looked at within a segment, whose blocks would be half
 * there, nor while a rollback is under way.
 */
import { Effect } from "effect"
import { nextTurn } from "../../src/platform/turn.ts"
import type { Commit } from "../store/store.ts"
import type { Signal } from "./signal.ts"

/**
 * What is waited for: `folds` that stand, `tables` that are as far as folds that stand, or tables
 * that have reached a position, wherever the folds are.
 */
export type Wanted = "folds" | "tables" | number

/** Somebody who waits to look. */
export interface Waiting {
  readonly look: () => void
  readonly wanted: Wanted
}

export class Standing {
  private at: {
    readonly committed: Commit
    readonly sealed: Commit | null
    readonly pending: Commit | null
  }
  private isFolding = false
  private isSealedTold = false
  private isClosed = false
  private tookBack = 0
  private tookBackBlocks: number | null = null
  readonly waiting: Array<Waiting> = []
  /** rung after each commit, and whenever nothing is pending any more */
  readonly changed: Signal

  constructor(committed: Commit, changed: Signal) {
    this.at = { committed, sealed: null, pending: null }
    this.changed = changed
  }

  /** the newest commit */
  get committed(): Commit {
    return this.at.committed
  }

  /** what is being committed; null where nothing is */
  get sealed(): Commit | null {
    return this.at.sealed
  }

  /** the newest position that readers were told of: tables have it, or soon have */
  get told(): Commit {
    const { sealed, committed } = this.at
    return this.isSealedTold && sealed !== null ? sealed : committed
  }

  /** what is folded and belongs to no commit yet; null where nothing is */
  get pending(): Commit | null {
    return this.at.pending
  }

  /** the newest position that is folded */
  get folded(): Commit {
    return this.at.pending ?? this.at.sealed ?? this.at.committed
  }

  /** whether somebody waits for more than the commit that is under way will bring */
  get isCommitAwaited(): boolean {
    const { seq } = this.at.sealed ?? this.at.committed
    return this.waiting.some(({ wanted }) => typeof wanted !== "number" || wanted > seq)
  }

  /** whether somebody waits for folds or tables that stand, which more folding puts off */
  get isStandAwaited(): boolean {
    return this.waiting.some(({ wanted }) => typeof wanted !== "number")
  }

  /** whether the folds are within a segment, or between two branches */
  get folding(): boolean {
    return this.isFolding
  }

  /** whether the tables are closed */
  get closed(): boolean {
    return this.isClosed
  }

  /** rollbacks since the process began */
  get rollbacks(): number {
    return this.tookBack
  }

  /** depth in blocks of the last rollback; null where there was none */
  get lastRollbackDepth(): number | null {
    return this.tookBackBlocks
  }

  /** A segment begins to be folded, after which the folds stand at `end`. */
  foldingTo(end: Commit): void {
    this.isFolding = true
    this.at = { ...this.at, pending: end }
  }

  /** The folds stand where `foldingTo` said. */
  foldingEnded(): void {
    this.isFolding = false
  }

  /** All that is folded up to `end` belongs to a commit that begins. */
  commitBegan(end: Commit): void {
    this.isSealedTold = false
    this.at = { ...this.at, sealed: end, pending: null }
    this.changed.ring()
  }

  /** Readers are told of what is being committed, which the log has. */
  sealedTold(): void {
    this.isSealedTold = true
  }

  /** The commit that began is durable. */
  commitEnded(): void {
    const { sealed, committed, pending } = this.at
    this.at = { committed: sealed ?? committed, sealed: null, pending }
    this.changed.ring()
  }

  /** The log holds no more than this of what was committed. */
  wentBackTo(committed: Commit): void {
    this.at = { committed, sealed: null, pending: null }
    this.changed.ring()
  }

  /** The tables are closed: who waits for a position of theirs need not, and hears it of them. */
  close(): void {
    this.isClosed = true
    for (const { look } of this.waiting.splice(0)) look()
  }

  /** A rollback of so many blocks is folded. */
  rolledBack(blocks: number): void {
    this.tookBack++
    this.tookBackBlocks = blocks
  }
}

/** The position at which what is wanted is there; null while it is not. */
const standsAt = (standing: Standing, wanted: Wanted): Commit | null => {
  const { folding, folded, committed, closed } = standing
  if (typeof wanted === "number" && (closed || committed.seq >= wanted)) return committed
  return folding || (wanted !== "folds" && folded !== committed) ? null : folded
}

/** Runs `look` while what is wanted is there: now, or as soon as it is. */
export const whenStanding = <A>(
  standing: Standing,
  wanted: Wanted,
  look: (at: Commit) => A
): Effect.Effect<A> =>
  Effect.callback<A>(resume => {
    const tryIt = (): void => {
      const at = standsAt(standing, wanted)
      if (at === null) standing.waiting.push({ look: tryIt, wanted })
      else resume(Effect.runSyncExit(Effect.sync(() => look(at))))
    }
    tryIt()
  })

/** Waits until what is wanted is there. */
export const untilStanding = (standing: Standing, wanted: Wanted): Effect.Effect<void> =>
  whenStanding(standing, wanted, () => undefined)

/** Waits until more is folded. */
export const whenFolded = (standing: Standing): Effect.Effect<void> =>
  Effect.callback<void>(resume => {
    standing.waiting.push({ look: () => resume(Effect.void), wanted: "folds" })
  })

/**
 * Lets those look who wait for what there is now, one after the other, until more is folded.
 * Whoever looks and waits again, does so for what is folded next.
 */
export const letLook = (standing: Standing): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { waiting } = standing
    for (let left = waiting.length; left > 0; left--) {
      const next = waiting.findIndex(one => standsAt(standing, one.wanted) !== null)
      if (next < 0) return
      for (const { look } of waiting.splice(next, 1)) look()
      yield* nextTurn
    }
  })
