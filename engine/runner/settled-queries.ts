/** Queries on the folds' memory, asked while the folds stand at the end of a segment. */
import { Effect } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import type { QueryAnswer, QueryRequest } from "../lane/protocol.ts"
import type { MemoryAnswer, QueryContext, Refused, Settled } from "../query.ts"
import type { FoldSet } from "./fold-set.ts"
import { type Position, whenStanding } from "./standing.ts"

type WithReader = <A, E>(
  use: (context: QueryContext) => Effect.Effect<A, E>
) => Effect.Effect<A, E | DuckDbError>

/** Times that memory is looked at again because rows were of a later commit. */
const MOST_LOOKS = 20

const encoder = new TextEncoder()

const answerOf = (seq: number, value: unknown): QueryAnswer => ({
  ok: true,
  seq,
  body: encoder.encode(JSON.stringify(value))
})

/** Answers a request that is a query on memory; null for any other. */
export const settledAnswers = (
  chain: ChainConfig,
  { projections, output }: FoldSet,
  core: Position,
  withReader: WithReader
) => {
  const queries = new Map<string, MemoryAnswer<never>>(
    projections.flatMap(({ queries: all }) =>
      all.flatMap(query => (query.on === "memory" ? [[query.name, query.answer]] : []))
    )
  )

  /** The rest of an answer from rows of the commit at `seq`; null where that has passed. */
  const readAt = (
    seq: number,
    read: Extract<Settled, { read: unknown }>["read"]
  ): Effect.Effect<QueryAnswer | null, DuckDbError> =>
    withReader<QueryAnswer | null, DuckDbError>(context =>
      context.seq === seq
        ? read(context).pipe(
            Effect.map((value): QueryAnswer => answerOf(seq, value)),
            Effect.catchTag("Refused", ({ refusal }: Refused) =>
              Effect.succeed<QueryAnswer>({ ok: false, seq, refusal })
            )
          )
        : Effect.succeed(null)
    )

  /** Null where the tables are not where memory was looked at. */
  const answer = (
    query: MemoryAnswer<never>,
    params: QueryRequest["params"],
    wantsTables: boolean
  ): Effect.Effect<QueryAnswer | null, DuckDbError> =>
    whenStanding(core, wantsTables, ({ seq, block, blockTime }) => {
      const isAhead = seq > core.committed.seq
      const found = query({ chain, seq, block, blockTime, output }, params as never)
      if ("json" in found) {
        return { seq, isAhead, found: { ok: true, seq, body: found.json } satisfies QueryAnswer }
      }
      return { seq, isAhead, found: "value" in found ? answerOf(seq, found.value) : found }
    }).pipe(
      Effect.flatMap(({ seq, isAhead, found }): Effect.Effect<QueryAnswer | null, DuckDbError> => {
        if ("ok" in found) return Effect.succeed(found)
        if ("refused" in found) {
          return Effect.succeed<QueryAnswer>({ ok: false, seq, refusal: found.refused })
        }
        return isAhead ? Effect.succeed(null) : readAt(seq, found.read)
      })
    )

  return (request: QueryRequest): Effect.Effect<QueryAnswer, DuckDbError> | null => {
    const query = queries.get(request.name)
    if (query === undefined) return null
    // only the first look may be ahead of the tables: most questions end with it
    const again = (left: number): Effect.Effect<QueryAnswer, DuckDbError> =>
      Effect.flatMap(answer(query, request.params, left < MOST_LOOKS), found => {
        if (found !== null) return Effect.succeed(found)
        const busy = `chain ${chain.id} moves too fast to be read; try again`
        return left > 0
          ? again(left - 1)
          : Effect.succeed<QueryAnswer>({
              ok: false,
              seq: core.committed.seq,
              refusal: { status: 503, code: "CHAIN_DATA_UNAVAILABLE", message: busy }
            })
      })
    return again(MOST_LOOKS)
  }
}
