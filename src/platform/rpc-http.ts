/** JSON-RPC over HTTP. */
import { Clock, Effect, Predicate, Result } from "effect"
import {
  type AnswerHead,
  AnswerTooLarge,
  BrokenAnswer,
  type HttpAnswer,
  jsonPoster
} from "./http-post.ts"
import type { AnswerReader, RpcCall, RpcEndpoint, RpcOptions } from "./rpc.ts"
import { type RpcError, retryAfterMs, statusKind } from "./rpc-error.ts"

/** Returns why a request failed. Where several addresses of a host did, Node tells only a code. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const code = "code" in cause ? String(cause.code) : ""
  return cause.message === "" ? code : cause.message
}

/** A node may write any text there. */
const MOST_LOCATION_CHARACTERS = 200

const isOk = ({ status }: AnswerHead): boolean => status >= 200 && status <= 299

/**
 * Returns the kind of an answer above the size limit. Fewer blocks make a smaller `eth_getLogs`
 * answer; a contract may answer `eth_call` with any size, which is the contract's fault.
 */
const tooLarge = (method: string): RpcError["kind"] => {
  if (method === "eth_getLogs") return "too-many-results"
  return method === "eth_call" ? "reverted" : "bad-answer"
}

/** Returns what a refusal says: of a redirect, what to do about it. */
const detailsOf = (status: number, location: string | null, told: string): string =>
  location !== null && status >= 300 && status <= 399
    ? `redirects to ${location.slice(0, MOST_LOCATION_CHARACTERS)}, which is not followed: where ` +
      "that is right, set the endpoint's URL to it"
    : told

/** Returns the failure of a status; `told` is what of the body says why. */
const refusal = (
  reader: AnswerReader,
  method: string,
  { status, statusText, retryAfter, location }: AnswerHead,
  told: unknown,
  nowMs: number
): RpcError => {
  const wait = retryAfterMs(retryAfter, nowMs)
  const details = detailsOf(
    status,
    location,
    told === undefined ? statusText : JSON.stringify(told)
  )
  return reader.fail(
    statusKind(method, status),
    method,
    `HTTP ${status} ${details}`.trim(),
    wait === undefined ? {} : { retryAfterMs: wait }
  )
}

const failureOf = (
  reader: AnswerReader,
  method: string,
  cause: unknown,
  nowMs: number
): RpcError => {
  if (cause instanceof AnswerTooLarge) return reader.fail(tooLarge(method), method, cause.message)
  if (!(cause instanceof BrokenAnswer)) return reader.fail("dead", method, reasonOf(cause))
  return isOk(cause.head)
    ? reader.fail("dead", method, reasonOf(cause.cause))
    : refusal(reader, method, cause.head, undefined, nowMs)
}

/** Returns the JSON of a text; undefined where it is none, which no JSON is. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a body is a JSON-RPC error, which says more than the status that it came with. */
const isRpcError = (answer: unknown): boolean =>
  Predicate.isObject(answer) &&
  Predicate.isObject(answer["error"]) &&
  typeof answer["error"]["code"] === "number" &&
  typeof answer["error"]["message"] === "string"

/** Gives the body of an answer that says something of what was asked. */
const bodyOf = (
  reader: AnswerReader,
  method: string,
  found: HttpAnswer,
  nowMs: number
): Effect.Effect<Buffer, RpcError> => {
  if (isOk(found)) return Effect.succeed(found.bytes)
  const text = found.bytes.toString()
  const answer = parsed(text)
  if (isRpcError(answer)) return Effect.succeed(found.bytes)
  const told = Predicate.isObject(answer) ? answer["error"] : text || undefined
  return Effect.fail(refusal(reader, method, found, told, nowMs))
}

const rateLimited = (status: number): boolean => status === 429 || status === 503

const answersById = (
  reader: AnswerReader,
  calls: ReadonlyArray<RpcCall>,
  answer: unknown
): Effect.Effect<ReadonlyArray<Result.Result<unknown, RpcError>>, RpcError> => {
  const method = calls[0]?.method ?? ""
  if (!Array.isArray(answer)) {
    // A node refuses a whole batch by one error object.
    const refused = reader.read(method, answer)
    return Result.isFailure(refused)
      ? Effect.fail(refused.failure)
      : Effect.fail(reader.fail("bad-answer", method, "one answer to a batch"))
  }
  const byId = new Map<unknown, unknown>(
    answer.map(item => [Predicate.isObject(item) ? item["id"] : undefined, item])
  )
  return Effect.succeed(calls.map((call, id) => reader.read(call.method, byId.get(id))))
}

/** Asks, and gives the body of what is answered in time. */
export const askHttpNode = (
  reader: AnswerReader,
  method: string,
  timeoutMs: number,
  ask: (signal: AbortSignal) => Promise<HttpAnswer>
): Effect.Effect<Buffer, RpcError> =>
  Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    const found = yield* Effect.tryPromise({
      try: ask,
      catch: cause => failureOf(reader, method, cause, nowMs)
    })
    const body = yield* bodyOf(reader, method, found, nowMs)
    // A rate limit may have a JSON body; status and Retry-After are more exact.
    if (!rateLimited(found.status)) return body
    const wait = retryAfterMs(found.retryAfter, nowMs)
    const more = wait === undefined ? {} : { retryAfterMs: wait }
    return yield* reader.fail("rate-limited", method, `HTTP ${found.status}`, more)
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeoutMs,
      orElse: () => Effect.fail(reader.fail("timeout", method, `no answer in ${timeoutMs} ms`))
    })
  )

/** Reads a body as JSON. */
export const jsonOf = (
  reader: AnswerReader,
  method: string,
  body: Buffer
): Effect.Effect<unknown, RpcError> => {
  const answer = parsed(body.toString())
  return answer === undefined
    ? Effect.fail(reader.fail("bad-answer", method, "the answer is not JSON"))
    : Effect.succeed(answer)
}

/** Returns an endpoint at an http(s) URL. */
export const httpEndpoint = (
  url: string,
  reader: AnswerReader,
  options: RpcOptions
): RpcEndpoint => {
  const post = jsonPoster(url, options.maxAnswerBytes)
  const ask = (method: string, body: object) =>
    askHttpNode(reader, method, options.timeoutMs, signal =>
      post(JSON.stringify(body), signal)
    ).pipe(Effect.flatMap(answer => jsonOf(reader, method, answer)))
  return {
    label: reader.label,
    request: call =>
      ask(call.method, { jsonrpc: "2.0", id: 0, ...call }).pipe(
        Effect.flatMap(answer => Effect.fromResult(reader.read(call.method, answer)))
      ),
    batch: calls =>
      calls.length === 0
        ? Effect.succeed([])
        : ask(
            calls[0]?.method ?? "",
            calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call }))
          ).pipe(Effect.flatMap(answer => answersById(reader, calls, answer))),
    newHeads: null
  }
}
