import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import { answered, laneResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { servedLane, TOKEN, tokenOn } from "../served-lane.ts"
import { naming } from "../unknown-token.ts"
import { explainFlags } from "./explain-flags.query.ts"
import type { ExplainQuery } from "./flags.api.ts"

export const FlagsHandlers = HttpApiBuilder.group(
  Api,
  "flags",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo
    const explain = Effect.fnUntraced(function* (query: ExplainQuery) {
      const lane = yield* servedLane(lanes, query.chain)
      const token = yield* tokenOn(lane, query.token, TOKEN)
      const request = ask(explainFlags, { token, rules: query.rules ?? null })
      const answer = laneResponse(version, lane, request)
      return yield* naming(answer, lanes, lane, token)
    })
    return handlers.handle("explainFlags", ({ query }) => answered(explain(query)))
  })
)
