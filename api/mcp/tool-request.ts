/** From a tool's arguments to the URL that answers them. The route checks all but what is ours. */
import { noParameter } from "../nearest-name.ts"
import { argumentOf, byParameter } from "./argument-names.ts"
import { type Cursor, callDigest, isCutCursor, readCursor } from "./cursor.ts"
import type { Operation } from "./operations.ts"
import { argumentsOf, chainWords, MAX_BYTES, operationFor, type Tool, toolChain } from "./tools.ts"

export interface ToolRequest {
  readonly operation: Operation
  readonly url: string
  /** of the call, whatever page of its answer it is for */
  readonly call: string
  readonly maxBytes: number
  /** where the answer goes on; null for its beginning */
  readonly cursor: Cursor | null
  /** `limit` of the route where the call names one */
  readonly limit: number | null
}

/** What is wrong with a call, as the envelope of a route says it. */
export interface Wrong {
  readonly error: string
  readonly message: string
}

type Words = Readonly<Record<string, string>>

class WrongCall implements Wrong {
  readonly error: string
  readonly message: string

  constructor(error: string, message: string) {
    this.error = error
    this.message = message
  }
}

const wrong = (message: string, error = "INVALID_PARAMS"): Wrong => new WrongCall(error, message)

export const isWrong = (value: object): value is Wrong => value instanceof WrongCall

const wordOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  if (typeof value === "number") return String(value)
  if (typeof value === "boolean") return value ? "1" : "0"
  return Array.isArray(value) && value.every(each => typeof each === "string")
    ? value.join(",")
    : undefined
}

/** Arguments as text; those that are null or empty count as absent. */
const wordsOf = (args: Readonly<Record<string, unknown>>): Words | Wrong => {
  const words: Array<readonly [string, string]> = []
  for (const [name, value] of Object.entries(args)) {
    if (value === null || value === undefined || value === "") continue
    const word = wordOf(value)
    if (word === undefined) return wrong(`${name} must be text, a number or a list of words`)
    words.push([name, word])
  }
  return Object.fromEntries(words)
}

const bytesIn = (word: string | undefined): number | undefined => {
  if (word === undefined) return MAX_BYTES.default
  const bytes = /^[0-9]{1,9}$/.test(word) ? Number(word) : Number.NaN
  return bytes >= MAX_BYTES.least && bytes <= MAX_BYTES.most ? bytes : undefined
}

const takes = ({ parameters }: Operation, name: string): boolean =>
  parameters.some(parameter => parameter.name === name)

/** What is wrong where a parameter lacks, with an argument that may have been meant for it. */
const lacking = (operation: Operation, words: Words, name: string, about: string): Wrong => {
  const other = Object.keys(words).find(each => !takes(operation, each))
  const more = other === undefined ? "" : `; there is no parameter ${JSON.stringify(other)} here`
  return wrong(`${argumentOf(operation, name)} is required: ${about}${more}`)
}

/** The path with its parameters in place; they are taken out of what is left for the query. */
const placed = (operation: Operation, words: Words): { path: string; query: Words } | Wrong => {
  let path = operation.path
  const query: Record<string, string> = { ...words }
  for (const { name, in: place, description } of operation.parameters) {
    if (place !== "path") continue
    const word = words[name]
    if (word === undefined) return lacking(operation, words, name, description)
    path = path.replace(`{${name}}`, () => encodeURIComponent(word))
    delete query[name]
  }
  return { path, query }
}

const urlOf = (path: string, query: Words): string => {
  const text = new URLSearchParams(query).toString()
  return text === "" ? path : `${path}?${text}`
}

/** The query that goes on where a cursor says, at its position where the route can. */
const continued = (operation: Operation, query: Words, cursor: Cursor): Words => {
  if (cursor.next !== null) {
    return { ...query, before: cursor.next.before, limit: String(cursor.next.limit) }
  }
  if (!takes(operation, "asOf") || query["asOf"] !== undefined || cursor.seq === null) return query
  return { ...query, asOf: String(cursor.seq) }
}

/** The tool's operation for these words; `chain` is spent where it alone chose it. */
const chosen = (tool: Tool, words: Words): { operation: Operation; rest: Words } | Wrong => {
  const { chain: _, ...others } = words
  if (typeof tool.operations === "string") {
    const operation = operationFor(tool, undefined)
    return operation === undefined ? wrong("nothing answers this") : { operation, rest: words }
  }
  const about = chainWords(tool.operations)
  const meant = toolChain(tool, words)
  if (meant === undefined) return wrong(`chain is required: ${about}`)
  const operation = operationFor(tool, meant)
  if (operation === undefined) {
    return wrong(
      `${tool.listed.name} answers for no chain ${meant}: send ${about}`,
      "UNSUPPORTED_CHAIN"
    )
  }
  return { operation, rest: takes(operation, "chain") ? words : others }
}

/** Returns the request of a call, or what is wrong with its arguments. */
export const toolRequest = (
  tool: Tool,
  args: Readonly<Record<string, unknown>>
): ToolRequest | Wrong => {
  const all = wordsOf(args)
  if (isWrong(all)) return all
  const { maxBytes: bytes, ...words } = all
  const maxBytes = bytesIn(bytes)
  if (maxBytes === undefined) {
    return wrong(`maxBytes must be an integer from ${MAX_BYTES.least} to ${MAX_BYTES.most}`)
  }
  const given = words["cursor"]
  const cursor = given !== undefined && isCutCursor(given) ? readCursor(given) : null
  const { cursor: _, ...others } = words
  const isOurs = given !== undefined && isCutCursor(given)
  if (isOurs && cursor === null) return wrong("cursor is damaged: send it as it came")
  const choice = chosen(tool, isOurs ? others : words)
  if (isWrong(choice)) return choice
  const { operation, rest } = choice
  if (given !== undefined && !isOurs && !takes(operation, "cursor")) {
    return wrong("cursor is none that an answer gave: leave it out to begin anew")
  }
  const meant = byParameter(operation, rest)
  if ("unclear" in meant) return wrong(meant.unclear)
  const place = placed(operation, meant.words)
  if (isWrong(place)) return place
  const { path, query } = place
  const unknown = Object.keys(query).find(name => !takes(operation, name))
  if (unknown !== undefined) {
    return wrong(noParameter(unknown, argumentsOf(tool, operation), "this tool"))
  }
  const call = callDigest(urlOf(path, query))
  if (cursor !== null && cursor.call !== call) {
    return wrong("cursor is of another call: send it with the arguments that it came from")
  }
  const url = urlOf(path, cursor === null ? query : continued(operation, query, cursor))
  const limit = query["limit"] === undefined ? null : Number(query["limit"])
  return { operation, url, call, maxBytes, cursor, limit }
}
