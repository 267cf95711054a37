/** Follows the log: segments to commits, commits to notices, upkeep in between. */

import { Cause, Clock, Effect, Queue, Result, Stream } from "effect"
import { DuckDbError } from "../../src/platform/duckdb.ts"
import { FileError } from "../../src/platform/files.ts"
import { beginsWithRollback } from "../log/block-runs.ts"
import type { ReadError } from "../log/log-errors.ts"
import type { Segment } from "../log/segment.ts"
import { commitBeside, commitPending, type LaneCore } from "../runner/lane-core.ts"
import { newestSnapshot } from "../store/snapshot.ts"
import { announce, announceFolded, type ToldFolded, tellPosition } from "./announce.ts"
import { isCommitDue, isNearEnd } from "./commit-policy.ts"
import { roomEvents } from "./lane-memory.ts"
import { eventsBehind, maintain, type Upkept } from "./lane-upkeep.ts"
import { IN_PLACE_EVENTS, type Rewriting, type TooDeep, takeSegment } from "./rewriting.ts"
import type { Stand } from "./stand.ts"
import { toldBefore, wantedNow } from "./told-again.ts"

/** Segments taken at once at most; up to 256 KiB each, some 2,500 events. */
const MAX_SEGMENTS = 24
/** Segments taken at once where commits are to be small. */
const FEW_SEGMENTS = 2
/** Segments read ahead of the fold. */
const READ_AHEAD = 64

/** Events from what is folded up to a position. */
const eventsLeft = ({ folded }: LaneCore, seq: number): number => seq - folded.seq

/** For how long a lane with something to commit waits for more to fold. */
const PATIENCE = "250 millis"

/** The log could not be read on, after all that stands before this in the queue. */
class ReadingEnded {
  readonly cause: Cause.Cause<ReadError | TooDeep>

  constructor(cause: Cause.Cause<ReadError | TooDeep>) {
    this.cause = cause
  }
}

type Read = Segment | ReadingEnded

/**
 * Takes so many of what has been read; none where nothing comes and something is to be committed,
 * or a commit or upkeep has ended, which more may follow. A take with a time limit could lose
 * segments, a look cannot.
 */
const takeRead = (core: LaneCore, queue: Queue.Queue<Read>, limit: number) =>
  Effect.gen(function* () {
    const { pending, writing, upkeep } = core
    if (Queue.sizeUnsafe(queue) === 0) {
      if (writing.isOpen) yield* Effect.raceFirst(Queue.peek(queue), writing.ended)
      else if (pending !== null) yield* Effect.timeoutOption(Queue.peek(queue), PATIENCE)
      else if (upkeep.isOpen) yield* Effect.raceFirst(Queue.peek(queue), upkeep.ended)
      else yield* Queue.peek(queue)
      if (Queue.sizeUnsafe(queue) === 0) return []
    }
    return yield* Queue.takeBetween(queue, 1, limit)
  })

/** What the follower keeps between steps. */
interface Progress extends Rewriting, Upkept {
  /** seq of the log's end when the lane began */
  readonly goal: number
  /** seq of the newest commit that was told of */
  announced: number
  /** what was told of what is folded behind that commit */
  told: ToldFolded
  /** when folding began that is not committed */
  beganMs: number
  /** when the newest segments were taken */
  readMs: number
  /** whether it was told that the goal is reached */
  isTold: boolean
  /** why the log cannot be read on, once all before that is folded */
  ended: ReadingEnded | null
}

/** Whom the follower works for. */
export interface Following {
  readonly stand: Stand
  /** events that may be folded again at most while readers wait */
  readonly most: () => number
  /** the least block at which the tables may be seen */
  readonly least: number
  /** the log's end as it was at the beginning is reached; `isSeen` by readers, or not yet */
  readonly caughtUp: (isSeen: boolean) => void
  /** the tables stand for all that the log tells: from here on readers may have them */
  readonly stands: Effect.Effect<void, DuckDbError | FileError>
}

/** It is under way. */
interface Running extends Following {
  readonly queue: Queue.Queue<Read>
  readonly progress: Progress
}

/** Events up to what is folded of which memory holds all rows of tables that have a tail. */
const eventsHeld = ({ folds, folded }: LaneCore): number => {
  let least = Number.POSITIVE_INFINITY
  for (const { held, oldestSeq } of folds.tails) {
    // one with room has let nothing go
    if (held.room === 0 && oldestSeq !== null) least = Math.min(least, folded.seq - oldestSeq)
  }
  return least
}

/** Whether to commit what is folded. */
const commitIsDue = ({ stand, progress, queue }: Running, now: number, behind: boolean) => {
  const { options, open, state, askedMs } = stand
  const { core } = open
  const from = (core.sealed ?? core.committed).seq
  return isCommitDue({
    events: (core.pending?.seq ?? from) - from,
    sinceMs: now - progress.beganMs,
    hasMore: behind || Queue.sizeUnsafe(queue) > 0,
    behind: eventsBehind(core, state),
    left: eventsLeft(core, progress.goal),
    inPlaceEvents: options.inPlaceEvents ?? IN_PLACE_EVENTS,
    roomEvents: roomEvents(options.upkeep.memoryMb),
    held: eventsHeld(core),
    isAwaited: core.isCommitAwaited,
    unreadMs: now - askedMs
  })
}

