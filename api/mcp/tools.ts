/** The tools: of each row of the table what its operations declare, for lists and for calls. */
import { isNamed } from "../../src/domain/chain.ts"
import { allChains } from "../../src/domain/chains/registry.ts"
import type { McpTool } from "../../src/platform/mcp-protocol.ts"
import { onceAsked } from "../once-asked.ts"
import { argumentOf } from "./argument-names.ts"
import {
  answerSchema,
  type JsonSchema,
  type Operation,
  type OperationParameter,
  operations
} from "./operations.ts"
import { type Family, type Operations, TOOL_PREFIX, toolTable } from "./tool-table.ts"

/** Bytes of JSON that an answer may have: unless told, at least and at most. */
export const MAX_BYTES = { default: 24 * 1024, least: 2048, most: 128 * 1024 }

/** What a call says beside the operation's parameters. */
const OWN_PARAMETERS: { readonly [name: string]: JsonSchema } = {
  maxBytes: {
    type: "integer",
    minimum: MAX_BYTES.least,
    maximum: MAX_BYTES.most,
    default: MAX_BYTES.default,
    description: "bytes of JSON that the answer may have; its longest list or map is cut to fit"
  },
  cursor: {
    type: "string",
    description: "`cursor` of a cut answer: what was cut off, by the same call otherwise"
  }
}

/** What an answer has beside the operation's own fields, where it was cut. */
const OWN_FIELDS: { readonly [name: string]: JsonSchema } = {
  cut: {
    type: "string",
    description: "what was left out to keep to maxBytes; absent where nothing"
  },
  cursor: {
    type: "string",
    description:
      "where the rest begins: send it with the same arguments; absent where there is none"
  }
}

export interface Tool {
  readonly listed: McpTool
  /** chosen by `chain` where there are several */
  readonly operations: Operations
}

const operationOf = (id: string): Operation => {
  const operation = operations().get(id)
  if (operation === undefined) throw new Error(`the API declares no GET operation ${id}`)
  return operation
}

/** The operation that speaks for a family: all answer in one form. */
const spokesman = (of: Operations): Operation =>
  operationOf(typeof of === "string" ? of : (of.keyed ?? Object.values(of)[0] ?? ""))

/** The chain that a family is of where that is one alone; undefined where there are others. */
const onlyChain = (of: Family): string | undefined => {
  const [first, ...others] = Object.keys(of)
  return others.length === 0 && first !== "keyed" ? first : undefined
}

/** What `chain` of a family of operations may be, in words. */
export const chainWords = (of: Family): string =>
  of.keyed === undefined
    ? `chain, by key or id: ${Object.keys(of).join(" or ")}`
    : "chain, by key or id: arc, rh, avalanche, base, bnb, arbitrum, ethereum, solana, or another of swaptape_chains"

const familyChain = (of: Family): JsonSchema => {
  const only = onlyChain(of)
  return {
    type: "string",
    description: chainWords(of),
    examples: [of.keyed === undefined ? Object.keys(of)[0] : "base"],
    ...(only === undefined ? {} : { default: only })
  }
}

/** The schema of a parameter. Names of fields stand in words, and not twice in a pattern. */
const inputOf = ({ name, description, schema, example }: OperationParameter): JsonSchema => {
  const pattern = schema["pattern"]
  const names = typeof pattern === "string" ? /^\^\(([\w|]+)\)\(,/.exec(pattern)?.[1] : undefined
  const examples = example === undefined ? {} : { examples: [example] }
  if (names === undefined || name !== "fields") return { ...schema, description, ...examples }
  return {
    type: "string",
    description: `${description}. They are: ${names.replaceAll("|", ", ")}`,
    ...examples
  }
}

const inputSchema = (of: Operations): McpTool["inputSchema"] => {
  const operation = spokesman(of)
  const parameters = operation.parameters.map(each => ({
    ...each,
    name: argumentOf(operation, each.name)
  }))
  const own = typeof of === "string" ? {} : { chain: familyChain(of) }
  const rest = parameters.filter(({ name }) => !(name in own))
  const needed = typeof of === "string" || onlyChain(of) !== undefined ? [] : Object.keys(own)
  const required = [...needed, ...rest.flatMap(p => (p.required ? [p.name] : []))]
  const declared = Object.fromEntries(rest.map(each => [each.name, inputOf(each)]))
  return {
    type: "object",
    properties: { ...own, ...OWN_PARAMETERS, ...declared },
    required,
    additionalProperties: false
  } as McpTool["inputSchema"]
}

const outputSchema = (of: Operations): McpTool["outputSchema"] => {
  const ids = typeof of === "string" ? [of] : Object.values(of)
  return answerSchema(ids.map(operationOf), OWN_FIELDS) as McpTool["outputSchema"]
}

const toolOf = ([name, of]: readonly [string, Operations]): Tool => {
  const { summary, description } = spokesman(of)
  return {
    operations: of,
    listed: {
      name: TOOL_PREFIX + name,
      title: summary,
      description: `${summary}. ${description}`,
      inputSchema: inputSchema(of),
      outputSchema: outputSchema(of),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
    }
  }
}

export const tools = onceAsked(
  (): ReadonlyMap<string, Tool> =>
    new Map([...toolTable()].map(toolOf).map(tool => [tool.listed.name, tool]))
)

/** Chains that are none of `keyed`; Solana is one but where it has a form of its own. */
const APART: ReadonlyArray<string> = ["arc", "rh"] satisfies ReadonlyArray<keyof Family>

/** The operation of a tool that answers for a chain; undefined where none does. */
export const operationFor = (tool: Tool, chain = ""): Operation | undefined => {
  const choice = tool.operations
  if (typeof choice === "string") return operationOf(choice)
  const key = allChains.find(known => isNamed(known, chain))?.key ?? ""
  const own = new Map(Object.entries(choice)).get(key)
  const id = own ?? (APART.includes(key) ? undefined : choice.keyed)
  return id === undefined ? undefined : operationOf(id)
}

/** What a call of a tool may say where this operation answers it. */
export const argumentsOf = (tool: Tool, operation: Operation): ReadonlyArray<string> => {
  const chain = typeof tool.operations === "string" ? [] : ["chain"]
  const declared = operation.parameters.map(({ name }) => argumentOf(operation, name))
  return [...new Set([...chain, ...declared, ...Object.keys(OWN_PARAMETERS)])]
}

/** The chain that a call is about, as it names it or its tool's default does. */
export const toolChain = (
  { operations: of }: Tool,
  { chain }: Readonly<Record<string, unknown>>
): string | undefined => {
  if (typeof chain === "string" || typeof chain === "number") return String(chain)
  if (typeof of !== "string" && onlyChain(of) !== undefined) return onlyChain(of)
  const parameter = spokesman(of).parameters.find(({ name }) => name === "chain")
  const usual = parameter?.schema["default"]
  return typeof usual === "string" ? usual : undefined
}
