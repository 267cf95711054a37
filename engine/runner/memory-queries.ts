/** Queries on the folds' memory, asked while the folds stand between two segments. */
import { Effect } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import type { Page } from "../projection.ts"
import type { MemoryAnswer, ReadRest, RowsView, Settled } from "../query.ts"
import type { QueryAnswer, QueryRequest } from "../question.ts"
import { keptFrom } from "../store/retention.ts"
import type { Commit } from "../store/store.ts"
import { answerOf, MOST_LOOKS, readAnswer, tooBusy } from "./answers.ts"
import { type FoldsOfLane, foldsContextAt, haveFactsOf } from "./contexts.ts"
import { type Standing, untilStanding, type Wanted, whenFolded, whenStanding } from "./standing.ts"

/** Runs a read on a connection that nobody else has meanwhile. */
type WithReader = <A, E>(
  use: (view: RowsView) => Effect.Effect<A, E>
) => Effect.Effect<A, E | DuckDbError>

/** How tables are read: in one transaction, or statement by statement. */
export interface TableReads {
  /** all statements see the commit that the view names */
  readonly withReader: WithReader
  /** for rows that no later event changes: each statement sees the newest commit */
  readonly withPast: WithReader
}

/** What is asked: folds, where they stand, and the tables beside them. */
interface Asked extends TableReads {
  readonly lane: FoldsOfLane
  readonly core: Standing
}

/** What memory told, and where the folds stood. */
interface Looked {
  readonly at: Commit
  readonly found: Settled
  /** where nothing is left to be read */
  readonly answer: QueryAnswer | null
  readonly rollbacks: number
  /** whether the tables were not as far */
  readonly isAhead: boolean
}

/** The answer that needs nothing read; null where something is. */
const wholeAnswer = (seq: number, found: Settled): QueryAnswer | null => {
  if ("value" in found) return answerOf(seq, found.value)
  if ("json" in found) return { ok: true, seq, body: found.json }
  return "refused" in found ? { ok: false, seq, refusal: found.refused } : null
}

const look = (
  { lane, core }: Asked,
  query: MemoryAnswer<never>,
  { params }: QueryRequest,
  wanted: Wanted
): Effect.Effect<Looked> =>
  whenStanding(core, wanted, at => {
    const { seq } = at
    const settled = query(foldsContextAt(lane, at), params as never)
    const isAhead = seq > core.committed.seq
    return {
      at,
      found: settled,
      answer: wholeAnswer(seq, settled),
      rollbacks: core.rollbacks,
      isAhead
    }
  })

/** What is read as an answer at a position, on tables that `suits` takes; null on others. */
const readOn = (
  withReader: WithReader,
  { seq, block, blockTime }: Commit,
  read: ReadRest,
  suits: (tables: RowsView) => boolean
): Effect.Effect<QueryAnswer | null, DuckDbError> =>
  withReader<QueryAnswer | null, DuckDbError>(tables =>
    suits(tables)
      ? readAnswer(seq, read({ ...tables, seq, block, blockTime }))
      : Effect.succeed(null)
  )

/**
 * Whether tables hold the days that are kept as of a position, and no others. A commit that is
 * under way may take a day away at any moment.
 */
const haveDaysOf = ({ lane, core }: Asked, at: Commit): boolean => {
  const wanted = keptFrom(lane.retention, at.blockTime)
  return [core.committed, core.sealed ?? core.committed].every(({ blockTime }) => {
    const { raw, minutes } = keptFrom(lane.retention, blockTime)
    return raw === wanted.raw && minutes === wanted.minutes
  })
}

/** The answer with what is read; null where the tables do not fit what was looked at. */
const finish = (
  asked: Asked,
  { at, found, answer, rollbacks, isAhead }: Looked
): Effect.Effect<QueryAnswer | null, DuckDbError> => {
  const { core } = asked
  if (answer !== null) return Effect.succeed(answer)
  if ("later" in found) return Effect.as(whenFolded(core), null)
  if ("past" in found) {
    const { upTo, read, facts } = found.past
    // between two statements another branch may be rolled back, and the rows of a day may leave
    const suits = () =>
      core.rollbacks === rollbacks &&
      haveDaysOf(asked, at) &&
      (facts === "newest" || haveFactsOf(asked.lane, at))
    return Effect.andThen(untilStanding(core, upTo), readOn(asked.withPast, at, read, suits)).pipe(
      Effect.map(past => (suits() ? past : null))
    )
  }
  if (isAhead || !("read" in found)) return Effect.succeed(null)
  return readOn(asked.withReader, at, found.read, tables => tables.seq === at.seq).pipe(
    Effect.map(read => (haveFactsOf(asked.lane, at) ? read : null))
  )
}

/** Answers a request that is a query on memory; null for any other. */
export const memoryAnswers = (
  lane: FoldsOfLane,
  core: Standing,
  pages: ReadonlyArray<Page>,
  reads: TableReads
) => {
  const asked: Asked = { lane, core, ...reads }
  const queries = new Map<string, MemoryAnswer<never>>(
    pages.flatMap(({ queries: all }) =>
      all.flatMap(query => (query.on === "memory" ? [[query.name, query.answer]] : []))
    )
  )
  return (request: QueryRequest): Effect.Effect<QueryAnswer, DuckDbError> | null => {
    const query = queries.get(request.name)
    if (query === undefined) return null
    // only the first look may be ahead of the tables: most questions end with it
    const again = (left: number): Effect.Effect<QueryAnswer, DuckDbError> =>
      Effect.flatMap(look(asked, query, request, left < MOST_LOOKS ? "tables" : "folds"), looked =>
        Effect.flatMap(finish(asked, looked), answer => {
          if (answer !== null) return Effect.succeed(answer)
          // that memory was not ready is not the tables' fault
          if ("later" in looked.found) return again(left)
          return left > 0 ? again(left - 1) : Effect.succeed(tooBusy(lane, core.committed))
        })
      )
    return again(MOST_LOOKS)
  }
}
