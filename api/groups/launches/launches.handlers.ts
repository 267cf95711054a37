import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import type { Refusal } from "../../errors.ts"
import { ownLane } from "../boards/own-lane.ts"
import { graduated } from "./graduated.query.ts"
import { launchers } from "./launchers.query.ts"
import { type GraduatedQuery, LAUNCHES_LIMIT, type LaunchersQuery } from "./launches.api.ts"

export const LaunchesHandlers = HttpApiBuilder.group(
  Api,
  "launches",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo

    const routesOf = (lane: Effect.Effect<Lane, Refusal>) => ({
      graduated: ({ limit, cursor }: GraduatedQuery) => {
        const page = { limit: limit ?? LAUNCHES_LIMIT, cursor: cursor ?? null }
        const request = ask(graduated, page)
        return answered(Effect.flatMap(lane, opened => laneResponse(version, opened, request)))
      },
      launchers: ({ sort, limit, offset }: LaunchersQuery) => {
        const page = { limit: limit ?? LAUNCHES_LIMIT, offset: offset ?? 0 }
        const request = ask(launchers, { sort: sort ?? "launches", ...page })
        return answered(Effect.flatMap(lane, opened => laneResponse(version, opened, request)))
      }
    })
    const arc = routesOf(ownLane(lanes, "arc"))
    const rh = routesOf(ownLane(lanes, "rh"))

    return handlers
      .handle("arcGraduated", ({ query }) => arc.graduated(query))
      .handle("arcLaunchers", ({ query }) => arc.launchers(query))
      .handle("rhGraduated", ({ query }) => rh.graduated(query))
      .handle("rhLaunchers", ({ query }) => rh.launchers(query))
  })
)
