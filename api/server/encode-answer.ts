/** From the application's responses, failures included, to answers ready for the wire. */

import type { Scope } from "effect"
import { Cause, Effect } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { isLasting, refusalResponse } from "../answering.ts"
import { type Answer, answerOf, statusLine } from "./answer.ts"
import { encodingsOf } from "./encodings.ts"
import type { KnownRoutes } from "./known-routes.ts"

export type HttpApplication = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  unknown,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

const EXPOSED_HEADERS =
  "date, etag, retry-after, x-log-seq, x-log, x-engine, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset"
const OWN_HEADERS = new Set(["content-type", "content-length", "etag"])
const NOTHING = new Uint8Array(0)
const encoder = new TextEncoder()

const bytesOf = (body: HttpServerResponse.HttpServerResponse["body"]): Uint8Array => {
  if (body._tag === "Uint8Array") return body.body
  if (body._tag === "Empty") return NOTHING
  if (body._tag === "Raw" && typeof body.body === "string") return encoder.encode(body.body)
  throw new Error(`a response body of kind ${body._tag} cannot be sent whole`)
}

/**
 * The headers of every answer of an engine of this version. Any origin may read. `variesByKey`:
 * whether callers with a key may read more than others.
 */
export const sharedHeaders = (version: string, variesByKey: boolean): Answer["headers"] => [
  ["x-engine", version],
  ["access-control-allow-origin", "*"],
  ["access-control-expose-headers", EXPOSED_HEADERS],
  ["vary", variesByKey ? "accept-encoding, x-api-key" : "accept-encoding"]
]

/** What keeps an answer out of the caches that others read too. */
export const madePrivate = (
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const control = response.headers["cache-control"] ?? ""
  if (control === "no-store") return response
  const rest = control.split(", ").filter(part => part !== "" && part !== "public")
  return HttpServerResponse.setHeader(response, "cache-control", ["private", ...rest].join(", "))
}

/** Encodes a response; throws where its body is a stream, which this server does not send. */
export const encodeAnswer = (
  response: HttpServerResponse.HttpServerResponse,
  shared: Answer["headers"]
): Answer => {
  const own = Object.entries(response.headers).filter(([name]) => !OWN_HEADERS.has(name))
  const body = bytesOf(response.body)
  const contentType = response.headers["content-type"] ?? null
  return answerOf({
    status: statusLine(response.status),
    headers: [...own, ...shared],
    contentType,
    etag: response.headers["etag"] ?? null,
    body,
    encodings: encodingsOf(body, contentType, isLasting(response))
  })
}

/** The answer to a browser's question whether it may read from another origin. */
export const preflightAnswer = (shared: Answer["headers"]): Answer =>
  answerOf({
    status: statusLine(204),
    headers: [
      ...shared,
      ["access-control-allow-methods", "GET, HEAD, POST, OPTIONS"],
      [
        "access-control-allow-headers",
        "content-type, if-none-match, last-event-id, x-api-key, mcp-protocol-version"
      ],
      ["access-control-max-age", "86400"]
    ],
    contentType: null,
    etag: null,
    body: NOTHING,
    encodings: null
  })

/** What is known of the paths that are there. */
type Paths = Pick<KnownRoutes, "allowed" | "near">

const noRoute = (method: string, url: string, { allowed, near }: Paths) => {
  const [path = ""] = url.split("?")
  const methods = allowed(url)
  if (methods.length === 0) {
    const meant = near(path)
    const hint = meant === undefined ? "/docs lists what is there" : `did you mean ${meant}?`
    const message = `nothing answers ${method} ${path}; ${hint}`
    return refusalResponse({ status: 404, code: "NOT_FOUND", message })
  }
  const message = `${path} takes ${methods.join(", ")}, not ${method}`
  const allow = [...methods, "OPTIONS"].join(", ")
  return refusalResponse({ status: 405, code: "METHOD_NOT_ALLOWED", message }, { allow })
}

const envelopeOf = (
  { method, originalUrl }: HttpServerRequest.HttpServerRequest,
  cause: Cause.Cause<unknown>,
  paths: Paths
) => {
  const error = Cause.squash(cause)
  if (HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound") {
    return Effect.succeed(noRoute(method, originalUrl, paths))
  }
  const [path = ""] = originalUrl.split("?")
  const message = "the service failed to answer; its log has the cause"
  const refusal = refusalResponse({ status: 500, code: "INTERNAL_ERROR", message })
  return Effect.as(Effect.logError("request failed", method, path, cause), refusal)
}

/** Every failure becomes the envelope, except the interruption that follows a lost client. */
export const enveloped = (application: HttpApplication, paths: Paths): HttpApplication =>
  Effect.catchCause(application, cause =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.failCause(cause)
      : Effect.flatMap(HttpServerRequest.HttpServerRequest, request =>
          envelopeOf(request, cause, paths)
        )
  )
