/**
 * The heart of a lane: segments in, commits out. Folds slices between which the thread is free for
 * queries, writes rows and position in one transaction, and takes a rollback back to the last
 * commit before the fork, from where the log is folded again. Knows no threads and no sockets.
 */

import { Effect, type Scope, Stream } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import { nextTurn } from "../../src/platform/turn.ts"
import { beginsWithRollback } from "../log/block-runs.ts"
import { effectiveRanges, type SeqRange } from "../log/effective.ts"
import type { ReadError } from "../log/log-errors.ts"
import type { ReadJoined } from "../log/read-joined.ts"
import type { LogPosition, Segment } from "../log/segment.ts"
import type { ToReplica } from "../replica/messages.ts"
import { beginWriting } from "../store/begin-writing.ts"
import type { RowBuffer } from "../store/row-buffer.ts"
import type { SlotTable } from "../store/slot-table.ts"
import {
  type Commit,
  clearTables,
  commit,
  flushRows,
  lastCommit,
  loadSlots,
  rollbackTables,
  type Store,
  writeMeta
} from "../store/store.ts"
import type { FoldSet } from "./fold-set.ts"
import { inTime } from "./in-time.ts"
import { noSideLog, placesOf, readJoinedIn } from "./join-events.ts"
import { boundaryBefore, commitAfter, mustFollow, rollbackFacts, whole } from "./segment-facts.ts"
import { sendAnew, sendPosition, sendVersions } from "./sending.ts"
import { SideWork, type WriteError } from "./side-work.ts"
import { Signal } from "./signal.ts"
import { letLook, Standing } from "./standing.ts"

/** Reads the log after a position up to its present end. */
export type ReadLog = (from: LogPosition) => Stream.Stream<Segment, ReadError>

export type SendChanges = (message: ToReplica, transfer: ReadonlyArray<ArrayBuffer>) => void

/** What a lane is made of besides its tables; each is for lanes that need it. */
export interface CoreParts {
  /** sends copies of tables what is written and committed, once that has begun */
  readonly send?: SendChanges | undefined
  /** rung whenever the lane stands elsewhere */
  readonly changed?: Signal | undefined
}

/** A lane that folds: its tables, where they stand, and what is under way beside the fold. */
export class LaneCore extends Standing {
  readonly store: Store
  readonly folds: FoldSet
  readonly readLog: ReadLog
  readonly readJoined: ReadJoined
  /** a commit that is written, and what follows it; the writer is its own until it ends */
  readonly writing = new SideWork()
  /** merging and copying of tables; a commit does not wait for it, a rollback does */
  readonly upkeep = new SideWork()
  private readonly sender: SendChanges | null
  private isSending = false
  private isBegun = false

  constructor(
    store: Store,
    folds: FoldSet,
    log: { readonly read: ReadLog; readonly joined: ReadJoined },
    committed: Commit,
    { send = undefined, changed = new Signal() }: CoreParts
  ) {
    super(committed, changed)
    this.store = store
    this.folds = folds
    this.readLog = log.read
    this.readJoined = log.joined
    this.sender = send ?? null
  }

  /** sends to copies of tables; null while there are none */
  get send(): SendChanges | null {
    return this.isSending ? this.sender : null
  }

  /** Whether the writer has a transaction open. */
  get begun(): boolean {
    return this.isBegun
  }

  /** From now on copies of tables are sent what changes. */
  sendingBegan(): void {
    this.isSending = true
  }

  transactionBegan(): void {
    this.isBegun = true
  }

  transactionEnded(): void {
    this.isBegun = false
  }
}

/** Events folded in one go between two chances for queries. */
const SLICE_EVENTS = 512
/** Rows held back until the commit at most: four chunks, because handing over has a price too. */
const FLUSH_ROWS = 8192
/** Rows held back at most while a commit is being written. */
const HELD_ROWS = 65_536

/** Loads the committed state into the folds. */
export const loadCore = (
  store: Store,
  folds: FoldSet,
  readLog: ReadLog,
  readJoined: ReadJoined = noSideLog,
  parts: CoreParts = {}
): Effect.Effect<LaneCore, DuckDbError> =>
  Effect.gen(function* () {
    const committed = yield* lastCommit(store.writer)
    // before the first commit all tables are empty, and asking each takes longer than opening it
    if (committed.seq > 0) for (const table of folds.states) yield* loadSlots(store, table)
    folds.reloaded()
    const log = { read: readLog, joined: readJoined }
    return new LaneCore(store, folds, log, committed, parts)
  })

/** Opens a transaction of the writer where none is. */
const begin = (core: LaneCore) =>
  Effect.suspend(() => {
    if (core.begun) return Effect.void
    core.transactionBegan()
    return beginWriting(core.store)
  })

/**
 * Appended rows after which others have their turn: those of a block are a few in each of many
 * tables, and readers wait for the last of them.
 */
const TURN_ROWS = 1024

const append = (core: LaneCore, rows: RowBuffer<never>) =>
  Effect.suspend(() => {
    const { count } = rows
    return Effect.andThen(core.writing.ended, begin(core)).pipe(
      Effect.andThen(flushRows(core.store, rows)),
      Effect.andThen(count < TURN_ROWS ? Effect.void : nextTurn)
    )
  })

