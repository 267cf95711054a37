/**
 * Speaks the Model Context Protocol (MCP): the only file that imports the protocol's SDK. What a
 * server offers comes as plain values and effects. No message leaves anything behind: each request
 * is answered by a server of its own, so no session is kept, and any node may answer any message.
 */
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  type GetPromptResult,
  InitializeRequestSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  LATEST_PROTOCOL_VERSION,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  PingRequestSchema,
  type Prompt,
  ReadResourceRequestSchema,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool
} from "@modelcontextprotocol/sdk/types.js"
import { Cause, Data, Effect } from "effect"

export type McpTool = Tool
export type McpPrompt = Prompt
export type ToolResult = CallToolResult
export type PromptResult = GetPromptResult
export type ResourceResult = ReadResourceResult

/** A request that cannot be met, as the protocol says it: a JSON-RPC code, and what is wrong. */
export class McpRefusal extends Data.TaggedError("McpRefusal")<{
  readonly code: number
  readonly message: string
}> {}

/** Codes of refusals: a parameter is wrong; nothing has this URI. */
export const MCP_CODES = { invalidParams: ErrorCode.InvalidParams, noResource: -32002 } as const

export interface McpService<R> {
  readonly info: { readonly name: string; readonly title: string; readonly version: string }
  readonly instructions: string
  readonly tools: ReadonlyArray<McpTool>
  readonly callTool: (
    name: string,
    args: Readonly<Record<string, unknown>>
  ) => Effect.Effect<ToolResult, McpRefusal, R>
  readonly resources: ReadonlyArray<Resource>
  readonly templates: ReadonlyArray<ResourceTemplate>
  readonly readResource: (uri: string) => Effect.Effect<ResourceResult, McpRefusal, R>
  readonly prompts: ReadonlyArray<McpPrompt>
  readonly getPrompt: (
    name: string,
    args: Readonly<Record<string, string>>
  ) => Effect.Effect<PromptResult, McpRefusal, R>
}

export const MCP_VERSIONS = { latest: LATEST_PROTOCOL_VERSION, all: SUPPORTED_PROTOCOL_VERSIONS }

export const MCP_CAPABILITIES = { tools: {}, resources: {}, prompts: {} }

/** A message of a client: a request, or what is not answered; undefined for anything else. */
export const readMcpMessage = (
  value: unknown
): { readonly request: JSONRPCRequest | null } | undefined => {
  const parsed = JSONRPCMessageSchema.safeParse(value)
  if (!parsed.success) return undefined
  return { request: isJSONRPCRequest(parsed.data) ? parsed.data : null }
}

/** Forms of requests by method: the SDK would call a request of a wrong form an internal error. */
const FORMS = new Map(
  [
    InitializeRequestSchema,
    PingRequestSchema,
    ListToolsRequestSchema,
    CallToolRequestSchema,
    ListResourcesRequestSchema,
    ListResourceTemplatesRequestSchema,
    ReadResourceRequestSchema,
    ListPromptsRequestSchema,
    GetPromptRequestSchema
  ].map(form => [form.shape.method.value as string, form] as const)
)

/** What is wrong with a request's form, in words; null where nothing is. */
const wrongForm = (request: JSONRPCRequest): string | null => {
  if (request.params !== undefined && "task" in request.params) {
    return "params.task: no request becomes a task here; send it without"
  }
  const parsed = FORMS.get(request.method)?.safeParse(request)
  const issue = parsed?.error?.issues[0]
  return issue === undefined ? null : `${issue.path.join(".")}: ${issue.message}`
}

/** Nothing is asked of clients, so nothing of theirs is validated. */
const noValidator = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: "unused" })
}

type Run<R> = <A>(effect: Effect.Effect<A, McpRefusal, R>) => Promise<A>

const serverOf = <R>(service: McpService<R>, run: Run<R>): Server => {
  const { instructions, tools, resources, templates, prompts } = service
  const server = new Server(service.info, {
    capabilities: MCP_CAPABILITIES,
    instructions,
    jsonSchemaValidator: noValidator
  })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    run(service.callTool(params.name, params.arguments ?? {}))
  )
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...resources] }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...templates]
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    run(service.readResource(params.uri))
  )
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [...prompts] }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    run(service.getPrompt(params.name, params.arguments ?? {}))
  )
  return server
}

/** Hands a request to a server; its one message back is the answer. */
const exchange = (server: Server, request: JSONRPCRequest): Promise<JSONRPCMessage> =>
  new Promise((resolve, reject) => {
    const transport: Transport = {
      start: async () => {},
      close: async () => {},
      send: async message => resolve(message)
    }
    server.connect(transport).then(() => transport.onmessage?.(request), reject)
  })

/** An error that the SDK sends as it is. */
const thrown = (code: number, message: string): Error => Object.assign(new Error(message), { code })

const INTERNAL = "the service failed to answer; its log has the cause"

/** Returns the response to a request: a result, or an error with a JSON-RPC code. */
export const answerMcp = <R>(
  service: McpService<R>,
  request: JSONRPCRequest
): Effect.Effect<JSONRPCMessage, never, R> =>
  Effect.gen(function* () {
    const wrong = wrongForm(request)
    if (wrong !== null) {
      const error = { code: ErrorCode.InvalidParams, message: wrong }
      return { jsonrpc: "2.0", id: request.id, error } satisfies JSONRPCMessage
    }
    const context = yield* Effect.context<R>()
    return yield* Effect.promise(signal => {
      const run: Run<R> = effect =>
        Effect.runPromiseWith(context)(
          effect.pipe(
            Effect.catchCause(cause => {
              const refusal = Cause.findErrorOption(cause)
              return refusal._tag === "Some"
                ? Effect.succeed(thrown(refusal.value.code, refusal.value.message))
                : Effect.as(
                    Effect.logError("an MCP request failed", request.method, cause),
                    thrown(ErrorCode.InternalError, INTERNAL)
                  )
            })
          ),
          { signal }
        ).then(result => {
          if (result instanceof Error) throw result
          return result
        })
      return exchange(serverOf(service, run), request)
    })
  })
