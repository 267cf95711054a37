/** Makes live frames of what was folded, and those that a subscriber missed. */
import { Effect } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { type ShownChain, shownChain } from "../../src/domain/shown-chain.ts"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import type {
  Frame,
  FrameMaker,
  FramesAsked,
  HistoryAnswer,
  HistoryRequest,
  LiveFrame,
  RowFrames
} from "../frames.ts"
import type { Page } from "../projection.ts"
import type { FoldsView, RowsView } from "../query.ts"
import type { FoldSet } from "./fold-set.ts"

/** The keys of which somebody wants frames, by channel. */
export type WantedFrames = ReadonlyMap<string, ReadonlySet<string>>

type Frames = ReadonlyArray<LiveFrame>

/** Frames of a commit are never cut: a missing one would be a hole. */
const ALL = Number.MAX_SAFE_INTEGER

/** Returns the makers of all channels. */
export const makersOf = (pages: ReadonlyArray<Page>): ReadonlyArray<FrameMaker> =>
  pages.flatMap(item => (item.frames ? [item.frames] : []))

const onChannel = (channel: string, frames: ReadonlyArray<Frame>): Frames =>
  frames.map(frame => ({ channel, ...frame }))

const isOfRows = (maker: FrameMaker): maker is RowFrames => "table" in maker

/**
 * Returns the frames after a position that rows in memory make, whether or not they are committed,
 * and the channels whose frames these are, all of them: those of rows that memory holds back to
 * there.
 */
export const framesInMemory = (
  { tailOf }: FoldSet,
  makers: ReadonlyArray<FrameMaker>,
  view: FoldsView,
  since: number,
  wanted: WantedFrames
): { readonly channels: ReadonlyArray<string>; readonly frames: Frames } => {
  const channels: Array<string> = []
  const frames: Array<LiveFrame> = []
  for (const maker of makers.filter(isOfRows)) {
    const { channel, table } = maker
    const watch = maker.watch(view, wanted.get(channel) ?? new Set())
    const rows = watch === null ? [] : tailOf(table).after(since)
    if (rows === null) continue
    channels.push(channel)
    for (const frame of watch?.framesOf(rows) ?? []) frames.push({ channel, ...frame })
  }
  return { channels, frames }
}

/** Reads the rows of these keys and makes frames of them. */
const rowFrames = (maker: RowFrames, view: RowsView, { since, keys, limit }: FramesAsked) => {
  const watch = maker.watch(view, keys)
  if (watch === null) return Effect.succeed([])
  return view
    .rows(
      `SELECT * FROM ${maker.table.name} WHERE seq > ${since} AND (${watch.where})
       ORDER BY seq LIMIT ${limit}`
    )
    .pipe(Effect.map(watch.framesOf))
}

const framesOf = (maker: FrameMaker, view: RowsView, asked: FramesAsked) =>
  (isOfRows(maker) ? rowFrames(maker, view, asked) : maker.frames(view, asked)).pipe(
    Effect.map(frames => onChannel(maker.channel, frames))
  )

/** Makes the frames of all commits after a position. */
export const framesSince = (
  makers: ReadonlyArray<FrameMaker>,
  view: RowsView,
  since: number,
  wanted: WantedFrames
): Effect.Effect<Frames, DuckDbError> =>
  Effect.forEach(makers, maker => {
    const keys = wanted.get(maker.channel)
    return keys === undefined || keys.size === 0
      ? Effect.succeed([])
      : framesOf(maker, view, { since, keys, limit: ALL, isUndone: false })
  }).pipe(Effect.map(lists => lists.flat()))

/** Tells subscribers that everything after `toSeq` and before `seq` is void. */
export const undoFrame = (
  chain: ShownChain,
  { channel, named }: Pick<FrameMaker, "channel" | "named">,
  key: string,
  seq: number,
  toSeq: number
): LiveFrame => {
  const body = JSON.stringify({ type: "undo", channel, chain, ...named(key), seq, toSeq })
  return { channel, key, seq, undo: true, body }
}

const undoFrames = (
  chain: ChainConfig,
  maker: FrameMaker,
  { key, fromSeq }: HistoryRequest,
  view: RowsView
) =>
  view
    .rows(
      `SELECT seq, to_seq FROM lane_rollbacks
       WHERE seq > ${fromSeq} AND to_seq < ${fromSeq} ORDER BY seq`
    )
    .pipe(
      Effect.map(rows =>
        rows.map(row =>
          undoFrame(shownChain(chain), maker, key, Number(row["seq"]), Number(row["to_seq"]))
        )
      )
    )

/** The first frames of a list, `limit` of them and what else stands at the last one's position. */
const pageOf = (list: Frames, limit: number): Frames => {
  let end = Math.min(limit, list.length)
  while (end > 0 && end < list.length && list[end]?.seq === list[end - 1]?.seq) end++
  return list.slice(0, end)
}

/** Makes what a subscriber missed: undone stretches first, then the frames that stand. */
export const framesMissed = (
  makers: ReadonlyArray<FrameMaker>,
  chain: ChainConfig,
  request: HistoryRequest,
  view: RowsView
): Effect.Effect<HistoryAnswer, DuckDbError> =>
  Effect.gen(function* () {
    const { channel, key, fromSeq, limit } = request
    const maker = makers.find(one => one.channel === channel)
    if (maker === undefined) return { oldestSeq: 0, frames: [], complete: true, seq: view.seq }
    const oldest = isOfRows(maker) ? undefined : maker.oldest
    const oldestSeq = oldest === undefined ? 0 : yield* oldest(view, fromSeq, key)
    if (oldest !== undefined && oldestSeq > fromSeq)
      return { oldestSeq, frames: null, complete: true, seq: view.seq }
    const undone = yield* undoFrames(chain, maker, request, view)
    const isUndone = undone.length > 0
    const asked = { since: fromSeq, keys: new Set([key]), limit: limit + 1, isUndone }
    const list = [...undone, ...(yield* framesOf(maker, view, asked))]
    const frames = pageOf(list, limit)
    return { oldestSeq, frames, complete: list.length <= limit, seq: view.seq }
  })
