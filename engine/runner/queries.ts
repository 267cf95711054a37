/**
 * Runs queries of projections and pages on reader connections, beside the writer. Each query is one
 * read transaction, so all its statements and the position it reports see the same commit.
 */
import { Effect, type Scope } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Connection, DuckDbError } from "../../src/platform/duckdb.ts"
import type { HistoryAnswer, HistoryRequest } from "../lane/messages.ts"
import type { LiveFrame, QueryAnswer, QueryRequest } from "../lane/protocol.ts"
import type { FrameMaker, Page } from "../projection.ts"
import type { QueryContext, RowsAnswer } from "../query.ts"
import type { Commit, Store } from "../store/store.ts"
import { type FoldsOfLane, foldsContextAt } from "./contexts.ts"
import type { FoldSet } from "./fold-set.ts"
import { memoryAnswers } from "./memory-queries.ts"
import { type Standing, whenStanding } from "./standing.ts"

export interface Queries {
  readonly answer: (request: QueryRequest) => Effect.Effect<QueryAnswer, DuckDbError>
  /** live frames of everything after `since`, for the wanted keys of each channel */
  readonly frames: (
    since: number,
    wanted: ReadonlyMap<string, ReadonlySet<string>>
  ) => Effect.Effect<ReadonlyArray<LiveFrame>, DuckDbError>
  /**
   * Those of them that memory tells when the folds stand at `at`, committed or not, and the
   * channels they are all frames of.
   */
  readonly early: (
    since: number,
    at: Commit,
    wanted: ReadonlyMap<string, ReadonlySet<string>>
  ) => { readonly channels: ReadonlyArray<string>; readonly frames: ReadonlyArray<LiveFrame> }
  /** all channels */
  readonly channels: ReadonlyArray<string>
  readonly history: (request: HistoryRequest) => Effect.Effect<HistoryAnswer, DuckDbError>
  readonly rows: Connection["rows"]
}

/** Live frames are never cut: a missing one would be a hole. */
const MAX_FRAMES = Number.MAX_SAFE_INTEGER

/** The newest commit; sorting takes DuckDB three times as long. */
const NEWEST_COMMIT = `SELECT max(seq) AS seq, arg_max(block, seq) AS block,
  arg_max(block_time, seq) AS block_time FROM lane_commits`

/** One read transaction with the commit it sees. */
const inSnapshot = <A, E>(
  connection: Connection,
  lane: FoldsOfLane,
  use: (context: QueryContext) => Effect.Effect<A, E>
) =>
  Effect.acquireUseRelease(
    connection
      .rows(`BEGIN TRANSACTION READ ONLY; ${NEWEST_COMMIT}`)
      .pipe(Effect.tapError(() => connection.run("ROLLBACK").pipe(Effect.ignore))),
    ([row = {}]) => {
      const at = {
        seq: Number(row["seq"] ?? 0),
        block: Number(row["block"] ?? 0),
        blockTime: Number(row["block_time"] ?? 0)
      }
      const { rows, columns } = connection
      return use({ ...foldsContextAt(lane, at), rows, columns })
    },
    () => connection.run("ROLLBACK").pipe(Effect.ignore)
  )

const encoder = new TextEncoder()

const unknownQuery = (name: string): QueryAnswer => ({
  ok: false,
  seq: 0,
  refusal: { status: 404, code: "NOT_FOUND", message: `no query is named ${name}` }
})

const answerOf = (query: RowsAnswer<never>, request: QueryRequest) => (context: QueryContext) =>
  query(context, request.params as never).pipe(
    Effect.map((value): QueryAnswer => answered(context.seq, value)),
    Effect.catchTag("Refused", refused =>
      Effect.succeed<QueryAnswer>({ ok: false, seq: context.seq, refusal: refused.refusal })
    )
  )

const answered = (seq: number, value: unknown): QueryAnswer => ({
  ok: true,
  seq,
  body: encoder.encode(JSON.stringify(value))
})

const undoFrames = (chain: ChainConfig, request: HistoryRequest, context: QueryContext) =>
  context
    .rows(
      `SELECT seq, to_seq FROM lane_rollbacks
       WHERE seq > ${request.fromSeq} AND to_seq < ${request.fromSeq} ORDER BY seq`
    )
    .pipe(
      Effect.map(rows =>
        rows.map(row =>
          undoFrame(
            chain.id,
            request.channel,
            request.key,
            Number(row["seq"]),
            Number(row["to_seq"])
          )
        )
      )
    )

/** Tells subscribers that everything after `toSeq` and before `seq` is void. */
export const undoFrame = (
  chain: number,
  channel: string,
  key: string,
  seq: number,
  toSeq: number
): LiveFrame => {
  const [token, tf] = key.split(":")
  return {
    channel,
    key,
    seq,
    undo: true,
    body: JSON.stringify({
      type: "undo",
      channel,
      chain,
      ...(token === "*" ? {} : { token }),
      ...(tf === undefined ? {} : { tf }),
      seq,
      toSeq
    })
  }
}

type FrameReader = (
  context: QueryContext,
  since: number,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
  limit?: number
) => Effect.Effect<ReadonlyArray<LiveFrame>, DuckDbError>

const makersOf = (pages: ReadonlyArray<Page>): ReadonlyArray<FrameMaker> =>
  pages.flatMap(item => (item.frames ? [item.frames] : []))

