/** `GET /v1/agent/stats`: agent traffic by tool and by chain (spec 4.3). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_ROUTE } from "../../errors.ts"
import { documented } from "../../parameters.ts"
import { ChainId, Milliseconds, Seconds } from "../fields.ts"

const tally = {
  calls: Schema.Int,
  errors: Schema.Int.annotate({ description: "calls whose result is an error" })
}

const AgentStats = Schema.Struct({
  startedAt: Seconds.annotate({ description: "from when the counts are: the process's start" }),
  requests: Schema.Int.annotate({
    description: "JSON-RPC requests of all methods, also those that call no tool"
  }),
  ...tally,
  tools: Schema.Array(Schema.Struct({ tool: Schema.String, ...tally })).annotate({
    description: "every tool, most called first"
  }),
  chains: Schema.Array(Schema.Struct({ id: ChainId, chain: Schema.String, ...tally })).annotate({
    description: "every chain served here, most asked first: calls that name it or mean it"
  }),
  updatedAt: Milliseconds
}).annotate({
  identifier: "AgentStats",
  description: "what agents asked of the MCP server of this process",
  examples: [
    {
      startedAt: 1_790_000_000,
      requests: 14,
      calls: 9,
      errors: 1,
      tools: [{ tool: "swaptape_token_board", calls: 9, errors: 1 }],
      chains: [{ id: 8453, chain: "base", calls: 9, errors: 1 }],
      updatedAt: 1_790_003_600_000
    }
  ]
})
export type AgentStats = typeof AgentStats.Type

export const AgentsApi = HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.get("getAgentStats", "/agent/stats", {
      success: AgentStats,
      error: ANY_ROUTE
    }).annotateMerge(
      documented({
        toldBy: "server",
        tool: { none: "tells whoever runs the service what agents ask of it" },
        summary: "Agent traffic",
        description:
          "Calls of the MCP server's tools since the process began, by tool and by chain. A call that is about no chain, or about one that is not served here, counts by its tool alone."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Agents", description: "What agents ask" }))
