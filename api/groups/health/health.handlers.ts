import { Clock, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { everyLane, type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { freshText } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { FollowedStreams, streamProblems } from "../status/followed-streams.ts"
import { laneRow } from "../status/lane-row.ts"
import type { ChainsHealth } from "./health.api.ts"

const TYPE = "application/json"
/** `Retry-After` in seconds: a lane notices trouble, and its end, within five seconds. */
const RETRY_SECONDS = "5"

/** Returns the body of a 503 where a lane is not well; null where all lanes are. */
const unwell = (lanes: ReadonlyArray<Lane>, warnings: ReadonlyArray<string>) => {
  const chains = lanes.flatMap(lane => {
    const { ok, state, problem } = lane.health()
    return ok ? [] : [{ chain: lane.config.key, state, problem: problem ?? state }]
  })
  if (chains.length === 0) return null
  const isTroubled = lanes.some(lane => lane.health().part !== null)
  const error = isTroubled ? "CHAIN_DATA_UNAVAILABLE" : "NOT_READY"
  const message = chains.map(({ chain, problem }) => `${chain}: ${problem}`).join("; ")
  return { error, message, chains, warnings }
}

const chainRow = (lane: Lane, nowMs: number): ChainsHealth["chains"][number] => {
  const { id, chain, name, ok, state, problem, block, blockTime, lag } = laneRow(lane, nowMs)
  const { part, sourceState } = lane.health()
  return {
    ...{ id, chain, name, ok, state, problem, part },
    source: sourceState,
    block,
    blockTime,
    blockAgeS: lag.seconds,
    staleAfterS: lag.staleAfterSeconds,
    lagBlocks: lag.blocks
  }
}

export const HealthHandlers = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const all = everyLane(yield* Lanes)
    const { version, startedAtMs } = yield* EngineInfo
    const streams = yield* FollowedStreams
    return handlers
      .handle("getHealth", () =>
        Effect.map(Clock.currentTimeMillis, nowMs => {
          const warnings = streamProblems(streams.all())
          const refused = unwell(all, warnings)
          if (refused !== null) {
            const response = freshText(JSON.stringify(refused), TYPE)
            const again = HttpServerResponse.setHeader(response, "retry-after", RETRY_SECONDS)
            return HttpServerResponse.setStatus(again, 503)
          }
          const uptimeSeconds = Math.floor((nowMs - startedAtMs) / 1000)
          return freshText(JSON.stringify({ ok: true, version, uptimeSeconds, warnings }), TYPE)
        })
      )
      .handle("getChainsHealth", () =>
        Effect.map(Clock.currentTimeMillis, nowMs => {
          const chains = all.map(lane => chainRow(lane, nowMs))
          const ok = chains.every(chain => chain.ok)
          const warnings = streamProblems(streams.all())
          const answer: ChainsHealth = { ok, chains, warnings, updatedAt: nowMs }
          return freshText(JSON.stringify(answer), TYPE)
        })
      )
  })
)
