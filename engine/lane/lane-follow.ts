/** Follows the log: segments to commits, commits to notices, upkeep in between. */
import { type Cause, Clock, Effect, Queue, Schedule, Stream } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import type { Segment } from "../log/segment.ts"
import {
  applySegment,
  commitBehind,
  commitPending,
  type LaneCore,
  written
} from "../runner/lane-core.ts"
import { undoFrame } from "../runner/queries.ts"
import { beginUpkeep, isKept } from "../runner/upkeep.ts"
import { compact, compactionFloor } from "../store/compaction.ts"
import { checkpoint, newestSnapshot, takeSnapshot } from "../store/snapshot.ts"
import type { LaneOptions, OpenLane } from "./lane-open.ts"
import { type LaneState, warn } from "./lane-state.ts"
import { rehearse, rehearseOnce } from "./rehearse.ts"

/** Segments taken at once at most; up to 256 KiB each, some 2,500 events. */
const MAX_SEGMENTS = 24
/** Segments read ahead of the fold. */
const READ_AHEAD = 64
/** A commit holds at most this many events, and is never further away than this. */
const MAX_COMMIT_EVENTS = 400_000
const MAX_COMMIT_MS = 1000
/** The same that far behind: a row is written once a commit, however often it changed. */
const FAR_COMMIT_EVENTS = 1_600_000
const FAR_COMMIT_MS = 40_000
/** The same while somebody waits for it. */
const AWAITED_COMMIT_MS = 100

/** Events to the log's end, as far as it is known. */
const eventsBehind = <E>(core: LaneCore<E>, state: LaneState): number =>
  state.logSeq - (core.pending ?? core.sealed ?? core.committed).seq

const isFarBehind = <E>(core: LaneCore<E>, state: LaneState): boolean =>
  eventsBehind(core, state) > MAX_COMMIT_EVENTS

/** How much rarer upkeep is far behind the log's end, where few read and much is to come. */
const RARER = 8

/** Says what upkeep could not do. The lane goes on: its tables are as they were. */
const notKept = (
  { key }: ChainConfig,
  state: LaneState,
  what: string,
  { message }: { readonly message: string }
) => {
  const text = `${what}: ${message}`
  warn(state, text)
  return Effect.logWarning(`${key}: ${text}`)
}

/** Whether memory or the disk was full, which passes; tables that read badly are made anew. */
const isForWantOfRoom = ({ message }: DuckDbError): boolean =>
  /Out of Memory Error|No space left/.test(message)

/**
 * Merges tables until none needs it; at the log's end it leaves less unsorted, for readers' sake.
 * While it merges the lane may get there, and no commit come after that.
 */
const compactTables = <E>(
  { chain, upkeep }: LaneOptions<E>,
  core: LaneCore<E>,
  state: LaneState
): Effect.Effect<void, DuckDbError> =>
  Effect.gen(function* () {
    for (let isMore = true; isMore; ) {
      const floor = yield* compactionFloor(core.store, chain.finalityDepth)
      if (floor === null) return
      const isFar = isFarBehind(core, state)
      const minTailRows = isFar ? upkeep.compactRows : Math.ceil(upkeep.compactRows / RARER)
      const share = isFar ? 0.5 : 0.25
      isMore = (yield* compact(core.store, floor, { minTailRows, share })).length > 0
    }
  }).pipe(
    Effect.catchTag("DuckDbError", failure =>
      isForWantOfRoom(failure)
        ? notKept(chain, state, "tables stay unmerged", failure)
        : Effect.fail(failure)
    )
  )

/** Copies the file. A lane goes on without a copy, which the log can always replace. */
const keepSnapshot = <E>(
  { chain, file }: LaneOptions<E>,
  core: LaneCore<E>,
  state: LaneState,
  seq: number
) =>
  takeSnapshot(core.store, file, seq).pipe(
    Effect.catchTag("FileError", failure =>
      notKept(chain, state, "no snapshot of the tables", failure)
    )
  )

/** Begins compaction or a snapshot where one is due and none is under way. */
const maintain = <E>(
  options: LaneOptions<E>,
  core: LaneCore<E>,
  state: LaneState,
  since: Progress<E>
) =>
  Effect.gen(function* () {
    if (yield* isKept(core)) return
    const { upkeep } = options
    const { seq } = core.committed
    const isFar = isFarBehind(core, state)
    if (seq - since.snapshot >= upkeep.snapshotEvery * (isFar ? RARER : 1)) {
      since.snapshot = seq
      yield* core.alone(checkpoint(core.store))
      yield* beginUpkeep(core, keepSnapshot(options, core, state, seq))
    } else if (seq - since.compacted >= upkeep.compactEvery / (isFar ? 1 : RARER)) {
      since.compacted = seq
      yield* beginUpkeep(core, compactTables(options, core, state))
    }
  })

