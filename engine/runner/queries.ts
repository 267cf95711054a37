/**
 * Runs queries of projections and pages on reader connections, beside the writer. Each query is one
 * read transaction, so all its statements and the position it reports see the same commit.
 */
import { Effect, type Scope } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { shownChain } from "../../src/domain/shown-chain.ts"
import type { Connection, DuckDbError } from "../../src/platform/duckdb.ts"
import type { HistoryAnswer, HistoryRequest, LiveFrame } from "../frames.ts"
import { refill } from "../memory/refill.ts"
import type { Page } from "../projection.ts"
import type { RowsAnswer, RowsView } from "../query.ts"
import type { QueryAnswer, QueryRequest } from "../question.ts"
import { mergedNow } from "../store/merged.ts"
import { rolledBack } from "../store/readers.ts"
import type { Commit, Store } from "../store/store.ts"
import { MOST_LOOKS, readAnswer, tooBusy } from "./answers.ts"
import { type FoldsOfLane, foldsContextAt, haveFactsOf } from "./contexts.ts"
import type { FoldSet } from "./fold-set.ts"
import {
  framesInMemory,
  framesMissed,
  framesSince,
  makersOf,
  undoFrame,
  type WantedFrames
} from "./frames.ts"
import { memoryAnswers } from "./memory-queries.ts"
import { type Standing, untilStanding } from "./standing.ts"

export interface Queries {
  readonly answer: (request: QueryRequest) => Effect.Effect<QueryAnswer, DuckDbError>
  /** live frames of everything after `since`, for the wanted keys of each channel */
  readonly frames: (
    since: number,
    wanted: WantedFrames
  ) => Effect.Effect<ReadonlyArray<LiveFrame>, DuckDbError>
  /**
   * Those of them that rows in memory make while the folds stand at `at`, committed or not, and the
   * channels they are all frames of.
   */
  readonly framesInMemory: (
    since: number,
    at: Commit,
    wanted: WantedFrames
  ) => { readonly channels: ReadonlyArray<string>; readonly frames: ReadonlyArray<LiveFrame> }
  /** all channels */
  readonly channels: ReadonlyArray<string>
  /** tells the readers of a key that what stands after `toSeq` and before `seq` is void */
  readonly undoFrame: (channel: string, key: string, seq: number, toSeq: number) => LiveFrame
  readonly history: (request: HistoryRequest) => Effect.Effect<HistoryAnswer, DuckDbError>
  readonly rows: Connection["rows"]
  /** fills the tails of tables with their newest rows; answers how many came back */
  readonly refillTails: Effect.Effect<number, DuckDbError>
}

/** The newest commit; sorting takes DuckDB three times as long. */
const NEWEST_COMMIT = `SELECT max(seq) AS seq, arg_max(block, seq) AS block,
  arg_max(block_time, seq) AS block_time FROM lane_commits`

/** Whose rows are read. */
interface Read {
  readonly lane: FoldsOfLane
  readonly store: Store
}

/** Reads in a transaction, which whoever has the connection ends, with the commit it sees. */
const inSnapshot = <A, E>(
  connection: Connection,
  { lane, store }: Read,
  use: (view: RowsView) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const merged = mergedNow(store)
    const [row = {}] = yield* connection.rows(`BEGIN TRANSACTION READ ONLY; ${NEWEST_COMMIT}`)
    const at = {
      seq: Number(row["seq"] ?? 0),
      block: Number(row["block"] ?? 0),
      blockTime: Number(row["block_time"] ?? 0)
    }
    const { rows, columns } = connection
    return yield* use({ ...foldsContextAt(lane, at), merged, rows, columns })
  })

/**
 * No transaction: one statement takes a quarter of the way there and back. Each takes a connection
 * of its own, so that a read of many statements keeps none from others between two of them, nor a
 * rollback, which waits for all.
 */
const statementByStatement = <A, E>(
  { lane, store }: Read,
  core: Standing,
  use: (view: RowsView) => Effect.Effect<A, E>
) =>
  Effect.suspend(() => {
    const { with: withOne } = store.readers
    return use({
      ...foldsContextAt(lane, core.committed),
      merged: mergedNow(store),
      rows: sql => withOne(({ rows }) => rows(sql)),
      columns: sql => withOne(({ columns }) => columns(sql))
    })
  })

const unknownQuery = (name: string): QueryAnswer => ({
  ok: false,
  seq: 0,
  refusal: { status: 404, code: "NOT_FOUND", message: `no query is named ${name}` }
})

/** The answer of committed rows, made with the facts of the commit that it is of. */
const fromRows = (
  lane: FoldsOfLane,
  core: Standing,
  read: Effect.Effect<QueryAnswer, DuckDbError>
): Effect.Effect<QueryAnswer, DuckDbError> => {
  const from = (seq: number, left: number): Effect.Effect<QueryAnswer, DuckDbError> =>
    Effect.andThen(untilStanding(core, seq), read).pipe(
      Effect.flatMap(answer => {
        if (haveFactsOf(lane, answer)) return Effect.succeed(answer)
        return left > 0
          ? from(lane.folds.factsSeq, left - 1)
          : Effect.succeed(tooBusy(lane, core.committed))
      })
    )
  // no page is older than what readers were told of
  return Effect.suspend(() => from(core.told.seq, MOST_LOOKS))
}

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
    const read: Read = { lane, store }
    // a commit's frames never wait behind what readers ask for
    const own = yield* store.database.connect
    const withReader = <A, E>(use: (view: RowsView) => Effect.Effect<A, E>) =>
      store.readers.within(connection => inSnapshot(connection, read, use))
    const withPast = <A, E>(use: (view: RowsView) => Effect.Effect<A, E>) =>
      statementByStatement(read, core, use)
    const all = [...folds.projections, ...pages]
    const queries = answersOnRows(all)
    const makers = makersOf(all)
    const onMemory = memoryAnswers(lane, core, all, { withReader, withPast })
    return {
      answer: request =>
        Effect.suspend(() => {
          const answer = onMemory(request)
          if (answer !== null) return answer
          const query = queries.get(request.name)
          return query === undefined
            ? Effect.succeed(unknownQuery(request.name))
            : fromRows(
                lane,
                core,
                withReader(view => readAnswer(view.seq, query(view, request.params as never)))
              )
        }),
      framesInMemory: (since, at, wanted) =>
        framesInMemory(folds, makers, foldsContextAt(lane, at), since, wanted),
      channels: makers.map(({ channel }) => channel),
      undoFrame: (channel, key, seq, toSeq) => {
        const maker = makers.find(one => one.channel === channel) ?? { channel, named: () => ({}) }
        return undoFrame(shownChain(chain), maker, key, seq, toSeq)
      },
      frames: (since, wanted) =>
        inSnapshot(own, read, view => framesSince(makers, view, since, wanted)).pipe(
          Effect.ensuring(rolledBack(own))
        ),
      history: request =>
        Effect.gen(function* () {
          const { committed, folded } = core
          // who was told of a position before it is committed may go on from there at once
          const isAhead = request.fromSeq > committed.seq && request.fromSeq <= folded.seq
          if (isAhead) yield* untilStanding(core, "tables")
          return yield* withReader(view => framesMissed(makers, chain, request, view))
        }),
      rows: sql => withReader(view => view.rows(sql)),
      refillTails: Effect.andThen(
        untilStanding(core, "tables"),
        withReader(({ seq, columns }) =>
          Effect.map(
            Effect.forEach(folds.tails, tail => refill(tail, seq, columns)),
            counts => counts.reduce((sum, count) => sum + count, 0)
          )
        )
      )
    }
  })
