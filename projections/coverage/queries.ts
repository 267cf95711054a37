/** Counters for the lane's status. */
import { Effect } from "effect"
import type { Query } from "../../engine/projection.ts"
import { KIND } from "../../streams/batch/batch.ts"

const newest = (name: string, key: string): string =>
  `(SELECT * FROM (SELECT * FROM ${name} UNION ALL SELECT * FROM ${name}_tail)
    QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY seq DESC) = 1)`

interface Range {
  readonly fromBlock: number
  readonly toBlock: number
}

/** What is left of a range once another is taken out of it. */
export const without = (range: Range, filled: Range): ReadonlyArray<Range> =>
  [
    { fromBlock: range.fromBlock, toBlock: Math.min(range.toBlock, filled.fromBlock - 1) },
    { fromBlock: Math.max(range.fromBlock, filled.toBlock + 1), toBlock: range.toBlock }
  ].filter(
    (part, place, parts) =>
      part.fromBlock <= part.toBlock &&
      !(place === 1 && parts[0]?.fromBlock === part.fromBlock && parts[0]?.toBlock === part.toBlock)
  )

/** Events, swaps, quarantined logs by reason, open gaps. */
const counters: Query = context =>
  Effect.gen(function* () {
    const kinds = yield* context.rows(`SELECT kind, events FROM ${newest("event_counts", "kind")}`)
    const quarantined = yield* context.rows(
      `SELECT reason, logs FROM ${newest("quarantine", "slot")} ORDER BY slot`
    )
    const gaps = yield* context.rows("SELECT * FROM gaps ORDER BY seq")
    let open: ReadonlyArray<Range> = []
    for (const row of gaps) {
      const range = { fromBlock: Number(row["from_block"]), toBlock: Number(row["to_block"]) }
      open = Number(row["open"]) === 1 ? [...open, range] : open.flatMap(gap => without(gap, range))
    }
    return {
      events: kinds.reduce((sum, row) => sum + Number(row["events"]), 0),
      swaps: Number(kinds.find(row => Number(row["kind"]) === KIND.SwapExecuted)?.["events"] ?? 0),
      quarantined: quarantined.map(row => ({
        reason: String(row["reason"]),
        count: Number(row["logs"])
      })),
      gaps: open
    }
  })

export const queries = { counters }
