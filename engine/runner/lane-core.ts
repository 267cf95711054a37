/**
 * The heart of a lane: segments in, commits out. Folds slices between which the thread is free for
 * queries, writes rows and position in one transaction, and takes a rollback back to the last
 * commit before the fork, from where the log is folded again. Knows no threads and no sockets.
 */
import { Effect, Stream } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import { nextTurn } from "../../src/platform/turn.ts"
import type { ToMirrors } from "../lane/messages.ts"
import { beginsWithRollback } from "../log/block-runs.ts"
import { effectiveRanges, type SeqRange } from "../log/effective.ts"
import type { LogPosition, Segment } from "../log/segment.ts"
import type { SlotTable } from "../store/slot-table.ts"
import {
  type Commit,
  clearTables,
  commit,
  flushRows,
  lastCommit,
  loadSlots,
  NO_COMMIT,
  readMeta,
  rollbackTables,
  type Store,
  writeMeta
} from "../store/store.ts"

import type { FoldSet } from "./fold-set.ts"

/** Reads the log after a position up to its present end. */
export type ReadLog<E> = (from: LogPosition) => Stream.Stream<Segment, E>

export interface LaneCore<E> {
  readonly store: Store
  readonly folds: FoldSet
  readonly readLog: ReadLog<E>
  /** what is committed */
  committed: Commit
  /** how far the open transaction has folded; null where none is open */
  pending: Commit | null
  /** who waits for the next commit, to look at the folds while they stand at it */
  readonly waiting: Array<() => void>
  /** rollbacks since the process began, and the depth in blocks of the last */
  rollbacks: number
  lastRollbackDepth: number | null
  /**
   * Runs a rollback while no query does: a query reads committed rows beside the folds' memory, and
   * until a rollback is committed the two are of different branches.
   */
  alone: <A, F>(rollback: Effect.Effect<A, F>) => Effect.Effect<A, F>
  /** tells the mirrors of what is written and committed; null where there are none */
  mirror: Mirroring | null
}

export type Mirroring = (message: ToMirrors, transfer: ReadonlyArray<ArrayBuffer>) => void

/** Events folded in one go between two chances for queries. */
const SLICE_EVENTS = 512
/** Rows held back until the commit at most: four chunks, because handing over has a price too. */
const FLUSH_ROWS = 8192
/** Versions that a mirror is told of at once: the thread it lives on has readers to serve. */
const MIRROR_ROWS = 512

/** Loads the committed state into the folds. */
export const loadCore = <E>(
  store: Store,
  folds: FoldSet,
  readLog: ReadLog<E>
): Effect.Effect<LaneCore<E>, DuckDbError> =>
  Effect.gen(function* () {
    for (const table of folds.states) yield* loadSlots(store, table)
    folds.reloaded()
    const committed = yield* lastCommit(store.writer)
    return {
      store,
      folds,
      readLog,
      committed,
      pending: null,
      waiting: [],
      rollbacks: 0,
      lastRollbackDepth: null,
      alone: rollback => rollback,
      mirror: null
    }
  })

const commitAfter = (segment: Segment): Commit => ({
  seq: segment.header.lastSeq,
  streamSeq: segment.header.streamSeq,
  hash: segment.header.hash,
  block: segment.header.lastBlock,
  blockTime: segment.header.lastBlockTime
})

/** Tells the mirror of versions it has not been told of: when many wait (or `all`). */
const mirrorVersions = <E>(core: LaneCore<E>, table: SlotTable<never>, all: boolean) => {
  const { versions } = table
  const wait = all ? 1 : MIRROR_ROWS
  while (core.mirror !== null && versions.count - versions.mirrored >= wait) {
    const end = Math.min(versions.count, versions.mirrored + MIRROR_ROWS)
    const found = core.folds.mirrored(table, end)
    versions.mirrored = end
    if (found === null) continue
    const { projection, message, transfer } = found
    core.mirror({ type: "mirror-rows", projection, message }, transfer)
  }
}

/**
 * Moves rows to DuckDB: appended ones at once, versions when many wait (or `all`). Versions carry
 * the position folded so far, which lies after the last commit and not after the next.
 */
const flush = <E>(core: LaneCore<E>, seq: number, all: boolean) =>
  Effect.gen(function* () {
    for (const rows of core.folds.rows) {
      if (rows.count < (all ? 1 : FLUSH_ROWS)) continue
      yield* flushRows(core.store, rows)
      yield* nextTurn
    }
    for (const table of core.folds.states) {
      if (all) table.collect()
      mirrorVersions(core, table, all)
      const { versions } = table
      if (versions.count < (all ? 1 : FLUSH_ROWS)) continue
      versions.stamp(seq)
      yield* flushRows(core.store, versions)
      yield* nextTurn
    }
  })

/** Folds those events of a segment that lie within a range, in slices. */
const foldSegment = <E>(core: LaneCore<E>, segment: Segment, range: SeqRange, seq: number) =>
  Effect.gen(function* () {
    const { firstSeq } = segment.header
    const first = Math.max(0, range.from - firstSeq)
    const end = Math.min(segment.batch.count, range.to - firstSeq + 1)
    for (let from = first; from < end; from += SLICE_EVENTS) {
      const to = Math.min(end, from + SLICE_EVENTS)
      core.folds.apply({ batch: segment.batch, from, to, seq: firstSeq + from })
      yield* flush(core, seq, false)
      yield* nextTurn
    }
  })