/** Appends the waiting versions; copies are sent all of them before they are forgotten. */
const appendVersions = (core: LaneCore, table: SlotTable<never>, seq: number) =>
  Effect.gen(function* () {
    yield* core.writing.ended
    sendVersions(core, table, true)
    table.versions.stamp(seq)
    yield* append(core, table.versions)
  })

/**
 * Moves rows to DuckDB: appended ones at once, versions when many wait (or `all`). Versions carry
 * the position folded so far, which lies after the last commit and not after the next.
 */
const flush = (core: LaneCore, seq: number, all: boolean) =>
  Effect.gen(function* () {
    const least = all ? 1 : !core.writing.isOpen ? FLUSH_ROWS : HELD_ROWS
    for (const rows of core.folds.rows) {
      if (rows.count >= least) yield* append(core, rows)
    }
    for (const table of core.folds.states) {
      for (let isMore = true; isMore; ) {
        isMore = all && table.collect(FLUSH_ROWS)
        // what is sent now would count from the commit that is being written
        if (core.sealed === null) sendVersions(core, table, all)
        if (table.versions.count >= least) yield* appendVersions(core, table, seq)
      }
    }
  })

/**
 * Folds what those events of a segment join that lie within a range, in slices. All of it is read
 * first: where it cannot be, nothing of the segment is folded.
 */
const joinEvents = (core: LaneCore, segment: Segment, range: SeqRange, seq: number) =>
  Effect.gen(function* () {
    const [first, end] = placesOf(segment, range)
    for (const batch of yield* readJoinedIn(core.readJoined, segment.batch, first, end)) {
      for (let from = 0; from < batch.count; from += SLICE_EVENTS) {
        const to = Math.min(batch.count, from + SLICE_EVENTS)
        core.folds.join({ batch, from, to, seq: segment.header.firstSeq + first })
        yield* flush(core, seq, false)
        yield* nextTurn
      }
    }
  })

/** Folds a range of a segment in slices; rows go after it: within it nobody may see the folds. */
const foldSegment = (core: LaneCore, segment: Segment, range: SeqRange) =>
  Effect.gen(function* () {
    const { firstSeq } = segment.header
    const [first, end] = placesOf(segment, range)
    for (let from = first; from < end; from += SLICE_EVENTS) {
      const to = Math.min(end, from + SLICE_EVENTS)
      core.folds.apply({ batch: segment.batch, from, to, seq: firstSeq + from })
      yield* nextTurn
    }
  })

/** Folds a range of a segment after the events that it joins. */
const foldWithJoined = (core: LaneCore, segment: Segment, range: SeqRange, seq: number) =>
  joinEvents(core, segment, range, seq).pipe(
    Effect.andThen(foldSegment(core, segment, range)),
    Effect.andThen(flush(core, seq, false))
  )

/** Makes durable what is sealed, and lets those look who waited for it. */
const commitSealed = (core: LaneCore, at: Commit): Effect.Effect<void, DuckDbError> =>
  Effect.gen(function* () {
    const { seq, block } = at
    const attributes = { "swaptape.seq": seq, "swaptape.block": block }
    const isTold = core.told === at
    yield* Effect.withSpan(commit(core.store, at), "lane commit", { attributes })
    core.transactionEnded()
    core.commitEnded()
    if (!isTold) sendPosition(core, at)
    yield* letLook(core)
  })

/** Hands all rows to DuckDB; what is folded from here on belongs to the next commit. */
const seal = (core: LaneCore, at: Commit) =>
  Effect.gen(function* () {
    // before any version is stamped or sent: the commit before comes first
    yield* core.writing.ended
    yield* begin(core)
    yield* flush(core, at.seq, true)
    core.commitBegan(at)
  })

/** Commits what was folded; nothing where nothing was. Ends when no commit is under way. */
export const commitPending = (core: LaneCore): Effect.Effect<void, WriteError> =>
  Effect.gen(function* () {
    yield* core.writing.ended
    const at = core.pending
    if (at === null) return
    yield* letLook(core)
    yield* seal(core, at)
    yield* commitSealed(core, at)
  })

/** Whom a commit beside the fold concerns. */
export interface Beside {
  /** tells readers of the position before it is committed; absent where they wait for the commit */
  readonly tell?: ((at: Commit) => void) | undefined
  /** runs when it is committed, and has the writer too */
  readonly after: Effect.Effect<void, WriteError, Scope.Scope>
}

/**
 * Commits what was folded while more is folded: DuckDB writes on a thread of its own. What is
 * folded the log has, so readers may be told of it at once.
 */
export const commitBeside = (
  core: LaneCore,
  { tell, after }: Beside
): Effect.Effect<void, WriteError, Scope.Scope> =>
  Effect.gen(function* () {
    const at = core.pending
    if (at === null) return
    yield* seal(core, at)
    if (tell !== undefined) {
      core.sealedTold()
      sendPosition(core, at)
      tell(at)
    }
    yield* core.writing.begin(Effect.andThen(commitSealed(core, at), after))
  })

