import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { freshText } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"

export const HealthHandlers = HttpApiBuilder.group(
  Api,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const { version, startedAtMs } = yield* EngineInfo
    return handlers.handle("getHealth", () =>
      Effect.map(Clock.currentTimeMillis, nowMs => {
        const uptimeSeconds = Math.floor((nowMs - startedAtMs) / 1000)
        return freshText(JSON.stringify({ ok: true, version, uptimeSeconds }), "application/json")
      })
    )
  })
)
