/** `GET /v1/health` (spec 4.17). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_ROUTE } from "../../errors.ts"
import { documented } from "../../parameters.ts"

const Health = Schema.Struct({
  ok: Schema.Literal(true),
  version: Schema.String,
  uptimeSeconds: Schema.Int
}).annotate({
  identifier: "Health",
  description: "the service answers",
  examples: [{ ok: true, version: "0.1.0", uptimeSeconds: 3600 }]
})

export const HealthApi = HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("getHealth", "/health", {
      success: Health,
      error: ANY_ROUTE
    }).annotateMerge(
      documented({
        summary: "Health of the service",
        description:
          "200 while the service answers, whatever its chains do; `/v1/status` tells of those."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Health", description: "Service and lanes" }))