/** Asks every projection for the frames of its channel. */
const frameReader =
  (makers: ReadonlyArray<FrameMaker>): FrameReader =>
  (context, since, wanted, limit = MAX_FRAMES) =>
    Effect.forEach(makers, maker => {
      const keys = wanted.get(maker.channel)
      return keys === undefined || keys.size === 0
        ? Effect.succeed([])
        : maker
            .frames(context, since, keys, limit)
            .pipe(Effect.map(list => list.map(frame => ({ channel: maker.channel, ...frame }))))
    }).pipe(Effect.map(lists => lists.flat()))

/** Frames from memory, of the channels whose makers have them. */
const earlyReader =
  (lane: FoldsOfLane, makers: ReadonlyArray<FrameMaker>): Queries["early"] =>
  (since, at, wanted) => {
    const channels: Array<string> = []
    const frames: Array<LiveFrame> = []
    const context = foldsContextAt(lane, at)
    for (const { channel, early } of makers) {
      const keys = wanted.get(channel) ?? new Set()
      const found = early?.(context, since, keys)
      if (found === undefined || found === null) continue
      channels.push(channel)
      for (const frame of found) frames.push({ channel, ...frame })
    }
    return { channels, frames }
  }

/** The first frames of a list, `limit` of them and what else stands at the last one's position. */
const pageOf = (list: ReadonlyArray<LiveFrame>, limit: number): ReadonlyArray<LiveFrame> => {
  let end = Math.min(limit, list.length)
  while (end > 0 && end < list.length && list[end]?.seq === list[end - 1]?.seq) end++
  return list.slice(0, end)
}

/** What a subscriber missed: undone stretches first, then the frames that stand. */
const historyOf = (
  chain: ChainConfig,
  request: HistoryRequest,
  makers: ReadonlyArray<FrameMaker>,
  context: QueryContext
): Effect.Effect<HistoryAnswer, DuckDbError> =>
  Effect.gen(function* () {
    const { channel, key, fromSeq, limit } = request
    const maker = makers.find(one => one.channel === channel)
    const oldest = maker?.oldest?.(context, fromSeq, key)
    const oldestSeq = oldest === undefined ? 0 : yield* oldest
    if (oldest !== undefined && oldestSeq > fromSeq) {
      return { oldestSeq, frames: null, complete: true, seq: context.seq }
    }
    const undone = yield* undoFrames(chain, request, context)
    if (undone.length > 0 && maker?.afterUndo !== undefined) {
      const present = yield* maker.afterUndo(context, fromSeq, new Set([key]))
      const frames = [...undone, ...present.map(frame => ({ channel, ...frame }))]
      return { oldestSeq, frames, complete: true, seq: context.seq }
    }
    const wanted = new Map([[channel, new Set([key])]])
    const framesOf = frameReader(makers)
    const list = [...undone, ...(yield* framesOf(context, fromSeq, wanted, limit + 1))]
    const frames = pageOf(list, limit)
    return { oldestSeq, frames, complete: list.length <= limit, seq: context.seq }
  })

/** The queries on committed rows, by name. */
const answersOnRows = (pages: ReadonlyArray<Page>): ReadonlyMap<string, RowsAnswer<never>> =>
  new Map(
    pages.flatMap(({ queries }) =>
      queries.flatMap(query => (query.on === "rows" ? [[query.name, query.answer]] : []))
    )
  )

/**
 * Answers from a store whose writer stands where `core` says. The projections answer their own
 * queries, and `pages` theirs.
 */
export const openQueries = (
  store: Store,
  chain: ChainConfig,
  folds: FoldSet,
  core: Standing,
  pages: ReadonlyArray<Page> = []
): Effect.Effect<Queries, DuckDbError, Scope.Scope> =>
  Effect.gen(function* () {
    const lane: FoldsOfLane = { chain, folds, retention: store.retention }
    // a commit's frames never wait behind what readers ask for
    const own = yield* store.database.connect
    const withReader = <A, E>(use: (context: QueryContext) => Effect.Effect<A, E>) =>
      store.readers.with(connection => inSnapshot(connection, lane, use))
    const all = [...folds.projections, ...pages]
    const queries = answersOnRows(all)
    const makers = makersOf(all)
    const framesOf = frameReader(makers)
    const onMemory = memoryAnswers(lane, core, all, withReader)
    return {
      answer: request =>
        Effect.suspend(() => {
          const answer = onMemory(request)
          if (answer !== null) return answer
          const query = queries.get(request.name)
          return query === undefined
            ? Effect.succeed(unknownQuery(request.name))
            : withReader(answerOf(query, request))
        }),
      early: earlyReader(lane, makers),
      channels: makers.map(({ channel }) => channel),
      frames: (since, wanted) => inSnapshot(own, lane, context => framesOf(context, since, wanted)),
      history: request =>
        Effect.gen(function* () {
          const { committed, folded } = core
          // who was told of a position before it is committed may go on from there at once
          const isAhead = request.fromSeq > committed.seq && request.fromSeq <= folded.seq
          if (isAhead) yield* whenStanding(core, true, () => undefined)
          return yield* withReader(context => historyOf(chain, request, makers, context))
        }),
      rows: sql => withReader(context => context.rows(sql))
    }
  })