/** Tells the frames that memory has of what is about to be committed; answers their channels. */
const announceEarly = <E>(
  { port }: LaneOptions<E>,
  { core, queries }: OpenLane<E>,
  state: LaneState
): ReadonlyArray<string> => {
  const { committed, pending } = core
  if (state.state !== "live" || pending === null) return []
  const since = committed.seq
  const { channels, frames } = queries.early(since, pending, state.wanted)
  if (channels.length === 0) return []
  state.told = pending.seq
  port.post({ type: "frames", notice: { channels, since, seq: pending.seq, frames } })
  return channels
}

/** What a commit announces. */
interface News {
  /** position of the commit before */
  readonly since: number
  /** the rollbacks in it */
  readonly undone: ReadonlyArray<Segment>
  /** channels whose frames were told before it */
  readonly told: ReadonlyArray<string>
}

/** Tells of a commit, and the frames somebody waits for. */
const announce = <E>(
  options: LaneOptions<E>,
  open: OpenLane<E>,
  state: LaneState,
  { since, undone, told }: News
) =>
  Effect.gen(function* () {
    const { core, queries } = open
    const { seq, block, blockTime } = core.committed
    options.port.post({ type: "commit", at: { seq, block, blockTime } })
    const channels = queries.channels.filter(channel => !told.includes(channel))
    if (channels.length === 0) return
    const live = state.state === "live"
    const wanted = new Map(
      [...state.wanted].filter(([channel, keys]) => channels.includes(channel) && keys.size > 0)
    )
    const voided = live ? undoOf(options.chain.id, wanted, undone) : []
    const made = live && wanted.size > 0 ? yield* queries.frames(since, wanted) : []
    // what stands between two rollbacks comes before the later one, so positions only grow
    const frames = live ? [...voided, ...made].sort((a, b) => a.seq - b.seq) : null
    options.port.post({ type: "frames", notice: { channels, since, seq, frames } })
  })

const undoOf = (chain: number, wanted: LaneState["wanted"], segments: ReadonlyArray<Segment>) =>
  segments.flatMap(segment => {
    const { toSeq } = segment.batch.columns.Rollback
    if (toSeq.count === 0) return []
    return [...wanted].flatMap(([channel, keys]) =>
      [...keys].map(key => undoFrame(chain, channel, key, segment.header.firstSeq, toSeq.get(0)))
    )
  })

/** Wakes the follower while a transaction is open: a take with a time limit could lose segments. */
const TICK = null
const TICK_EVERY = "250 millis"

/** The log could not be read on, after all that stands before this in the queue. */
class ReadingEnded<E> {
  readonly cause: Cause.Cause<E>

  constructor(cause: Cause.Cause<E>) {
    this.cause = cause
  }
}

type Read<E> = Segment | typeof TICK | ReadingEnded<E>

const tick = <E>(core: LaneCore<E>, queue: Queue.Queue<Read<E>>) =>
  Effect.suspend(() =>
    core.pending === null || Queue.sizeUnsafe(queue) > 0 ? Effect.void : Queue.offer(queue, TICK)
  ).pipe(Effect.repeat(Schedule.spaced(TICK_EVERY)))

/** What the follower keeps between steps. */
interface Progress<E> {
  /** seq of the log's end when the lane began */
  readonly goal: number
  /** seq at the newest look at compaction, and of the newest snapshot */
  compacted: number
  snapshot: number
  /** seq of the newest commit that was told of */
  announced: number
  /** when folding began that is not committed, and the rollbacks seen in it */
  beganMs: number
  undone: Array<Segment>
  /** why the log cannot be read on, once all before that is folded */
  ended: ReadingEnded<E> | null
}

/**
 * Whether to commit now. At the head of the log: at once, for the reader's sake. Behind it: in
 * large commits, because DuckDB writes those straight to their place.
 */
const commitIsDue = <E>(
  core: LaneCore<E>,
  state: LaneState,
  waiting: number,
  behind: boolean,
  sinceMs: number
) => {
  const from = (core.sealed ?? core.committed).seq
  const events = (core.pending?.seq ?? from) - from
  const isFar = isFarBehind(core, state)
  const mostEvents = isFar ? FAR_COMMIT_EVENTS : MAX_COMMIT_EVENTS
  const mostMs = isFar ? FAR_COMMIT_MS : MAX_COMMIT_MS
  const longest = core.waiting.length > 0 ? AWAITED_COMMIT_MS : mostMs
  return events >= mostEvents || sinceMs >= longest || (waiting === 0 && !behind)
}

const caughtUp = <E>(
  options: LaneOptions<E>,
  { core, firstBlock }: OpenLane<E>,
  state: LaneState,
  goal: number
) => {
  if (state.state === "live" || core.committed.seq < goal) return
  state.state = "live"
  const { seq, block, blockTime } = core.committed
  options.port.post({ type: "caught-up", at: { seq, block, blockTime }, firstBlock })
}

interface Following<E> {
  readonly options: LaneOptions<E>
  readonly open: OpenLane<E>
  readonly state: LaneState
  readonly queue: Queue.Queue<Read<E>>
  readonly progress: Progress<E>
}