/** Whether nothing is folded or written: what readers may be given as a whole. */
const isQuiet = ({ pending, sealed, writing }: LaneCore): boolean =>
  pending === null && sealed === null && !writing.isOpen

/**
 * Lets readers have the tables where they may; answers whether they got them now. A log that ends
 * within a rewriting is completed by its source, which begins when this is told: so what is held
 * of it counts as reached.
 */
const noteCaughtUp = ({ stand, least, progress, caughtUp, stands }: Running) =>
  Effect.gen(function* () {
    const { open, state, isSeen } = stand
    const { core } = open
    const reached = progress.held.at(-1)?.header.lastSeq ?? core.committed.seq
    if (state.isLive || reached < progress.goal) return false
    const isWhole = !progress.isSplicing && core.committed.block >= least
    const mayStand = progress.held.length === 0 && (isSeen || (isWhole && isQuiet(core)))
    if (mayStand) {
      yield* stands
      state.post({ type: "CaughtUp" })
    }
    if (mayStand || !progress.isTold) caughtUp(mayStand)
    progress.isTold = true
    return mayStand && !isSeen
  })

/**
 * Tells live readers what memory has of what is folded: no frame waits for DuckDB. What takes back
 * is told with its commit, so nothing behind it is told before.
 */
const tellFolded = ({ stand, progress }: Running) => {
  const { options, open, state } = stand
  if (progress.undone.length > 0 || open.core.committed.seq !== progress.announced) return
  progress.told = announceFolded(options, open, state, progress.told, progress.readMs)
}

/** What is told once all up to a commit is: of every channel, unless memory told some further. */
const toldAfter = (running: Running, isWhole: boolean): ToldFolded => {
  const { core, queries } = running.stand.open
  const { told } = running.progress
  const { seq } = core.committed
  return isWhole && told.seq > seq ? told : { seq, channels: queries.channels }
}

/** Tells of everything that was committed since the last time, and does the upkeep. */
const afterCommit = (running: Running, readAtMs: number) =>
  Effect.gen(function* () {
    const { stand, progress } = running
    const { options, open, state } = stand
    const { core } = open
    const [since, before, { seq, channels }] = [progress.announced, progress.before, progress.told]
    const undone = progress.undone.splice(0)
    const isWhole = undone.length === 0 && before === null && seq >= core.committed.seq
    progress.before = null
    progress.announced = core.committed.seq
    progress.told = toldAfter(running, isWhole)
    state.logSeq = Math.max(state.logSeq, core.committed.seq)
    // with new tables they were told of all that is new in them
    const isNew = yield* noteCaughtUp(running)
    const told = isWhole ? channels : []
    if (!isNew) yield* announce(options, open, state, { since, undone, told, before, readAtMs })
    // after a rollback, which commits, more may be folded already
    if (!core.begun) yield* maintain(stand, progress)
  })

/**
 * Commits and tells what is folded, before more is taken back: what readers were told then ends at
 * one position on all channels.
 */
const settle = (running: Running) =>
  Effect.gen(function* () {
    const { core } = running.stand.open
    const { progress } = running
    if (progress.told.seq === progress.announced) return
    yield* core.writing.ended
    yield* commitPending(core)
    if (core.committed.seq !== progress.announced) yield* afterCommit(running, progress.beganMs)
  })

/** Takes what has been read and folds it; answers how many segments that were. */
const foldRead = (running: Running) =>
  Effect.gen(function* () {
    const { stand, queue, progress, most } = running
    const { open, state } = stand
    const { core } = open
    // readers may come while a segment is waited for
    const told = (toSeq: number) =>
      state.isLive
        ? toldBefore(open, wantedNow(state.wanted), progress.announced, toSeq)
        : Effect.succeed(null)
    const left = eventsLeft(core, progress.goal)
    const taken = yield* takeRead(core, queue, isNearEnd(left) ? FEW_SEGMENTS : MAX_SEGMENTS)
    const segments: Array<Segment> = []
    for (const item of taken) {
      if (item instanceof ReadingEnded) progress.ended = item
      else segments.push(item)
    }
    progress.readMs = yield* Clock.currentTimeMillis
    if (core.pending === null) progress.beganMs = progress.readMs
    for (const segment of segments) {
      const isPlain = progress.held.length === 0 && !beginsWithRollback(segment.batch)
      if (!isPlain) yield* settle(running)
      const rewriter = { most: most(), told }
      const outcome = yield* Effect.result(takeSegment(stand, progress, segment, rewriter))
      if (Result.isFailure(outcome)) {
        const error = outcome.failure
        const isOfTables = error instanceof DuckDbError || error instanceof FileError
        if (isOfTables || !isPlain) return yield* Effect.fail(error)
        // what it joins cannot be read: as if itself could not
        progress.ended = new ReadingEnded(Cause.fail(error))
        break
      }
      if (outcome.success === null) continue
      progress.ended = new ReadingEnded(Cause.fail(outcome.success))
      break
    }
    return segments.length
  })

