import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { ApiKey } from "../../../engine/keys/key-book.ts"
import { freshText, refusalResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { API_KEY_CHALLENGE, CallerKey, KeyUse, type WindowUse } from "../../caller-key.ts"
import type { AccountKey } from "./account.api.ts"

const seconds = (ms: number): number => Math.floor(ms / 1000)

const told = (key: ApiKey, { since, reset, buckets }: WindowUse): AccountKey => ({
  ...{ id: key.id, name: key.name, plan: key.plan, createdAt: seconds(key.createdAtMs) },
  rotatedAt: key.rotatedAtMs === null ? null : seconds(key.rotatedAtMs),
  window: { since, reset },
  limits: buckets
})

const NO_KEY = "the request has no X-API-Key: send the key that is to be told of"

export const AccountHandlers = HttpApiBuilder.group(
  Api,
  "account",
  Effect.fnUntraced(function* (handlers) {
    const use = yield* KeyUse
    return handlers.handle("getKey", () =>
      Effect.map(CallerKey, key => {
        if (key === null) {
          const refusal = { status: 401, code: "API_KEY_REQUIRED", message: NO_KEY }
          return refusalResponse(refusal, API_KEY_CHALLENGE)
        }
        return freshText(JSON.stringify(told(key, use.of(key))), "application/json")
      })
    )
  })
)