/** Tells of everything that was committed since the last time, and does the upkeep. */
const afterCommit = <E>(
  { options, open, state, progress }: Following<E>,
  undone: ReadonlyArray<Segment>,
  told: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const { core } = open
    const since = progress.announced
    progress.announced = core.committed.seq
    state.logSeq = Math.max(state.logSeq, core.committed.seq)
    caughtUp(options, open, state, progress.goal)
    yield* announce(options, open, state, { since, undone, told })
    // after a rollback, which commits, more may be folded already
    if (!core.begun) yield* maintain(options, core, state, progress)
  })

/** Takes what has been read and folds it; answers how many segments that were. */
const foldRead = <E>({ open, queue, progress }: Following<E>) =>
  Effect.gen(function* () {
    const { core } = open
    // with nothing to fold there is time to wait for the commit, and to hear if it failed
    if (Queue.sizeUnsafe(queue) === 0) yield* written(core)
    const taken = yield* Queue.takeBetween(queue, 1, MAX_SEGMENTS)
    const segments: Array<Segment> = []
    for (const item of taken) {
      if (item instanceof ReadingEnded) progress.ended = item
      else if (item !== TICK) segments.push(item)
    }
    if (core.pending === null) progress.beganMs = yield* Clock.currentTimeMillis
    for (const segment of segments) {
      yield* applySegment(core, segment)
      if (segment.batch.columns.Rollback.toSeq.count > 0) progress.undone.push(segment)
    }
    return segments.length
  })

/** Commits what was folded, which may be much, before the session fails as reading did. */
const giveUp = <E>({ options, open, state, progress }: Following<E>, { cause }: ReadingEnded<E>) =>
  Effect.gen(function* () {
    const { core } = open
    yield* written(core)
    yield* commitPending(core)
    const since = progress.announced
    const undone = progress.undone.splice(0)
    if (core.committed.seq !== since) {
      yield* announce(options, open, state, { since, undone, told: [] })
    }
    return yield* Effect.failCause(cause)
  })

/** Takes what has been read, folds it, and commits when that is due. */
const step = <E>(following: Following<E>) =>
  Effect.gen(function* () {
    const { options, open, state, queue, progress } = following
    const { core } = open
    const count = yield* foldRead(following)
    if (progress.ended !== null) return yield* giveUp(following, progress.ended)
    const now = yield* Clock.currentTimeMillis
    const folded = (core.pending ?? core.sealed ?? core.committed).seq
    const behind = folded < Math.max(progress.goal, state.logSeq) && count > 0
    const due = commitIsDue(core, state, Queue.sizeUnsafe(queue), behind, now - progress.beganMs)
    if (due && behind && core.waiting.length === 0 && progress.undone.length === 0) {
      yield* commitBehind(
        core,
        Effect.suspend(() => afterCommit(following, [], []))
      )
      progress.beganMs = now
      return
    }
    let told: ReadonlyArray<string> = []
    if (due) {
      yield* written(core)
      if (core.committed.seq === progress.announced) told = announceEarly(options, open, state)
      yield* commitPending(core)
    }
    if (core.writing !== null || core.committed.seq === progress.announced) return
    progress.beganMs = now
    yield* afterCommit(following, progress.undone.splice(0), told)
  })

/** Follows the log until it breaks or the scope ends. */
export const follow = <E>(options: LaneOptions<E>, open: OpenLane<E>, state: LaneState) =>
  Effect.gen(function* () {
    const { core } = open
    const goal = (yield* options.log.end).seq
    state.told = core.committed.seq
    state.logSeq = Math.max(state.logSeq, goal)
    const queue = yield* Queue.bounded<Read<E>>(READ_AHEAD)
    yield* options.log.read(core.committed, { follow: true }).pipe(
      Stream.runForEach(segment => Queue.offer(queue, segment)),
      Effect.catchCause(cause => Queue.offer(queue, new ReadingEnded(cause))),
      Effect.forkScoped
    )
    yield* tick(core, queue).pipe(Effect.forkScoped)
    state.problem = null
    const isAnew = state.state === "rebuilding" || (core.committed.seq === 0 && goal > 0)
    state.state = isAnew ? "rebuilding" : "catching-up"
    // with nothing to fold it is said to be there when readers need not wait
    const isThere = core.committed.seq > 0 && core.committed.seq >= goal
    if (isThere) yield* rehearseOnce(options, open)
    caughtUp(options, open, state, goal)
    yield* rehearse(options, open, state, isThere).pipe(Effect.forkScoped)
    const progress: Progress<E> = {
      goal,
      // what a process before left unsorted
      compacted: 0,
      announced: core.committed.seq,
      snapshot: Math.min(core.committed.seq, yield* newestSnapshot(options.file)),
      beganMs: yield* Clock.currentTimeMillis,
      undone: [],
      ended: null
    }
    yield* maintain(options, core, state, progress)
    return yield* Effect.forever(step({ options, open, state, queue, progress }))
  })
