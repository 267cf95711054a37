/** Follows the log: segments to commits, commits to notices, upkeep in between. */
import { Effect, Fiber, Queue, Stream } from "effect"
import type { Segment } from "../log/segment.ts"
import { applySegments, type LaneCore } from "../runner/lane-core.ts"
import { undoFrame } from "../runner/queries.ts"
import { compact, compactionFloor } from "../store/compaction.ts"
import { takeSnapshot } from "../store/snapshot.ts"
import type { LaneOptions, OpenLane } from "./lane-open.ts"
import type { LaneState } from "./lane-state.ts"

/** Segments taken into one commit at most; 256 KiB each, some 2,500 events. */
const MAX_SEGMENTS = 24
/** Segments read ahead of the fold. */
const READ_AHEAD = 32
/** Events after which a snapshot is taken. */
const SNAPSHOT_EVERY = 2_000_000

/** Compaction and snapshots, between commits. */
const maintain = <E>(options: LaneOptions<E>, core: LaneCore<E>, since: { snapshot: number }) =>
  Effect.gen(function* () {
    const floor = yield* compactionFloor(core.store, options.chain.finalityDepth)
    if (floor !== null) yield* compact(core.store, floor)
    if (core.committed.seq - since.snapshot < SNAPSHOT_EVERY) return
    since.snapshot = core.committed.seq
    yield* takeSnapshot(core.store, options.file, core.committed.seq)
  })

/** Tells of a commit, with the frames somebody waits for. */
const announce = <E>(
  options: LaneOptions<E>,
  open: OpenLane<E>,
  state: LaneState,
  since: number,
  segments: ReadonlyArray<Segment>
) =>
  Effect.gen(function* () {
    const { core, queries } = open
    const live = state.state === "live"
    const undone = live ? undoOf(options.chain.id, state, segments) : []
    const frames = live ? yield* queries.frames(since, state.wanted) : []
    options.port.post({
      type: "commit",
      notice: {
        seq: core.committed.seq,
        block: core.committed.block,
        blockTime: core.committed.blockTime,
        frames: [...undone, ...frames]
      }
    })
  })

const undoOf = (chain: number, state: LaneState, segments: ReadonlyArray<Segment>) =>
  segments.flatMap(segment => {
    const { toSeq } = segment.batch.columns.Rollback
    if (toSeq.count === 0) return []
    return [...state.wanted].flatMap(([channel, keys]) =>
      [...keys].map(key => undoFrame(chain, channel, key, segment.header.firstSeq, toSeq.get(0)))
    )
  })

/** Follows the log until it breaks or the scope ends. */
export const follow = <E>(options: LaneOptions<E>, open: OpenLane<E>, state: LaneState) =>
  Effect.gen(function* () {
    const { core } = open
    const goal = (yield* options.log.end).seq
    state.logSeq = Math.max(state.logSeq, goal)
    const since = { snapshot: core.committed.seq }
    const queue = yield* Queue.bounded<Segment>(READ_AHEAD)
    const reader = yield* options.log.read(core.committed, { follow: true }).pipe(
      Stream.runForEach(segment => Queue.offer(queue, segment)),
      Effect.forkScoped
    )
    const caughtUp = (): void => {
      if (state.state === "live" || core.committed.seq < goal) return
      state.state = "live"
      options.port.post({ type: "caught-up" })
    }
    state.state = core.committed.seq === 0 && goal > 0 ? "rebuilding" : "catching-up"
    caughtUp()
    const step = Effect.gen(function* () {
      const segments = yield* Queue.takeBetween(queue, 1, MAX_SEGMENTS)
      const before = core.committed.seq
      yield* applySegments(core, segments)
      state.logSeq = Math.max(state.logSeq, core.committed.seq)
      caughtUp()
      yield* announce(options, open, state, before, segments)
      yield* maintain(options, core, since)
    })
    return yield* Effect.raceFirst(
      Effect.forever(step),
      Fiber.join(reader).pipe(Effect.andThen(Effect.never))
    )
  })
