/** JSON-RPC over HTTP, through viem's client. */
import { Clock, Effect, Predicate, Result } from "effect"
import { HttpRequestError, ResponseBodyTooLargeError } from "viem"
import { getHttpRpcClient } from "viem/utils"
import type { AnswerReader, RpcCall, RpcEndpoint, RpcOptions } from "./rpc.ts"
import { type RpcError, retryAfterMs, statusKind } from "./rpc-error.ts"

/** Returns the innermost reason of a failed fetch: Node hides `ECONNREFUSED` two causes deep. */
const reasonOf = (cause: unknown): string => {
  let reason = cause
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause
  if (!(reason instanceof Error)) return String(reason)
  const code = "code" in reason ? String(reason.code) : ""
  return reason.message === "" ? code : reason.message
}

const isBadJson = (error: HttpRequestError): boolean => error.cause instanceof SyntaxError

/** A response's status and `Retry-After`, which viem's client does not return. */
interface Head {
  status: number
  retryAfter: string | null
}

/**
 * Returns the kind of an answer above the size limit. Fewer blocks make a smaller `eth_getLogs`
 * answer; a contract may answer `eth_call` with any size, which is the contract's fault.
 */
const tooLarge = (method: string): RpcError["kind"] => {
  if (method === "eth_getLogs") return "too-many-results"
  return method === "eth_call" ? "reverted" : "bad-answer"
}

const failureOf = (
  reader: AnswerReader,
  method: string,
  cause: unknown,
  head: Head | null,
  nowMs: number
): RpcError => {
  if (cause instanceof ResponseBodyTooLargeError) {
    return reader.fail(tooLarge(method), method, `answer of ${cause.size} bytes is too large`)
  }
  if (head !== null && (head.status < 200 || head.status > 299)) {
    const details = cause instanceof HttpRequestError ? cause.details : ""
    const wait = retryAfterMs(head.retryAfter, nowMs)
    return reader.fail(
      statusKind(method, head.status),
      method,
      `HTTP ${head.status} ${details}`.trim(),
      wait === undefined ? {} : { retryAfterMs: wait }
    )
  }
  if (cause instanceof HttpRequestError && isBadJson(cause)) {
    return reader.fail("bad-answer", method, "the answer is not JSON")
  }
  return reader.fail("dead", method, reasonOf(cause))
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

/** Returns an endpoint at an http(s) URL. */
export const httpEndpoint = (
  url: string,
  reader: AnswerReader,
  options: RpcOptions
): RpcEndpoint => {
  // The time limit is set here, because viem's own ends with the response's head.
  const client = getHttpRpcClient(url, { timeout: 0, maxResponseBodySize: options.maxAnswerBytes })
  const post = <B extends RpcCall | Array<RpcCall>>(method: string, body: B) =>
    Effect.gen(function* () {
      let head: Head | null = null
      const nowMs = yield* Clock.currentTimeMillis
      const answer = yield* Effect.tryPromise({
        try: signal =>
          client.request({
            body: body as RpcCall & { id?: number },
            fetchOptions: { signal },
            onResponse: response => {
              head = {
                status: response.status,
                retryAfter: response.headers.get("retry-after")
              }
            }
          }),
        catch: cause => failureOf(reader, method, cause, head, nowMs)
      })
      // A rate limit may have a JSON body; status and Retry-After are more exact.
      const { status, retryAfter } = (head as Head | null) ?? { status: 200, retryAfter: null }
      const wait = retryAfterMs(retryAfter, nowMs)
      if (rateLimited(status)) {
        const more = wait === undefined ? {} : { retryAfterMs: wait }
        return yield* reader.fail("rate-limited", method, `HTTP ${status}`, more)
      }
      return answer as unknown
    }).pipe(
      Effect.timeoutOrElse({
        duration: options.timeoutMs,
        orElse: () =>
          Effect.fail(reader.fail("timeout", method, `no answer in ${options.timeoutMs} ms`))
      })
    )
  return {
    label: reader.label,
    request: call =>
      post(call.method, call).pipe(
        Effect.flatMap(answer => Effect.fromResult(reader.read(call.method, answer)))
      ),
    batch: calls =>
      calls.length === 0
        ? Effect.succeed([])
        : post(
            calls[0]?.method ?? "",
            calls.map((call, id) => ({ ...call, id }))
          ).pipe(Effect.flatMap(answer => answersById(reader, calls, answer))),
    newHeads: null
  }
}
