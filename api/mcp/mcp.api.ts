/** `POST /v1/mcp`, `GET /v1/mcp/tools.json` and `GET /v1/mcp/server-card` (spec 4.3). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ANY_BODY, ANY_ROUTE, failure } from "../errors.ts"
import { documented } from "../parameters.ts"

const Message = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Int])),
  method: Schema.optionalKey(Schema.String),
  params: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
}).annotate({ identifier: "McpMessage", description: "one JSON-RPC message; no list of them" })

const Reply = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: Schema.Union([Schema.String, Schema.Int]),
  result: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  error: Schema.optionalKey(
    Schema.Struct({
      code: Schema.Int,
      message: Schema.String,
      data: Schema.optionalKey(Schema.Unknown)
    })
  )
}).annotate({ identifier: "McpReply", description: "the JSON-RPC response to a request" })

const ToolFunction = Schema.Struct({
  type: Schema.Literal("function"),
  function: Schema.Struct({
    name: Schema.String,
    description: Schema.String,
    parameters: Schema.Record(Schema.String, Schema.Unknown)
  })
})

export const ToolManifest = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  base_url: Schema.String,
  mcp: Schema.String.annotate({ description: "address of the hosted MCP route" }),
  auth: Schema.Struct({ header: Schema.Literal("X-API-Key"), required: Schema.Literal(false) }),
  tools: Schema.Array(ToolFunction)
}).annotate({
  identifier: "ToolManifest",
  description: "the tools as function-calling definitions"
})
export type ToolManifest = typeof ToolManifest.Type

const Named = Schema.Struct({ name: Schema.String, description: Schema.String })

export const ServerCard = Schema.Struct({
  name: Schema.String,
  title: Schema.String,
  version: Schema.String,
  description: Schema.String,
  instructions: Schema.String,
  protocolVersion: Schema.String.annotate({ description: "newest protocol version spoken" }),
  protocolVersions: Schema.Array(Schema.String),
  transport: Schema.Struct({ type: Schema.Literal("streamable-http"), endpoint: Schema.String }),
  capabilities: Schema.Struct({
    tools: Schema.Struct({}),
    resources: Schema.Struct({}),
    prompts: Schema.Struct({})
  }),
  auth: Schema.Struct({ header: Schema.Literal("X-API-Key"), required: Schema.Literal(false) }),
  tools: Schema.Array(Named),
  resources: Schema.Array(Schema.Struct({ uri: Schema.String, description: Schema.String })),
  prompts: Schema.Array(Named)
}).annotate({ identifier: "ServerCard", description: "what the MCP server is and offers" })
export type ServerCard = typeof ServerCard.Type

export const McpApi = HttpApiGroup.make("mcp")
  .add(
    HttpApiEndpoint.post("postMcp", "/mcp", {
      payload: Message,
      success: [Reply, HttpApiSchema.Accepted],
      error: [...ANY_ROUTE, failure(403, "ORIGIN_REFUSED"), ...ANY_BODY]
    }).annotateMerge(
      documented({
        toldBy: "others",
        summary: "MCP server",
        description:
          "Model Context Protocol over streamable HTTP, without sessions: one JSON-RPC message a request, its response as JSON, 202 for a notification. A message that is answered within JSON-RPC has status 200, also where it is an error."
      })
    ),
    HttpApiEndpoint.get("getTools", "/mcp/tools.json", {
      success: ToolManifest,
      error: ANY_ROUTE
    }).annotateMerge(
      documented({
        toldBy: "others",
        tool: { none: "the list of these tools" },
        summary: "Tools of the MCP server",
        description:
          "The tools as function-calling definitions, always those that the server lists."
      })
    ),
    HttpApiEndpoint.get("getServerCard", "/mcp/server-card", {
      success: ServerCard,
      error: ANY_ROUTE
    }).annotateMerge(
      documented({
        toldBy: "others",
        tool: { none: "describes this server to who is not connected yet" },
        summary: "Card of the MCP server",
        description: "What the server is, where it answers and what it offers."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "MCP", description: "Tools for agents" }))
