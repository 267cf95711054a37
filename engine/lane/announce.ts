/** Tells the serving thread of commits, and live readers what is new in them. */
import { Effect } from "effect"
import type { Segment } from "../log/segment.ts"
import type { Queries } from "../runner/queries.ts"
import type { Commit } from "../store/store.ts"
import type { LaneOptions, OpenLane } from "./lane-open.ts"
import type { LaneState } from "./lane-state.ts"
import { type ToldBefore, toldAgain, wantedNow } from "./told-again.ts"

/** What live readers were told of what is folded since the newest commit that was told of. */
export interface ToldFolded {
  /** position up to which they were told */
  readonly seq: number
  /** channels of which they were told everything up to there */
  readonly channels: ReadonlyArray<string>
}

/**
 * Sends the frames that memory has of what is folded and to be committed, which nobody has to wait
 * for; returns what readers were told with them.
 */
export const announceFolded = (
  { port }: LaneOptions,
  { core, queries }: OpenLane,
  state: LaneState,
  told: ToldFolded,
  readAtMs: number
): ToldFolded => {
  const { pending } = core
  if (!state.isLive || pending === null || pending.seq <= told.seq) return told
  const made = queries.framesInMemory(told.seq, pending, state.wanted)
  const channels = made.channels.filter(channel => told.channels.includes(channel))
  if (channels.length > 0) {
    state.told = pending.seq
    const { frames } = made
    port.post({
      type: "frames",
      notice: { channels, since: told.seq, seq: pending.seq, frames, readAtMs }
    })
  }
  return { seq: pending.seq, channels }
}

/** Tells the serving thread where its readers' pages stand. */
export const tellPosition = (
  { port }: LaneOptions,
  { seq, block, blockTime }: Commit,
  anew = false
): void => port.post({ type: "position", at: { seq, block, blockTime }, ...(anew && { anew }) })

/** What a commit announces. */
export interface News {
  /** position of the commit before */
  readonly since: number
  /** the rollbacks in it */
  readonly undone: ReadonlyArray<Segment>
  /** channels whose frames were told before it, all of them */
  readonly told: ReadonlyArray<string>
  /** what had been told before late blocks, where those are in it and nothing else took back */
  readonly before: ToldBefore | null
  /** when the first of it was read from the log, ms since 1970 */
  readonly readAtMs: number
}

/** Tells of a commit, and the frames somebody waits for. */
export const announce = (
  options: LaneOptions,
  open: OpenLane,
  state: LaneState,
  { since, undone, told, before, readAtMs }: News
) =>
  Effect.gen(function* () {
    const { core, queries } = open
    const { seq } = core.committed
    tellPosition(options, core.committed)
    const channels = queries.channels.filter(channel => !told.includes(channel))
    if (channels.length === 0) return
    const live = state.isLive
    const wanted = new Map(
      [...wantedNow(state.wanted)].filter(([channel]) => channels.includes(channel))
    )
    if (live && before !== null) {
      const frames = yield* toldAgain(options.chain, open, wanted, before)
      const notice = { channels, since, seq, frames, readAtMs }
      options.port.post({ type: "frames", notice })
      return
    }
    const voided = live ? undoOf(queries, wanted, undone) : []
    const made = live && wanted.size > 0 ? yield* queries.frames(since, wanted) : []
    // what stands between two rollbacks comes before the later one, so positions only grow
    const frames = live ? [...voided, ...made].sort((a, b) => a.seq - b.seq) : null
    const notice = { channels, since, seq, frames, readAtMs }
    options.port.post({ type: "frames", notice })
  })

const undoOf = (
  { undoFrame }: Queries,
  wanted: LaneState["wanted"],
  segments: ReadonlyArray<Segment>
) =>
  segments.flatMap(segment => {
    const { toSeq } = segment.batch.columns.Rollback
    if (toSeq.count === 0) return []
    return [...wanted].flatMap(([channel, keys]) =>
      [...keys].map(key => undoFrame(channel, key, segment.header.firstSeq, toSeq.get(0)))
    )
  })
