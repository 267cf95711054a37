/** What answers to questions are made of, whatever they were read from. */
import { Effect } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import type { Refused } from "../query.ts"
import type { QueryAnswer } from "../question.ts"
import type { Commit } from "../store/store.ts"
import type { FoldsOfLane } from "./contexts.ts"

/** Times that a question is begun again because the lane went on meanwhile. */
export const MOST_LOOKS = 20

const encoder = new TextEncoder()

/** Returns the answer that a value is as of a position. */
export const answerOf = (seq: number, value: unknown): QueryAnswer => ({
  ok: true,
  seq,
  body: encoder.encode(JSON.stringify(value))
})

/** Reads the answer as of a position: a value, or a refusal. */
export const readAnswer = (
  seq: number,
  read: Effect.Effect<unknown, DuckDbError | Refused>
): Effect.Effect<QueryAnswer, DuckDbError> =>
  read.pipe(
    Effect.map(value => answerOf(seq, value)),
    Effect.catchTag("Refused", ({ refusal }) =>
      Effect.succeed<QueryAnswer>({ ok: false, seq, refusal })
    )
  )

/** Returns the answer to a question that was begun too often. */
export const tooBusy = ({ chain }: FoldsOfLane, { seq }: Commit): QueryAnswer => ({
  ...{ ok: false, seq },
  refusal: {
    ...{ status: 503, code: "CHAIN_DATA_UNAVAILABLE" },
    message: `chain ${chain.id} moves too fast to be read; try again`
  }
})
