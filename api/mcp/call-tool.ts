/**
 * Calls a tool: asks its route as a client would, cuts the answer to its bytes, and says of what
 * log position it is. What a route refuses becomes a result with `isError` that says what to send.
 */
import { Effect } from "effect"
import type { ToolResult } from "../../src/platform/mcp-protocol.ts"
import { Asking, type Caller, type GivenAnswer } from "../asking.ts"
import { byArgument } from "./argument-names.ts"
import { type Cursor, writeCursor } from "./cursor.ts"
import { type CutList, type Fitted, fitAnswer } from "./fit-answer.ts"
import { mapPlaces } from "./map-places.ts"
import { isWrong, type ToolRequest, toolRequest, type Wrong } from "./tool-request.ts"
import { MAX_BYTES, type Tool } from "./tools.ts"

type Json = Readonly<Record<string, unknown>>

const decoder = new TextDecoder()

/** What helps beside the message, by code: which tool to ask. */
const HINTS: { readonly [code: string]: string } = {
  UNSUPPORTED_CHAIN: "swaptape_chains lists the chains that are served here",
  CHAIN_NOT_ENABLED: "swaptape_chains lists the chains that are served here",
  UNKNOWN_TOKEN: "swaptape_token_search finds tokens of a chain by symbol, name or address",
  TOKEN_NOT_FOUND: "swaptape_token_search finds tokens of a chain by symbol, name or address",
  NOT_READY: "swaptape_status says how far the chain has been read",
  CHAIN_DATA_UNAVAILABLE: "swaptape_status says what is wrong",
  AS_OF_GONE: "call again without cursor and asOf"
}

const headerOf = ({ headers }: GivenAnswer, name: string): string | null =>
  headers.find(([each]) => each === name)?.[1] ?? null

const seqOf = (answer: GivenAnswer): number | null => {
  const seq = headerOf(answer, "x-log-seq")
  return seq === null ? null : Number(seq)
}

/** What an answer reflects, by the names of the headers that say so over HTTP. */
const metaOf = (answer: GivenAnswer) => ({
  "X-Log": headerOf(answer, "x-log"),
  "X-Log-Seq": seqOf(answer),
  "X-Engine": headerOf(answer, "x-engine"),
  ETag: answer.etag
})

const refused = (wrong: Wrong, more: Json = {}, meta: Json = {}): ToolResult => {
  const hint = HINTS[wrong.error]
  const text = { ...wrong, ...(hint === undefined ? {} : { hint }), ...more }
  return { isError: true, content: [{ type: "text", text: JSON.stringify(text) }], _meta: meta }
}

const refusedBy = ({ operation }: ToolRequest, answer: GivenAnswer): ToolResult => {
  const { error, message: told } = JSON.parse(decoder.decode(answer.body)) as Wrong
  const message = byArgument(operation, told)
  const retry = headerOf(answer, "retry-after")
  const more = retry === null ? {} : { retryAfterSeconds: Number(retry) }
  return refused({ error, message }, more, metaOf(answer))
}

/** The digest of the body, the last part of an ETag; empty where there is none. */
const digestOf = ({ etag }: GivenAnswer): string => /([^.]+)"$/.exec(etag ?? "")?.[1] ?? ""

interface Row {
  readonly ts?: unknown
  readonly block?: unknown
  readonly logIndex?: unknown
}

/** Rows of a list that the parts before showed, of which the route tells no more. */
const rowsBefore = (cursor: Cursor | null, path: string): number =>
  cursor?.next?.path === path ? cursor.next.from : 0

/** The route's own cursor behind the last row shown; null where the route or the rows have none. */
const nextOf = (
  { operation, limit, cursor }: ToolRequest,
  { answer, cuts }: Fitted
): Cursor["next"] => {
  const [cut, another] = cuts
  if (cut === undefined || another !== undefined || cut.from > 0) return null
  const takesBefore = operation.parameters.find(({ name }) => name === "before")
  const rows = answer[cut.path]
  if (takesBefore === undefined || !Array.isArray(rows)) return null
  const { ts, block, logIndex } = (rows.at(-1) ?? {}) as Row
  const isPlaced = [ts, block, logIndex].every(each => typeof each === "number")
  const left = Math.min(limit ?? cut.total, cut.total) - cut.to
  if (!isPlaced || left <= 0) return null
  const { path, to } = cut
  const from = rowsBefore(cursor, path) + to
  return { before: `${ts}:${block}:${logIndex}`, limit: left, path, from }
}

