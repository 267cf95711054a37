/** `GET /v1/status` and `GET /metrics`. The spec leaves the payload open (DECISIONS.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ANY_ROUTE } from "../../errors.ts"
import { documented } from "../../parameters.ts"
import { ChainId, Milliseconds, Seconds } from "../fields.ts"

const Count = Schema.Int

const Source = Schema.Struct({
  kind: Schema.Literals(["evm-rpc", "file", "devchain"]).annotate({
    description: "`devchain` is a simulated market on a local node: nothing on it is real"
  }),
  description: Schema.String,
  state: Schema.Literals(["starting", "backfill", "live", "retrying", "ended", "stopped"]),
  problem: Schema.NullOr(Schema.String),
  headBlock: Schema.NullOr(Schema.Int),
  emittedBlock: Schema.NullOr(Schema.Int),
  logs: Count,
  quarantined: Count,
  retries: Count,
  reorgs: Count
}).annotate({ identifier: "SourceStatus" })

const Lag = Schema.Struct({
  events: Count.annotate({ description: "log positions not yet in the tables" }),
  blocks: Schema.NullOr(Count).annotate({ description: "blocks behind the source's head" }),
  seconds: Schema.NullOr(Schema.Finite).annotate({
    description: "age of the newest committed block"
  })
})

const LaneRow = Schema.Struct({
  id: ChainId,
  chain: Schema.String.annotate({ description: "key of the chain" }),
  name: Schema.String,
  state: Schema.Literals(["starting", "rebuilding", "catching-up", "live", "stopped", "failed"]),
  problem: Schema.NullOr(Schema.String),
  seq: Count.annotate({ description: "committed log position" }),
  logSeq: Count.annotate({ description: "newest log position" }),
  block: Schema.NullOr(Schema.Int),
  blockTime: Schema.NullOr(Seconds),
  lag: Lag,
  retentionCutoffDay: Schema.NullOr(Seconds).annotate({
    description: "UTC day from which raw trades are kept; null while all are"
  }),
  events: Count,
  swaps: Count,
  quarantined: Schema.Array(Schema.Struct({ reason: Schema.String, count: Count })),
  gaps: Schema.Array(Schema.Struct({ fromBlock: Schema.Int, toBlock: Schema.Int })),
  rollbacks: Count,
  lastRollbackDepth: Schema.NullOr(Count),
  memoryBytes: Count,
  projections: Schema.Array(Schema.Struct({ name: Schema.String, version: Schema.Int })),
  source: Schema.NullOr(Source),
  warnings: Schema.Array(Schema.String)
}).annotate({ identifier: "LaneStatus" })
export type LaneRow = typeof LaneRow.Type

export const Status = Schema.Struct({
  engine: Schema.String,
  startedAt: Seconds,
  uptimeSeconds: Schema.Int,
  lanes: Schema.Array(LaneRow),
  updatedAt: Milliseconds
}).annotate({ identifier: "Status", description: "every lane as it stands" })
export type Status = typeof Status.Type

const MetricsText = Schema.String.pipe(
  HttpApiSchema.asText({ contentType: "text/plain; version=0.0.4; charset=utf-8" })
).annotate({ description: "metrics in Prometheus' text format" })

export const StatusApi = HttpApiGroup.make("status")
  .add(
    HttpApiEndpoint.get("getStatus", "/v1/status", {
      success: Status,
      error: ANY_ROUTE
    }).annotateMerge(
      documented({
        summary: "Status of every lane",
        description:
          "Position in log and chain, lag, source, quarantined logs by reason, open gaps and rollbacks. Never cached."
      })
    ),
    HttpApiEndpoint.get("getMetrics", "/metrics", {
      success: MetricsText,
      error: ANY_ROUTE
    }).annotateMerge(
      documented({
        summary: "Metrics for Prometheus",
        description: "The numbers of `/v1/status` and the server's own counters."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Status", description: "How the lanes fare" }))
