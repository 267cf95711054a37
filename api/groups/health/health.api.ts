/** `GET /v1/health` (spec 4.17) and `GET /v1/health/chains` (spec 4.3). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ANY_ROUTE } from "../../errors.ts"
import { documented } from "../../parameters.ts"
import { ChainId, Milliseconds, Seconds } from "../fields.ts"
import { LaneState, SourceState } from "../status/status.api.ts"

const Warnings = Schema.Array(Schema.String).annotate({
  description:
    "what is wrong beside the chains' data, in words: what streams lost that engines share (`streams` of `/v1/status`)"
})

const Health = Schema.Struct({
  ok: Schema.Literal(true),
  version: Schema.String,
  uptimeSeconds: Schema.Int,
  warnings: Warnings
}).annotate({
  identifier: "Health",
  description: "every chain's tables hold what the chain has, but for the last moments",
  examples: [{ ok: true, version: "0.1.0", uptimeSeconds: 3600, warnings: [] }]
})

const Unwell = Schema.Struct({
  error: Schema.Literals(["NOT_READY", "CHAIN_DATA_UNAVAILABLE"]),
  message: Schema.String.annotate({ description: "what is wrong with which chain, in words" }),
  chains: Schema.Array(
    Schema.Struct({ chain: Schema.String, state: LaneState, problem: Schema.String })
  ).annotate({ description: "those that are not well" }),
  warnings: Warnings
})
  .annotate({
    identifier: "Unwell",
    description: "NOT_READY: a chain only begins; CHAIN_DATA_UNAVAILABLE: one is in trouble"
  })
  .pipe(HttpApiSchema.status(503))

const ChainHealth = Schema.Struct({
  id: ChainId,
  chain: Schema.String.annotate({ description: "key of the chain" }),
  name: Schema.String,
  ok: Schema.Boolean,
  state: LaneState,
  problem: Schema.NullOr(Schema.String).annotate({
    description: "why `ok` is false, in words; null where it is true"
  }),
  part: Schema.NullOr(
    Schema.Literals(["lane", "tables", "log", "log-server", "source", "chain"])
  ).annotate({
    description: "what is in trouble; null where nothing is, also while a chain only begins"
  }),
  source: Schema.NullOr(SourceState),
  block: Schema.NullOr(Schema.Int),
  blockTime: Schema.NullOr(Seconds),
  blockAgeS: Schema.NullOr(Schema.Finite),
  staleAfterS: Schema.Finite.annotate({
    description: "age of the newest block from which on the data are stale"
  }),
  lagBlocks: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "ChainHealth" })

export const ChainsHealth = Schema.Struct({
  ok: Schema.Boolean.annotate({ description: "whether all are" }),
  chains: Schema.Array(ChainHealth),
  warnings: Warnings,
  updatedAt: Milliseconds
}).annotate({ identifier: "ChainsHealth", description: "health of every chain, one row each" })
export type ChainsHealth = typeof ChainsHealth.Type

export const HealthApi = HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("getHealth", "/health", {
      success: Health,
      error: [...ANY_ROUTE, Unwell]
    }).annotateMerge(
      documented({
        toldBy: "server",
        tool: {
          none: "swaptape_health says it of each chain, and is no error while one is unwell"
        },
        summary: "Health of the service",
        description:
          "200 while every chain is well. 503 within five seconds of the first reason to doubt that, with the reasons: a source, the log's server, a lane or its tables died or hang, or a chain has had no block for too long. Answers of other routes are true as of their own position also then. What is wrong with anything else is in `warnings`, and makes no 503: no other engine on the same log would be better."
      })
    ),
    HttpApiEndpoint.get("getChainsHealth", "/health/chains", {
      success: ChainsHealth,
      error: ANY_ROUTE
    }).annotateMerge(
      documented({
        toldBy: "server",
        tool: "health",
        summary: "Health of every chain",
        description: "One row a chain, always with 200; `ok` and `problem` say how it is."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Health", description: "Service and lanes" }))
