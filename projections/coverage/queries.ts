/** Counters for the lane's status. */
import { Effect } from "effect"
import { type GapMark, openGaps } from "../../engine/late/gap-ledger.ts"
import type { JoinMark, PinMark } from "../../engine/late/pin-ledger.ts"
import { leastOf, toldRuns, type WordRun } from "../../engine/late/word-runs.ts"
import { type QueryContext, rowsQuery } from "../../engine/query.ts"
import type { Row } from "../../src/platform/duckdb.ts"
import { KIND } from "../../streams/batch/batch.ts"

const newest = (name: string, key: string): string =>
  `(SELECT * FROM (SELECT * FROM ${name} UNION ALL SELECT * FROM ${name}_tail)
    QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1)`

const markOf = (row: Row): GapMark => ({
  open: Number(row["open"]) === 1,
  fromBlock: Number(row["from_block"]),
  toBlock: Number(row["to_block"]),
  reason: row["reason"] === null ? null : String(row["reason"]),
  at: Number(row["at_block"])
})

const readMarks = (context: QueryContext) =>
  Effect.map(context.rows("SELECT * FROM gaps ORDER BY seq"), rows => rows.map(markOf))

const pinOf = (row: Row): PinMark => ({
  token: String(row["token"]),
  fromBlock: Number(row["from_block"]),
  toBlock: Number(row["to_block"]),
  reach: row["reach"] === null ? null : String(row["reach"]),
  at: Number(row["at_block"])
})

const joinOf = (row: Row): JoinMark => ({
  lastSeq: Number(row["last_seq"]),
  at: Number(row["at_block"])
})

const wordOf = (row: Row): WordRun => ({
  grade: String(row["grade"]),
  fromBlock: Number(row["from_block"]),
  toBlock: Number(row["to_block"]),
  blocks: Number(row["blocks"])
})

const readWords = (context: QueryContext) =>
  Effect.map(
    context.rows(`SELECT * FROM ${newest("words", "slot")} WHERE blocks > 0 ORDER BY from_block`),
    rows => rows.map(wordOf)
  )

/** What the log says of gaps and pinned tokens, for the source that fills what is missing. */
export const marks = rowsQuery("marks", context =>
  Effect.gen(function* () {
    const gaps = yield* readMarks(context)
    const pins = (yield* context.rows("SELECT * FROM pins ORDER BY seq")).map(pinOf)
    const joins = (yield* context.rows("SELECT * FROM joins ORDER BY seq")).map(joinOf)
    const words = yield* readWords(context)
    return { gaps, pins, joins, words }
  })
)

/** Events, swaps, quarantined logs by reason, open gaps, blocks that are somebody's word. */
export const counters = rowsQuery("counters", context =>
  Effect.gen(function* () {
    const kinds = yield* context.rows(`SELECT kind, events FROM ${newest("event_counts", "kind")}`)
    const quarantined = yield* context.rows(
      `SELECT reason, logs FROM ${newest("quarantine", "slot")} ORDER BY slot`
    )
    const words = yield* readWords(context)
    return {
      assurance: leastOf(words),
      words: toldRuns(words),
      events: kinds.reduce((sum, row) => sum + Number(row["events"]), 0),
      swaps: Number(kinds.find(row => Number(row["kind"]) === KIND.SwapExecuted)?.["events"] ?? 0),
      quarantined: quarantined.map(row => ({
        reason: String(row["reason"]),
        count: Number(row["logs"])
      })),
      gaps: openGaps(yield* readMarks(context))
    }
  })
)
