/** Answers MCP over HTTP, and what describes it. Nothing is kept between two messages. */
import { Effect, Option, Schema } from "effect"
import { Headers, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../engine/lane/lanes.ts"
import {
  answerMcp,
  MCP_CAPABILITIES,
  MCP_CODES,
  MCP_VERSIONS,
  McpRefusal,
  type McpService,
  readMcpMessage
} from "../../src/platform/mcp-protocol.ts"
import { freshJson, refusalResponse } from "../answering.ts"
import { Api } from "../api.ts"
import type { Asking, Caller } from "../asking.ts"
import { CallerKey } from "../caller-key.ts"
import { type Counters, ServerCounters } from "../counters.ts"
import { EngineInfo } from "../engine-info.ts"
import type { ErrorCode } from "../errors.ts"
import { onceAsked } from "../once-asked.ts"
import { callTool } from "./call-tool.ts"
import type { ServerCard, ToolManifest } from "./mcp.api.ts"
import { nearTools } from "./near-tools.ts"
import { isAllowedOrigin, McpOrigins } from "./origins.ts"
import { getPrompt, prompts } from "./prompts.ts"
import { readResource, resources, templates } from "./resources.ts"
import { toolChain, tools } from "./tools.ts"

const NAME = "swaptape"
const TITLE = "swaptape: on-chain swaps and what is read from them"
const DESCRIPTION =
  "Tokens, prices, candles, trades, pools, holders and wallets of on-chain markets, read only."
const INSTRUCTIONS =
  "Begin with swaptape_chains: it lists the chains served here. Addresses identify tokens; symbols do not: find a token with swaptape_token_search, and send its address as `token`, a wallet's as `wallet`, a pool's as `pool`. Every result names its log position in _meta (X-Log-Seq). Null is unknown, and an error is never an empty result. A long answer is cut: `cut` says of what, and `cursor` with the same arguments gives the rest; `fields` and `limit`, where a tool has them, make answers shorter."

const listed = onceAsked(() => [...tools().values()].map(tool => tool.listed))

const noTool = (name: string) => {
  const near = nearTools(name)
  const hint = near.length === 0 ? "tools/list has them" : `did you mean ${near.join(" or ")}?`
  const message = `there is no tool ${JSON.stringify(name.slice(0, 64))}; ${hint}`
  return new McpRefusal({ code: MCP_CODES.invalidParams, message })
}

/** Who asks, and what counts that. */
interface Asked {
  readonly version: string
  readonly caller: Caller
  readonly lanes: Lanes["Service"]
  readonly agents: Counters["agents"]
}

const serviceFor = ({ version, caller, lanes, agents }: Asked): McpService<Asking> => ({
  info: { name: NAME, title: TITLE, version },
  instructions: INSTRUCTIONS,
  tools: listed(),
  callTool: (name, args) => {
    const tool = tools().get(name)
    if (tool === undefined) return Effect.fail(noTool(name))
    const chain = toolChain(tool, args)
    const lane = chain === undefined ? undefined : lanes.find(chain)
    return Effect.tap(callTool(tool, args, caller), ({ isError = false }) =>
      Effect.sync(() => agents.called(name, lane?.config.id ?? null, isError))
    )
  },
  resources,
  templates,
  readResource: uri => readResource(uri, caller),
  prompts,
  getPrompt
})

const refuse = (status: number, code: ErrorCode, message: string) =>
  refusalResponse({ status, code, message })

/** Headers that tell of proxies, which routes look at; nothing else of a message is theirs. */
const FORWARDED = ["x-forwarded-for", "forwarded", "x-real-ip"]

const callerOf = (request: HttpServerRequest.HttpServerRequest, key: Caller["key"]): Caller => ({
  key,
  headers: Headers.fromInput(
    Object.entries(request.headers).filter(([name]) => FORWARDED.includes(name))
  ),
  remoteAddress: Option.getOrElse(request.remoteAddress, () => "")
})

/** What is wrong with a message's headers; null where nothing is. */
const refusedHeaders = (headers: Headers.Headers, allowed: ReadonlyArray<string>) => {
  if (!isAllowedOrigin(headers["origin"], allowed)) {
    const message = "pages of this origin may not speak MCP here: MCP_ORIGINS can allow it"
    return refuse(403, "ORIGIN_REFUSED", message)
  }
  if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
    const message = "send the message as JSON, with Content-Type: application/json"
    return refuse(415, "UNSUPPORTED_MEDIA_TYPE", message)
  }
  const version = headers["mcp-protocol-version"]
  if (version === undefined || MCP_VERSIONS.all.includes(version)) return null
  const message = `MCP-Protocol-Version must be one of ${MCP_VERSIONS.all.join(", ")}`
  return refuse(400, "INVALID_PARAMS", message)
}

const fromJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const wrongBody = (message: string) => refuse(400, "INVALID_PARAMS", message)

const postMcp = (version: string) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const refusal = refusedHeaders(request.headers, yield* McpOrigins)
    if (refusal !== null) return refusal
    const value = fromJson(yield* Effect.orDie(request.text))
    if (Option.isNone(value)) return wrongBody("the body is no JSON: send one JSON-RPC message")
    if (Array.isArray(value.value)) {
      return wrongBody("the body is a list: send one JSON-RPC message a request")
    }
    const message = readMcpMessage(value.value)
    if (message === undefined) {
      return wrongBody(
        'the body is no JSON-RPC message: send {"jsonrpc":"2.0","id":1,"method":"tools/list"} or the like'
      )
    }
    if (message.request === null) return HttpServerResponse.empty({ status: 202 })
    const caller = callerOf(request, yield* CallerKey)
    const { agents } = yield* ServerCounters
    agents.requests++
    const service = serviceFor({ version, caller, lanes: yield* Lanes, agents })
    const reply = yield* answerMcp(service, message.request)
    return HttpServerResponse.text(JSON.stringify(reply), {
      contentType: "application/json",
      headers: { "cache-control": "no-store" }
    })
  })

const HOST = /^[\w.-]+(:\d{1,5})?$|^\[[\da-fA-F:]+\](:\d{1,5})?$/

/** Where this server answers, as the request names it; only its path where that is no name. */
const baseUrl = ({ headers }: HttpServerRequest.HttpServerRequest): string => {
  const host = headers["host"] ?? ""
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http"
  return HOST.test(host) ? `${scheme}://${host}/v1` : "/v1"
}

const AUTH = { header: "X-API-Key", required: false } as const

const manifest = (version: string, base: string): ToolManifest => ({
  name: NAME,
  version,
  base_url: base,
  mcp: `${base}/mcp`,
  auth: AUTH,
  tools: listed().map(({ name, description = "", inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema }
  }))
})

const serverCard = (version: string, base: string): ServerCard => ({
  name: NAME,
  title: TITLE,
  version,
  description: DESCRIPTION,
  instructions: INSTRUCTIONS,
  protocolVersion: MCP_VERSIONS.latest,
  protocolVersions: MCP_VERSIONS.all,
  transport: { type: "streamable-http", endpoint: `${base}/mcp` },
  capabilities: MCP_CAPABILITIES,
  auth: AUTH,
  tools: listed().map(({ name, description = "" }) => ({ name, description })),
  resources: [
    ...resources.map(({ uri, description }) => ({ uri, description })),
    ...templates.map(({ uriTemplate, description }) => ({ uri: uriTemplate, description }))
  ],
  prompts: prompts.map(({ name, description = "" }) => ({ name, description }))
})

export const McpHandlers = HttpApiBuilder.group(
  Api,
  "mcp",
  Effect.fnUntraced(function* (handlers) {
    const { version } = yield* EngineInfo
    const context = yield* Effect.context<Asking | Lanes | McpOrigins | ServerCounters>()
    return handlers
      .handleRaw("postMcp", () => Effect.provide(postMcp(version), context))
      .handle("getTools", ({ request }) =>
        Effect.sync(() => freshJson(version, manifest(version, baseUrl(request))))
      )
      .handle("getServerCard", ({ request }) =>
        Effect.sync(() => freshJson(version, serverCard(version, baseUrl(request))))
      )
  })
)
