/**
 * One request to a stranger's HTTP server and its whole answer, bounded in time and bytes. What it
 * answers is not believed here: redirects are answers as others are, and what is no JSON is told.
 */
import { Clock, Data, Effect, Result } from "effect"
import { retryAfterMs, urlLabel, withoutSecrets } from "./rpc-error.ts"

export interface HttpQuestion {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** JSON; absent with `GET` */
  readonly body?: string
  /** milliseconds for head and body together */
  readonly timeoutMs: number
  /** bytes of the body above which the answer is given up */
  readonly mostBytes: number
}

export interface HttpAnswer {
  readonly status: number
  readonly text: string
  /** undefined where the text is no JSON */
  readonly json: unknown
  /** milliseconds that the server wants before the next request; null where it does not say */
  readonly retryAfterMs: number | null
}

/** No whole answer came. The message names the host, never the URL's path, query or password. */
export class HttpFault extends Data.TaggedError("HttpFault")<{
  readonly kind: "timeout" | "unreachable" | "too-large"
  readonly message: string
}> {}

/** The innermost reason of a failed fetch: Node hides `ECONNREFUSED` two causes deep. */
const reasonOf = (cause: unknown): string => {
  let reason = cause
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause
  if (!(reason instanceof Error)) return String(reason)
  return reason.message === "" && "code" in reason ? String(reason.code) : reason.message
}

/** Reads a body up to so many bytes; null where there are more. */
const readBounded = async (response: Response, mostBytes: number): Promise<string | null> => {
  if (response.body === null) return ""
  const reader = response.body.getReader()
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks).toString("utf8")
    bytes += value.byteLength
    if (bytes > mostBytes) {
      await reader.cancel()
      return null
    }
    chunks.push(value)
  }
}

const parsed = (text: string): unknown =>
  Result.getOrElse(
    Result.try(() => JSON.parse(text) as unknown),
    () => undefined
  )

/** Asks, and waits for the whole answer. Statuses of every class are answers. */
export const askHttp = (question: HttpQuestion): Effect.Effect<HttpAnswer, HttpFault> => {
  const { method, url, headers, body, timeoutMs, mostBytes } = question
  const label = urlLabel(url)
  const fault = (kind: HttpFault["kind"], message: string) =>
    new HttpFault({ kind, message: `${label}: ${withoutSecrets(message, url).slice(0, 200)}` })
  return Effect.gen(function* () {
    const nowMs = yield* Clock.currentTimeMillis
    const answer = yield* Effect.tryPromise({
      try: async signal => {
        const init = { method, headers, redirect: "manual" as const, signal }
        const response = await fetch(url, body === undefined ? init : { ...init, body })
        const text = await readBounded(response, mostBytes)
        return { status: response.status, text, wait: response.headers.get("retry-after") }
      },
      catch: cause => fault("unreachable", reasonOf(cause))
    })
    const { status, text, wait } = answer
    if (text === null) return yield* fault("too-large", `more than ${mostBytes} bytes`)
    return { status, text, json: parsed(text), retryAfterMs: retryAfterMs(wait, nowMs) ?? null }
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeoutMs,
      orElse: () => Effect.fail(fault("timeout", `no answer in ${timeoutMs} ms`))
    })
  )
}
