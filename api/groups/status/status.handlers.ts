import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { everyLane, type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { Trade } from "../../../engine/trade/trade.ts"
import { familyOf } from "../../../src/domain/chain-family.ts"
import { processMemory } from "../../../src/platform/process-memory.ts"
import { freshText } from "../../answering.ts"
import { Api } from "../../api.ts"
import { ServerCounters } from "../../counters.ts"
import { EngineInfo } from "../../engine-info.ts"
import { type QuoteStatus, quoteStatus } from "../quote-status.ts"
import { passesGate } from "../solana/status.ts"
import { toldAssurance } from "../told-assurance.ts"
import { FollowedStreams } from "./followed-streams.ts"
import { laneRow } from "./lane-row.ts"
import { metricsText } from "./metrics.ts"
import { Probed } from "./probed.ts"
import type { Status } from "./status.api.ts"

/** Whether the gate of a lane passes; null of a chain whose status has none. */
const gateOf = (lane: Lane): Effect.Effect<boolean | null> =>
  familyOf(lane.config).hasGate ? passesGate(lane) : Effect.succeed(null)

const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

export const StatusHandlers = HttpApiBuilder.group(
  Api,
  "status",
  Effect.fnUntraced(function* (handlers) {
    const all = everyLane(yield* Lanes)
    const trade = yield* Trade
    const counters = yield* ServerCounters
    const { uptime } = yield* Probed
    const streams = yield* FollowedStreams
    const { version, startedAtMs } = yield* EngineInfo
    const rowsNow = Effect.map(Clock.currentTimeMillis, nowMs => ({
      nowMs,
      rows: all.map(lane => laneRow(lane, nowMs))
    }))
    const uptimeSeconds = (nowMs: number): number => Math.floor((nowMs - startedAtMs) / 1000)
    return handlers
      .handle("getStatus", () =>
        Effect.gen(function* () {
          const quotes = yield* Effect.forEach(all, lane => quoteStatus(trade, lane), {
            concurrency: "unbounded"
          })
          const { nowMs, rows } = yield* rowsNow
          const told = rows.map((row, i) => ({
            ...{ ...row, assurance: toldAssurance(row) },
            quotes: quotes[i] as QuoteStatus
          }))
          const status: Status = {
            engine: version,
            startedAt: Math.floor(startedAtMs / 1000),
            uptimeSeconds: uptimeSeconds(nowMs),
            lanes: told,
            uptime: uptime(),
            streams: streams.all(),
            updatedAt: nowMs
          }
          return freshText(JSON.stringify(status), "application/json")
        })
      )
      .handle("getMetrics", () =>
        Effect.gen(function* () {
          const gates = yield* Effect.forEach(all, gateOf, { concurrency: "unbounded" })
          const { nowMs, rows } = yield* rowsNow
          const numbers = all.flatMap((lane, i) => {
            const [row, passesGate = null] = [rows[i], gates[i]]
            return row === undefined ? [] : [{ ...row, passesGate, totals: lane.totals() }]
          })
          return freshText(
            metricsText(numbers, streams.all(), counters, processMemory(), uptimeSeconds(nowMs)),
            METRICS_TYPE
          )
        })
      )
  })
)