const applyPlain = (core: LaneCore, told: Segment) =>
  Effect.gen(function* () {
    const segment = inTime(told, whole(told), core.folded.blockTime)
    const { firstSeq, firstBlock, lastSeq } = segment.header
    // readers of memory need not wait meanwhile: only folds that bear it are ahead of the commit
    yield* joinEvents(core, segment, whole(segment), lastSeq)
    core.foldingTo(commitAfter(segment))
    if (firstSeq === 1) {
      yield* begin(core)
      yield* writeMeta(core.store.writer, "first_block", String(firstBlock))
    }
    yield* foldSegment(core, segment, whole(segment))
  })

/** Folds the effective events of `(from, toSeq]` again. Returns the time of the last of them. */
const refold = (core: LaneCore, from: Commit, toSeq: number, commitSeq: number) =>
  Effect.gen(function* () {
    let time = from.blockTime
    if (from.seq >= toSeq) return time
    const until = core
      .readLog(from)
      .pipe(Stream.takeWhile(segment => segment.header.firstSeq <= toSeq))
    const facts = yield* Stream.runCollect(Stream.map(until, rollbackFacts))
    // what the segment at the end tells beyond toSeq is what is being rolled back
    const ranges = effectiveRanges(facts).filter(range => range.from <= toSeq)
    yield* until.pipe(
      Stream.runForEach(segment =>
        Effect.gen(function* () {
          const { firstSeq, lastSeq } = segment.header
          for (const { from, to } of ranges) {
            if (to < firstSeq || from > lastSeq) continue
            const range = { from, to: Math.min(to, toSeq) }
            const seen = inTime(segment, range, time)
            yield* foldWithJoined(core, seen, range, commitSeq)
            time = seen.header.lastBlockTime
          }
        })
      )
    )
    return time
  })

/** Events that stand, and have to be folded again to take the tables to the fork of a segment. */
export const refolded = (
  core: LaneCore,
  { batch }: Segment
): Effect.Effect<number, DuckDbError> => {
  const toSeq = batch.columns.Rollback.toSeq.get(0)
  return Effect.map(boundaryBefore(core.store, toSeq), ({ seq }) => Math.max(0, toSeq - seq))
}

/** Takes the tables to the fork and folds the segment's new branch. */
const applyRollback = (core: LaneCore, segment: Segment) =>
  Effect.gen(function* () {
    const c = segment.batch.columns.Rollback
    const toSeq = c.toSeq.get(0)
    const at = commitAfter(segment)
    core.foldingTo(at)
    yield* begin(core)
    const boundary = yield* boundaryBefore(core.store, toSeq)
    if (boundary.seq === 0) yield* clearTables(core.store, core.folds.states)
    else yield* rollbackTables(core.store, core.folds.states, boundary)
    core.folds.reloaded()
    sendAnew(core)
    const time = yield* refold(core, boundary, toSeq, at.seq)
    yield* core.store.writer.run(
      `INSERT INTO lane_rollbacks VALUES (${segment.header.firstSeq}, ${toSeq},
       ${c.fromBlock.get(0)}, ${c.toBlock.get(0)}, ${boundary.blockTime}, ${at.seq})`
    )
    const rest = { from: segment.header.firstSeq + 1, to: segment.header.lastSeq }
    const seen = inTime(segment, rest, time)
    core.foldingTo(commitAfter(seen))
    yield* foldWithJoined(core, seen, rest, at.seq)
    core.rolledBack(c.fromBlock.get(0) - c.toBlock.get(0))
  })

const applyEach = (core: LaneCore, segments: ReadonlyArray<Segment>) =>
  Effect.gen(function* () {
    for (const segment of segments) {
      mustFollow(core.folded.seq, segment)
      yield* beginsWithRollback(segment.batch)
        ? applyRollback(core, segment)
        : Effect.andThen(applyPlain(core, segment), flush(core, segment.header.lastSeq, false))
    }
    core.foldingEnded()
    yield* commitPending(core)
  })

/** Commits what is pending, then folds a rollback and what follows it, committed as one. */
export const applyAsOne = (
  core: LaneCore,
  segments: ReadonlyArray<Segment>
): Effect.Effect<void, WriteError | ReadError> =>
  commitPending(core).pipe(
    // what is merged beside must be there before the writer looks at the tables; readers go on
    Effect.andThen(core.upkeep.ended),
    Effect.andThen(Effect.suspend(() => core.store.readers.without(applyEach(core, segments))))
  )

/**
 * Folds one segment into the open transaction, opening one where needed. A rollback commits what
 * is pending before it and itself.
 */
export const applySegment = (
  core: LaneCore,
  segment: Segment
): Effect.Effect<void, WriteError | ReadError> => {
  if (beginsWithRollback(segment.batch)) return applyAsOne(core, [segment])
  mustFollow(core.folded.seq, segment)
  return Effect.gen(function* () {
    yield* applyPlain(core, segment)
    core.foldingEnded()
    yield* letLook(core)
    yield* flush(core, segment.header.lastSeq, false)
  })
}
