/** How a chain's lane is: at first, then where that changed. */
import { Effect, Result, Schema } from "effect"
import { LANE_STATES } from "../../../engine/lane/status.ts"
import { Seconds } from "../../groups/fields.ts"
import { laneRow } from "../../groups/status/lane-row.ts"
import type { Channel, PresentOf } from "../channel.ts"
import { All, opening, Seq } from "../frame-fields.ts"

const Count = Schema.Int
const StatusFrame = Schema.Struct({
  ...opening("status", "status"),
  seq: Seq,
  at: Seconds.annotate({ description: "the server's clock, Unix seconds" }),
  all: All,
  key: Schema.String,
  ok: Schema.Boolean,
  state: Schema.Literals(LANE_STATES),
  problem: Schema.NullOr(Schema.String),
  log: Schema.NullOr(Schema.String),
  logSeq: Count,
  block: Schema.NullOr(Count),
  blockTime: Schema.NullOr(Seconds),
  lag: Schema.Struct({
    events: Count.annotate({ description: "log positions that answers do not stand at yet" }),
    blocks: Schema.NullOr(Count).annotate({ description: "blocks behind the source's head" })
  })
})

const present: PresentOf = {
  everyMs: 0,
  ofTables: false,
  stands: () => "",
  read: (lane, _, nowMs) =>
    Effect.sync(() => {
      const row = laneRow(lane, nowMs)
      const { ok, state, problem, log, seq, logSeq, block, blockTime, lag } = row
      const told = { key: lane.config.key, ok, state, problem, log, logSeq, block, blockTime }
      const status = JSON.stringify({
        seq,
        ...told,
        lag: { events: lag.events, blocks: lag.blocks }
      })
      return { parts: new Map([["status", status]]), seq, at: Math.floor(nowMs / 1000) }
    }),
  frameOf: (parts, topic, { at, all }) => {
    const head = JSON.stringify({ type: "status", ...topic, at, all }).slice(0, -1)
    return `${head},${(parts.get("status") ?? "{}").slice(1)}`
  }
}

export const status: Channel = {
  name: "status",
  summary: "how a chain's lane is: state, position, block, lag and problem",
  takes: [],
  partOf: () => Result.succeed({ key: "*", named: {} }),
  frames: { status: StatusFrame },
  newest: null,
  present
}
