/**
 * How handlers answer. A lane's answer is bytes already: it passes through with the headers that
 * say what it reflects, and with a mark that lets the server answer the same URL from its cache
 * until the lane moves on.
 */

import { createHash } from "node:crypto"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Lane, LaneUnavailable } from "../engine/lane/lanes.ts"
import type { QueryRequest } from "../engine/question.ts"
import { familyOf } from "../src/domain/chain-family.ts"
import { type ErrorBody, Refusal, retrySeconds } from "./errors.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Whether an answer given before is still the answer. */
export type StillTrue = () => boolean

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const marks = new WeakMap<Response, StillTrue>()
const stale = new WeakMap<Response, number>()

/** How to tell whether a response may be given again; undefined where it may not be kept. */
export const stillTrueOf = (response: Response): StillTrue | undefined => marks.get(response)

const LASTS: StillTrue = () => true

/** Whether no commit can change a response. */
export const isLasting = (response: Response): boolean => marks.get(response) === LASTS

/** Milliseconds for which a response may be given when it is not true any more. */
export const staleMsOf = (response: Response): number => stale.get(response) ?? 0

/** Adds a condition to a response that may be kept. */
export const whileAlso = (response: Response, condition: StillTrue): Response => {
  const stillTrue = marks.get(response)
  if (stillTrue !== undefined) marks.set(response, () => stillTrue() && condition())
  return response
}

/** A response made of another: true as long as that is. */
const madeOf = (response: Response, made: Response): Response => {
  const [stillTrue, staleMs] = [marks.get(response), stale.get(response)]
  if (stillTrue !== undefined) marks.set(made, stillTrue)
  if (staleMs !== undefined) stale.set(made, staleMs)
  return made
}

/** Lets readers keep an answer for so long without asking again. */
export const keptFor = (response: Response, seconds: number): Response =>
  madeOf(
    response,
    HttpServerResponse.setHeader(response, "cache-control", `public, max-age=${seconds}`)
  )

const digest = (body: Uint8Array): string =>
  createHash("sha1").update(body).digest("base64url").slice(0, 11)

/** Bytes that own their buffer, so that keeping them keeps nothing else. */
const owned = (body: Uint8Array): Uint8Array =>
  body.byteLength === body.buffer.byteLength ? body : new Uint8Array(body)

/** An answer that no commit can change: the API's own description, a file of the page. */
export const lastingResponse = (
  version: string,
  bytes: Uint8Array,
  contentType: string,
  extraHeaders: Readonly<Record<string, string>> = {}
): Response => {
  const body = owned(bytes)
  const etag = `"${version}.${digest(body)}"`
  const headers = { "cache-control": "no-cache", etag, ...extraHeaders }
  const response = HttpServerResponse.uint8Array(body, { contentType, headers })
  marks.set(response, LASTS)
  return response
}

/** A position of a lane's log, and the log's id; null while none is known. */
interface Position {
  readonly seq?: number | undefined
  readonly log?: string | null | undefined
}

const positionHeaders = ({ seq, log }: Position) => ({
  ...(seq === undefined ? {} : { "x-log-seq": String(seq) }),
  ...(log === undefined || log === null ? {} : { "x-log": log })
})

/** Text computed at every request, and the position it tells of where it is a lane's. */
export const freshText = (text: string, contentType: string, position: Position = {}): Response => {
  const headers = { "cache-control": "no-store", ...positionHeaders(position) }
  return HttpServerResponse.text(text, { contentType, headers })
}

/** JSON made at every request, which may well be what it was. */
export const freshJson = (version: string, value: unknown): Response => {
  const body = encoder.encode(JSON.stringify(value))
  const etag = `"${version}.${digest(body)}"`
  const headers = { "cache-control": "no-cache", etag }
  return HttpServerResponse.uint8Array(body, { contentType: "application/json", headers })
}

type Row = Readonly<Record<string, unknown>>

