import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { freshText } from "../../answering.ts"
import { Api } from "../../api.ts"
import { ServerCounters } from "../../counters.ts"
import { EngineInfo } from "../../engine-info.ts"
import { toldAssurance } from "../told-assurance.ts"
import { laneRow } from "./lane-row.ts"
import { metricsText } from "./metrics.ts"
import type { Status } from "./status.api.ts"

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

export const StatusHandlers = HttpApiBuilder.group(
  Api,
  "status",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const counters = yield* ServerCounters
    const { version, startedAtMs } = yield* EngineInfo
    const read = Effect.map(
      Clock.currentTimeMillis,
      (nowMs): Status => ({
        engine: version,
        startedAt: Math.floor(startedAtMs / 1000),
        uptimeSeconds: Math.floor((nowMs - startedAtMs) / 1000),
        lanes: lanes.all.map(lane => laneRow(lane, nowMs)),
        updatedAt: nowMs
      })
    )
    return handlers
      .handle("getStatus", () =>
        Effect.map(read, status => {
          const told = status.lanes.map(row => ({ ...row, assurance: toldAssurance(row) }))
          return freshText(JSON.stringify({ ...status, lanes: told }), "application/json")
        })
      )
      .handle("getMetrics", () =>
        Effect.map(read, ({ lanes: rows, uptimeSeconds }) => {
          const numbers = lanes.all.flatMap((lane, i) => {
            const row = rows[i]
            return row === undefined ? [] : [{ ...row, totals: lane.totals() }]
          })
          return freshText(metricsText(numbers, counters, uptimeSeconds), METRICS_TYPE)
        })
      )
  })
)