/** Commits what was folded, which may be much, before the session fails as reading did. */
const giveUp = ({ stand, progress }: Running, { cause }: ReadingEnded) =>
  Effect.gen(function* () {
    const { options, open, state } = stand
    const { core } = open
    yield* core.writing.ended
    yield* commitPending(core)
    const { announced: since, undone, before, beganMs: readAtMs } = progress
    if (core.committed.seq !== since) {
      yield* announce(options, open, state, { since, undone, told: [], before, readAtMs })
    }
    return yield* Effect.failCause(cause)
  })

/** Takes what has been read, folds it, tells of it, and commits when that is due. */
const step = (running: Running) =>
  Effect.gen(function* () {
    const { stand, progress } = running
    const { options, open, state } = stand
    const { core } = open
    const count = yield* foldRead(running)
    if (progress.ended !== null) return yield* giveUp(running, progress.ended)
    tellFolded(running)
    const now = yield* Clock.currentTimeMillis
    const { beganMs } = progress
    const folded = core.folded.seq
    const behind = folded < Math.max(progress.goal, state.logSeq) && count > 0
    const due = commitIsDue(running, now, behind)
    const isBeside = !core.isStandAwaited && progress.undone.length === 0
    if (due && isBeside && core.pending !== null && (behind || state.isLive)) {
      // at the log's end the commit that is under way comes first: what is folded meanwhile follows
      if (!behind && core.writing.isOpen) return
      yield* commitBeside(core, {
        // at the log's end nobody waits for a commit but who reads the tables
        tell: behind || !state.isLive ? undefined : at => tellPosition(options, at),
        after: Effect.suspend(() => afterCommit(running, beganMs))
      })
      progress.beganMs = now
      return
    }
    if (due) {
      yield* core.writing.ended
      yield* commitPending(core)
    }
    if (core.writing.isOpen) return
    if (core.committed.seq === progress.announced) {
      if (progress.held.length > 0) yield* noteCaughtUp(running)
      if (count === 0 && !core.begun) yield* maintain(stand, progress)
      return
    }
    progress.beganMs = now
    yield* afterCommit(running, beganMs)
  })

/**
 * Reads the newest rows of tables back into memory once the lane has caught up, and after each
 * rollback, at which memory forgets them. Without them pages read the tables.
 */
const refillTails = ({ options, open, state }: Stand): Effect.Effect<never> =>
  Effect.gen(function* () {
    const { core, queries } = open
    let rollbacks = -1
    const isDue = () =>
      state.phase === "live" && rollbacks !== core.rollbacks && core.pending === null
    for (;;) {
      yield* state.changed.until(isDue)
      rollbacks = core.rollbacks
      yield* queries.refillTails.pipe(
        Effect.catch(({ message }) =>
          Effect.logWarning(`${options.chain.key}: the newest rows stay on disk: ${message}`)
        )
      )
    }
  })

/** Follows the log until it breaks, is taken back too deep, or the scope ends. */
export const follow = (following: Following) =>
  Effect.gen(function* () {
    const { stand } = following
    const { options, open, state } = stand
    const { core } = open
    const end = yield* options.log.end
    const goal = end.seq
    state.told = core.committed.seq
    state.logSeq = Math.max(state.logSeq, goal)
    const queue = yield* Queue.bounded<Read>(READ_AHEAD)
    yield* options.log.read(core.committed, { follow: true }).pipe(
      Stream.runForEach(segment => Queue.offer(queue, segment)),
      Effect.catchCause(cause => Queue.offer(queue, new ReadingEnded(cause))),
      Effect.forkScoped
    )
    state.post({ type: stand.isSeen ? "CatchUpBegan" : "RebuildBegan" })
    const progress: Progress = {
      goal,
      // what a process before left unsorted
      compacted: 0,
      announced: core.committed.seq,
      told: { seq: core.committed.seq, channels: open.queries.channels },
      snapshot: Math.min(core.committed.seq, yield* newestSnapshot(options.file)),
      upkeptMs: 0,
      beganMs: yield* Clock.currentTimeMillis,
      readMs: 0,
      undone: [],
      held: [],
      again: 0,
      before: null,
      isSplicing: end.isSplicing === true && core.committed.seq === goal,
      isTold: false,
      ended: null
    }
    const running: Running = { ...following, queue, progress }
    yield* noteCaughtUp(running)
    yield* refillTails(stand).pipe(Effect.forkScoped)
    yield* maintain(stand, progress)
    return yield* Effect.forever(step(running))
  })