/** Leaves only some fields of the rows of an answer's list; refusals stay as they are. */
export const pickRows = (
  response: Response,
  list: string,
  fields: ReadonlyArray<string>
): Response => {
  if (response.status !== 200 || response.body._tag !== "Uint8Array") return response
  const answer = JSON.parse(decoder.decode(response.body.body)) as Row
  const rows = answer[list]
  if (!Array.isArray(rows)) return response
  const picked = (rows as ReadonlyArray<Row>).map(row =>
    Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name)))
  )
  const body = encoder.encode(JSON.stringify({ ...answer, [list]: picked }))
  const etag = response.headers["etag"]?.replace(/[^.]*"$/, `${digest(body)}"`)
  const made = HttpServerResponse.uint8Array(body, {
    contentType: "application/json",
    headers: { ...response.headers, ...(etag === undefined ? {} : { etag }) }
  })
  return madeOf(response, made)
}

/** The envelope of every answer that is not 2xx. */
export const refusalResponse = (
  refusal: {
    readonly status: number
    readonly code: string
    readonly message: string
    readonly retrySeconds?: number
  } & Position,
  extraHeaders: Readonly<Record<string, string>> = {}
): Response => {
  const { status, code, message } = refusal
  const body: ErrorBody = { error: code, message }
  const retry = refusal.retrySeconds ?? retrySeconds(status, code)
  return HttpServerResponse.text(JSON.stringify(body), {
    status,
    contentType: "application/json",
    headers: {
      "cache-control": "no-store",
      ...positionHeaders(refusal),
      ...(retry === undefined ? {} : { "retry-after": String(retry) }),
      ...extraHeaders
    }
  })
}

/** Turns a refusal into its answer: the end of every handler that reads a lane. */
export const answered = <R>(
  effect: Effect.Effect<Response, Refusal, R>
): Effect.Effect<Response, never, R> =>
  Effect.catch(effect, refusal => Effect.succeed(refusalResponse(refusal)))

/** Whether a lane's tables are not those of its log yet: what they lack may well be there. */
export const unready = (lane: Lane): boolean => {
  const { state } = lane.status()
  return state === "starting" || state === "rebuilding"
}

const unavailable = ({ message }: LaneUnavailable): Refusal =>
  new Refusal({ status: 503, code: "CHAIN_DATA_UNAVAILABLE", message })

/** Why a lane cannot tell what is there from what it lacks; null where it can. */
const notReady = (lane: Lane): string | null => {
  if (unready(lane)) return "the tables are not built yet; try again soon"
  // A log without events is not a chain without trades, such as of a node that never answered.
  return lane.seq() === 0 ? "nothing of the chain has been read yet; /v1/status says why" : null
}

/** The raw answer of a lane's query, or its refusal. */
export const queryLane = Effect.fnUntraced(function* (lane: Lane, request: QueryRequest) {
  const reason = notReady(lane)
  if (reason !== null) {
    const message = `${lane.config.key}: ${reason}`
    return yield* new Refusal({ status: 503, code: "NOT_READY", message })
  }
  const answer = yield* Effect.mapError(lane.query(request), unavailable)
  if (answer.ok) return answer
  return yield* new Refusal({ ...answer.refusal, seq: answer.seq, log: lane.log() })
})

/**
 * A lane's answer as it is: JSON bytes, the position they reflect, and an ETag of both. For
 * `staleSeconds` after it was last known to be true it may be given while a new one is made.
 */
export const laneResponse = Effect.fnUntraced(function* (
  version: string,
  lane: Lane,
  request: QueryRequest,
  staleSeconds = 0
) {
  const setbacks = lane.setbacks()
  const { notReady: code } = familyOf(lane.config)
  const { seq, body: bytes } = yield* Effect.mapError(queryLane(lane, request), refusal =>
    refusal.code === "NOT_READY"
      ? new Refusal({ ...refusal, message: refusal.message, code })
      : refusal
  )
  const body = owned(bytes)
  const response = HttpServerResponse.uint8Array(body, {
    contentType: "application/json",
    headers: {
      "cache-control":
        staleSeconds === 0 ? "no-cache" : `max-age=0, stale-while-revalidate=${staleSeconds}`,
      etag: `"${version}.${lane.config.key}.${seq}.${digest(body)}"`,
      ...positionHeaders({ seq, log: lane.log() })
    }
  })
  if (staleSeconds > 0) stale.set(response, staleSeconds * 1000)
  // Equal, not newer: a lane that lost its tail may come by the same position with other events.
  marks.set(response, () => lane.seq() === seq && lane.setbacks() === setbacks)
  return response
})