/** Counts rows from the list's first one on, in whatever part of the answer they are. */
const wordsOf =
  (cursor: Cursor | null) =>
  ({ path, from, to, total }: CutList): string => {
    const before = rowsBefore(cursor, path)
    const all = before + total
    return from === to
      ? `none of ${all} in ${path}`
      : `${path} ${before + from + 1} to ${before + to} of ${all}`
  }

/** The position whose list the answer goes on with; null where it is of its own. */
const asOfIn = ({ url }: ToolRequest): number | null => {
  const asOf = new URL(url, "http://localhost").searchParams.get("asOf")
  return asOf === null ? null : Number(asOf)
}

/** Says that an answer is of another position than the one it goes on from, where it is. */
const movedWords = (request: ToolRequest, answer: GivenAnswer): string => {
  const { cursor } = request
  if (cursor === null || cursor.next !== null || cursor.seq === seqOf(answer)) return ""
  const asOf = asOfIn(request)
  if (asOf !== null) {
    return ` Rows and their order are of position ${asOf}, figures in them of ${seqOf(answer)}.`
  }
  if (cursor.digest === digestOf(answer)) return ""
  return (
    ` The log's position moved from ${cursor.seq} to ${seqOf(answer)} since the part before, ` +
    "so rows may come twice or lack."
  )
}

/** The fields of a cut answer beside its own. */
const cutFields = (request: ToolRequest, answer: GivenAnswer, fitted: Fitted) => {
  const { cuts, rest: left } = fitted
  if (cuts.length === 0) return {}
  const shown = cuts.map(wordsOf(request.cursor)).join("; ")
  const moved = movedWords(request, answer)
  if (left === null) return { cut: `The rest: ${shown}.${moved}` }
  const next = nextOf(request, fitted)
  const cursor = writeCursor({
    call: request.call,
    // a list is gone through at the position of its first part
    seq: asOfIn(request) ?? seqOf(answer),
    digest: digestOf(answer),
    shown: next === null ? left : {},
    // where no row tells the route's own cursor, the rest is in what it told of this part
    next: next ?? request.cursor?.next ?? null
  })
  const rest = "For the rest send the same arguments with this cursor."
  const cut = `Cut to ${request.maxBytes} bytes: ${shown}. ${rest}${moved}`
  // A route's own cursor would pass over the rows that were cut off.
  return { cut, cursor, ...(next === null ? {} : { nextBefore: next.before }) }
}

/** What to send where not one row more fits: of what the tool takes, what makes answers shorter. */
const tooLong = ({ operation }: ToolRequest, needs: number): Wrong => {
  // `fields` of candles adds some
  const others = operation.parameters.flatMap(({ name, "x-rows": rows }) =>
    name === "limit" || (name === "fields" && rows !== undefined) ? [name] : []
  )
  const shorter = others.length === 0 ? "" : `, or ask for less by ${others.join(" or ")}`
  const isHad = needs <= MAX_BYTES.most
  const send = isHad ? `send maxBytes=${needs}` : `maxBytes may be ${MAX_BYTES.most} at most`
  return {
    error: "INVALID_PARAMS",
    message: `one row more takes ${needs} bytes: ${send}${shorter}`
  }
}

const resultOf = (request: ToolRequest, answer: GivenAnswer): ToolResult => {
  const { maxBytes, cursor, operation } = request
  const whole = JSON.parse(decoder.decode(answer.body)) as Json
  const begun = cursor?.next == null ? {} : { [cursor.next.path]: 0 }
  const offsets = { ...begun, ...cursor?.shown }
  const fitted = fitAnswer(whole, offsets, maxBytes, mapPlaces(operation))
  if ("needs" in fitted) return refused(tooLong(request, fitted.needs), {}, metaOf(answer))
  const structured = { ...fitted.answer, ...cutFields(request, answer, fitted) }
  return {
    structuredContent: structured,
    content: [{ type: "text", text: JSON.stringify(structured) }],
    _meta: metaOf(answer)
  }
}

/** Returns a call's result; never fails, for what is wrong is a result too. */
export const callTool = Effect.fnUntraced(function* (
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  caller: Caller
) {
  const request = toolRequest(tool, args)
  if (isWrong(request)) return refused({ error: request.error, message: request.message })
  const { get } = yield* Asking
  const answer = yield* get(request.url, caller)
  return answer.status.startsWith("200") ? resultOf(request, answer) : refusedBy(request, answer)
})
