/**
 * What live readers are told when late blocks were put in the log: what was told before stands
 * again at other positions, mostly unchanged. Frames of before and after are compared from the
 * oldest on; readers are told to undo from the first difference, and get what stands from there. So
 * they are from the first frame that the chain may still take back: an undo of it would name its
 * new position, which they must have. What lies further back than some thousand positions is
 * history, and is not told.
 */
import { Effect } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import type { LiveFrame } from "../frames.ts"
import type { Queries } from "../runner/queries.ts"
import { lastCommit } from "../store/store.ts"
import type { OpenLane } from "./lane-open.ts"
import type { LaneState } from "./lane-state.ts"

/** Positions back from the newest that are compared, and what else its commit holds. */
const COMPARED = 5_000

type Wanted = LaneState["wanted"]

export interface ToldBefore {
  readonly frames: ReadonlyArray<LiveFrame>
  /** position up to which it was told */
  readonly told: number
  /** frames after this position are compared */
  readonly floor: number
  /** Unix seconds: frames of blocks up to then are not; null where all after the fork are */
  readonly afterTime: number | null
}

/** Channels of which somebody wants frames. */
export const wantedNow = (wanted: Wanted): Wanted =>
  new Map([...wanted].filter(([, keys]) => keys.size > 0))

/**
 * What readers were told up to `told` of what stands after `toSeq`, before that changes; with a
 * bound only of what stands not far back.
 */
export const toldBefore = (
  { core, queries }: OpenLane,
  wanted: Wanted,
  told: number,
  toSeq: number,
  compared = COMPARED
): Effect.Effect<ToldBefore, DuckDbError> =>
  Effect.gen(function* () {
    const edge = yield* lastCommit(core.store.writer, told - compared)
    const isFar = edge.seq > toSeq
    const floor = isFar ? edge.seq : toSeq
    const all = wanted.size === 0 ? [] : yield* queries.frames(floor, wanted)
    const frames = all.filter(({ seq }) => seq <= told)
    return { frames, told, floor, afterTime: isFar ? edge.blockTime : null }
  })

const atOf = ({ body }: LiveFrame): number => (JSON.parse(body) as { readonly at: number }).at

/** A frame without its position. */
const unplaced = ({ body }: LiveFrame): string => body.replace(/"seq":\d+/, "")

const byTopic = (frames: ReadonlyArray<LiveFrame>): ReadonlyMap<string, Array<LiveFrame>> => {
  const topics = new Map<string, Array<LiveFrame>>()
  // candles come by bucket, and change in any order
  for (const frame of frames.toSorted((a, b) => a.seq - b.seq)) {
    const topic = `${frame.channel} ${frame.key}`
    const list = topics.get(topic)
    if (list === undefined) topics.set(topic, [frame])
    else list.push(frame)
  }
  return topics
}

/**
 * What one topic's readers, who were told `before`, are told of `after`.
 *
 * @param finalTime Unix seconds up to which blocks stay
 */
const changeOf = (
  { undoFrame }: Queries,
  before: ReadonlyArray<LiveFrame>,
  after: ReadonlyArray<LiveFrame>,
  { told, floor }: ToldBefore,
  finalTime: number
): ReadonlyArray<LiveFrame> => {
  let same = 0
  const isSame = (): boolean => {
    const [one, other] = [before[same], after[same]]
    if (one === undefined || other === undefined || unplaced(one) !== unplaced(other)) return false
    return one.seq === other.seq || atOf(one) <= finalTime
  }
  while (isSame()) same++
  const rest = after.slice(same)
  const undone = before[same]
  if (undone === undefined) return rest
  const { channel, key } = undone
  return [undoFrame(channel, key, told + 1, before[same - 1]?.seq ?? floor), ...rest]
}

/** Unix seconds up to which blocks are final, by the commits that the tables remember. */
const finalTimeOf = ({ finalityDepth }: ChainConfig, { core }: OpenLane) =>
  Effect.map(
    core.store.writer.rows(
      `SELECT max(block_time) AS time FROM lane_commits
       WHERE block <= ${(core.committed.block ?? 0) - finalityDepth}`
    ),
    ([row]) => Number(row?.["time"] ?? -1)
  )

/** The frames that tell readers of what stands now, ordered by position. */
export const toldAgain = (
  chain: ChainConfig,
  open: OpenLane,
  wanted: Wanted,
  before: ToldBefore
): Effect.Effect<ReadonlyArray<LiveFrame>, DuckDbError> =>
  Effect.gen(function* () {
    if (wanted.size === 0) return []
    const { core, queries } = open
    const { told, afterTime } = before
    const finalTime = yield* finalTimeOf(chain, open)
    const [edge] =
      afterTime === null
        ? []
        : yield* core.store.writer.rows(
            `SELECT max(seq) AS seq FROM lane_commits WHERE block_time <= ${afterTime}`
          )
    const since = Math.max(told, Number(edge?.["seq"] ?? 0))
    const isCompared = (frame: LiveFrame) => afterTime === null || atOf(frame) > afterTime
    const olds = byTopic(before.frames.filter(isCompared))
    const news = byTopic((yield* queries.frames(since, wanted)).filter(isCompared))
    const topics = new Set([...olds.keys(), ...news.keys()])
    const change = (topic: string) =>
      changeOf(queries, olds.get(topic) ?? [], news.get(topic) ?? [], before, finalTime)
    return [...topics].flatMap(change).sort((a, b) => a.seq - b.seq)
  })
