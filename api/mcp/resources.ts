/** Resources: what a client may put before its model by URI. Each is the answer of a tool. */
import { Effect } from "effect"
import {
  MCP_CODES,
  McpRefusal,
  type ResourceResult,
  type ToolResult
} from "../../src/platform/mcp-protocol.ts"
import type { Caller } from "../asking.ts"
import { callTool } from "./call-tool.ts"
import { TOOL_PREFIX } from "./tool-table.ts"
import { MAX_BYTES, tools } from "./tools.ts"

const JSON_TYPE = "application/json"
const SCHEME = "swaptape://"

/** Resources of one URI by the tool that answers them. */
const FIXED: { readonly [tool: string]: string } = {
  chains: "the chains served here, and what answers on each",
  status: "how each chain is read: position, lag, gaps, what is wrong",
  rules: "by which rules tokens are priced, flagged and listed"
}

export const resources = Object.entries(FIXED).map(([name, description]) => ({
  uri: SCHEME + name,
  name,
  description,
  mimeType: JSON_TYPE
}))

export const templates = [
  { path: "chain/{chain}", name: "chain", description: "totals of a chain, its venues and hours" },
  {
    path: "chain/{chain}/token/{address}",
    name: "token",
    description: "a token's last day: price, volume by hour and venue"
  },
  {
    path: "chain/{chain}/wallet/{address}",
    name: "wallet",
    description: "what a wallet made with each token"
  }
].map(({ path, ...rest }) => ({ uriTemplate: SCHEME + path, mimeType: JSON_TYPE, ...rest }))

const OF_CHAIN =
  /^chain\/(\w{1,32})(?:\/(token|wallet)\/(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44}))?$/

interface Wanted {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

const wantedBy = (uri: string): Wanted | null => {
  if (!uri.startsWith(SCHEME)) return null
  const place = uri.slice(SCHEME.length)
  if (Object.hasOwn(FIXED, place)) return { name: place, args: {} }
  const match = OF_CHAIN.exec(place)
  if (match === null) return null
  const [, chain, kind, address] = match
  return kind === undefined
    ? { name: "overview", args: { chain } }
    : { name: kind, args: { chain, address } }
}

const textOf = ({ content: [first] }: ToolResult): string =>
  first?.type === "text" ? first.text : ""

const noResource = (message: string) => new McpRefusal({ code: MCP_CODES.noResource, message })

/** Returns a resource's JSON, cut where it is too long, with what it reflects in `_meta`. */
export const readResource = Effect.fnUntraced(function* (uri: string, caller: Caller) {
  const wanted = wantedBy(uri)
  const tool = wanted === null ? undefined : tools().get(TOOL_PREFIX + wanted.name)
  if (wanted === null || tool === undefined) {
    const forms = templates.map(({ uriTemplate }) => uriTemplate).join(", ")
    return yield* noResource(`nothing is at ${uri.slice(0, 200)}; there are ${forms}`)
  }
  const result = yield* callTool(tool, { ...wanted.args, maxBytes: MAX_BYTES.default }, caller)
  if (result.isError === true) return yield* noResource(textOf(result))
  return {
    contents: [{ uri, mimeType: JSON_TYPE, text: textOf(result), _meta: result._meta }]
  } satisfies ResourceResult
})
