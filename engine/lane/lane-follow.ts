/** Follows the log: segments to commits, commits to notices, upkeep in between. */
import { Clock, Effect, Fiber, Queue, Schedule, Stream } from "effect"
import type { Segment } from "../log/segment.ts"
import {
  applySegment,
  commitBehind,
  commitPending,
  type LaneCore,
  written
} from "../runner/lane-core.ts"
import { undoFrame } from "../runner/queries.ts"
import { compact, compactionFloor } from "../store/compaction.ts"
import { checkpoint, newestSnapshot, takeSnapshot } from "../store/snapshot.ts"
import type { LaneOptions, OpenLane } from "./lane-open.ts"
import type { LaneState } from "./lane-state.ts"

/** Segments taken at once at most; up to 256 KiB each, some 2,500 events. */
const MAX_SEGMENTS = 24
/** Segments read ahead of the fold. */
const READ_AHEAD = 64
/** A commit holds at most this many events, and is never further away than this. */
const MAX_COMMIT_EVENTS = 400_000
const MAX_COMMIT_MS = 1000
/** The same while somebody waits for it. */
const AWAITED_COMMIT_MS = 100

/** Compaction and snapshots, between commits. */
const maintain = <E>(options: LaneOptions<E>, core: LaneCore<E>, since: Progress) =>
  Effect.gen(function* () {
    const { file, chain, upkeep } = options
    const { seq } = core.committed
    if (seq - since.compacted >= upkeep.compactEvery) {
      const floor = yield* compactionFloor(core.store, chain.finalityDepth)
      // one table at a time, because what is folded meanwhile waits in memory
      const options = { minTailRows: upkeep.compactRows, most: 1 }
      const merged = floor === null ? [] : yield* compact(core.store, floor, options)
      if (merged.length === 0) since.compacted = seq
    }
    if (seq - since.snapshot < upkeep.snapshotEvery) return
    since.snapshot = seq
    yield* core.alone(checkpoint(core.store))
    yield* takeSnapshot(file, seq)
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

const tick = <E>(core: LaneCore<E>, queue: Queue.Queue<Segment | typeof TICK>) =>
  Effect.suspend(() =>
    core.pending === null || Queue.sizeUnsafe(queue) > 0 ? Effect.void : Queue.offer(queue, TICK)
  ).pipe(Effect.repeat(Schedule.spaced(TICK_EVERY)))

/** What the follower keeps between steps. */
interface Progress {
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
}

/**
 * Whether to commit now. At the head of the log: at once, for the reader's sake. Behind it: in
 * large commits, because DuckDB writes those straight to their place.
 */
const commitIsDue = <E>(core: LaneCore<E>, waiting: number, behind: boolean, sinceMs: number) => {
  const from = (core.sealed ?? core.committed).seq
  const events = (core.pending?.seq ?? from) - from
  const longest = core.waiting.length > 0 ? AWAITED_COMMIT_MS : MAX_COMMIT_MS
  return events >= MAX_COMMIT_EVENTS || sinceMs >= longest || (waiting === 0 && !behind)
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
  readonly queue: Queue.Queue<Segment | typeof TICK>
  readonly progress: Progress
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
    if (!core.begun) yield* maintain(options, core, progress)
  })

/** Takes what has been read and folds it; answers how many segments that were. */
const foldRead = <E>({ open, queue, progress }: Following<E>) =>
  Effect.gen(function* () {
    const { core } = open
    // with nothing to fold there is time to wait for the commit, and to hear if it failed
    if (Queue.sizeUnsafe(queue) === 0) yield* written(core)
    const taken = yield* Queue.takeBetween(queue, 1, MAX_SEGMENTS)
    const segments = taken.filter(item => item !== TICK)
    if (core.pending === null) progress.beganMs = yield* Clock.currentTimeMillis
    for (const segment of segments) {
      yield* applySegment(core, segment)
      if (segment.batch.columns.Rollback.toSeq.count > 0) progress.undone.push(segment)
    }
    return segments.length
  })

/** Takes what has been read, folds it, and commits when that is due. */
const step = <E>(following: Following<E>) =>
  Effect.gen(function* () {
    const { options, open, state, queue, progress } = following
    const { core } = open
    const count = yield* foldRead(following)
    const now = yield* Clock.currentTimeMillis
    const folded = (core.pending ?? core.sealed ?? core.committed).seq
    const behind = folded < Math.max(progress.goal, state.logSeq) && count > 0
    const due = commitIsDue(core, Queue.sizeUnsafe(queue), behind, now - progress.beganMs)
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
    const queue = yield* Queue.bounded<Segment | typeof TICK>(READ_AHEAD)
    const reader = yield* options.log.read(core.committed, { follow: true }).pipe(
      Stream.runForEach(segment => Queue.offer(queue, segment)),
      Effect.forkScoped
    )
    yield* tick(core, queue).pipe(Effect.forkScoped)
    state.problem = null
    const isAnew = state.state === "rebuilding" || (core.committed.seq === 0 && goal > 0)
    state.state = isAnew ? "rebuilding" : "catching-up"
    caughtUp(options, open, state, goal)
    const progress: Progress = {
      goal,
      compacted: core.committed.seq,
      announced: core.committed.seq,
      snapshot: Math.min(core.committed.seq, yield* newestSnapshot(options.file)),
      beganMs: yield* Clock.currentTimeMillis,
      undone: []
    }
    const ended = Fiber.join(reader).pipe(Effect.andThen(Effect.never))
    return yield* Effect.raceFirst(
      Effect.forever(step({ options, open, state, queue, progress })),
      ended
    )
  })