const whole = (segment: Segment): SeqRange => ({
  from: segment.header.firstSeq,
  to: segment.header.lastSeq
})

const begin = <E>(core: LaneCore<E>) =>
  core.pending === null ? core.store.writer.run("BEGIN TRANSACTION") : Effect.void

/** Commits what the open transaction has folded; nothing where none is open. */
export const commitPending = <E>(core: LaneCore<E>): Effect.Effect<void, DuckDbError> =>
  Effect.gen(function* () {
    const at = core.pending
    if (at === null) return
    yield* flush(core, at.seq, true)
    yield* commit(core.store, at)
    core.committed = at
    core.pending = null
    const { seq, block, blockTime } = at
    core.mirror?.({ type: "mirror-commit", at: { seq, block, blockTime } }, [])
    yield* settle(core)
  })

/** Lets those look who wait for a commit; nothing is folded meanwhile. */
const settle = <E>(core: LaneCore<E>) =>
  Effect.gen(function* () {
    for (let look = core.waiting.shift(); look !== undefined; look = core.waiting.shift()) {
      look()
      yield* nextTurn
    }
  })

/** Segments come one after the other; anything else is a defect of whoever reads the log. */
const mustFollow = <E>(core: LaneCore<E>, segment: Segment): void => {
  const at = (core.pending ?? core.committed).seq
  if (segment.header.firstSeq === at + 1) return
  throw new Error(`segment at ${segment.header.firstSeq} does not follow event ${at}`)
}

const applyPlain = <E>(core: LaneCore<E>, segment: Segment) =>
  Effect.gen(function* () {
    const { firstSeq, firstBlock, lastSeq } = segment.header
    yield* begin(core)
    core.pending = commitAfter(segment)
    if (firstSeq === 1) yield* writeMeta(core.store.writer, "first_block", String(firstBlock))
    yield* foldSegment(core, segment, whole(segment), lastSeq)
  })

/** The newest commit at or before `seq` whose versions compaction has not merged with later. */
const boundaryBefore = (store: Store, seq: number) =>
  Effect.gen(function* () {
    const found = yield* lastCommit(store.writer, seq)
    const compacted = Number((yield* readMeta(store.writer, "compacted_seq")) ?? 0)
    return found.seq < compacted ? NO_COMMIT : found
  })

const rollbackFacts = ({ header, batch }: Segment) => ({
  firstSeq: header.firstSeq,
  lastSeq: header.lastSeq,
  rollbackTo: beginsWithRollback(batch) ? batch.columns.Rollback.toSeq.get(0) : null
})

/** Folds the effective events of `(from, toSeq]` again. */
const refold = <E>(core: LaneCore<E>, from: Commit, toSeq: number, commitSeq: number) =>
  Effect.gen(function* () {
    if (from.seq >= toSeq) return
    const until = core
      .readLog(from)
      .pipe(Stream.takeWhile(segment => segment.header.firstSeq <= toSeq))
    const facts = yield* Stream.runCollect(Stream.map(until, rollbackFacts))
    // what the segment at the end tells beyond toSeq is what is being rolled back
    const ranges = effectiveRanges(facts).filter(range => range.from <= toSeq)
    yield* until.pipe(
      Stream.runForEach(segment =>
        Effect.forEach(
          ranges.filter(
            range => range.to >= segment.header.firstSeq && range.from <= segment.header.lastSeq
          ),
          range =>
            foldSegment(core, segment, { ...range, to: Math.min(range.to, toSeq) }, commitSeq),
          { discard: true }
        )
      )
    )
  })

/** Takes the tables to the fork, folds the segment's new branch, commits both as one. */
const applyRollback = <E>(core: LaneCore<E>, segment: Segment) =>
  Effect.gen(function* () {
    const { writer } = core.store
    const c = segment.batch.columns.Rollback
    const toSeq = c.toSeq.get(0)
    const at = commitAfter(segment)
    yield* begin(core)
    core.pending = at
    const boundary = yield* boundaryBefore(core.store, toSeq)
    if (boundary.seq === 0) yield* clearTables(core.store, core.folds.states)
    else yield* rollbackTables(core.store, core.folds.states, boundary)
    core.folds.reloaded()
    core.mirror?.({ type: "mirror-forget" }, [])
    yield* refold(core, boundary, toSeq, at.seq)
    yield* writer.run(
      `INSERT INTO lane_rollbacks VALUES (${segment.header.firstSeq}, ${toSeq},
       ${c.fromBlock.get(0)}, ${c.toBlock.get(0)})`
    )
    const rest = { from: segment.header.firstSeq + 1, to: segment.header.lastSeq }
    yield* foldSegment(core, segment, rest, at.seq)
    yield* commitPending(core)
    core.rollbacks++
    core.lastRollbackDepth = c.fromBlock.get(0) - c.toBlock.get(0)
  })

/**
 * Folds one segment into the open transaction, opening one where needed. A rollback commits what
 * is pending before it and itself.
 */
export const applySegment = <E>(
  core: LaneCore<E>,
  segment: Segment
): Effect.Effect<void, DuckDbError | E> => {
  mustFollow(core, segment)
  return beginsWithRollback(segment.batch)
    ? Effect.andThen(commitPending(core), core.alone(applyRollback(core, segment)))
    : applyPlain(core, segment)
}
