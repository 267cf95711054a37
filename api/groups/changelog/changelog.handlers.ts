import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { lastingResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { CONTRACT_DAYS, CONTRACT_VERSION } from "./contract-changes.ts"

export const ChangelogHandlers = HttpApiBuilder.group(
  Api,
  "changelog",
  Effect.fnUntraced(function* (handlers) {
    const { version } = yield* EngineInfo
    const text = JSON.stringify({ version: CONTRACT_VERSION, days: CONTRACT_DAYS })
    const response = lastingResponse(version, new TextEncoder().encode(text), "application/json")
    return handlers.handle("getChangelog", () => Effect.succeed(response))
  })
)
