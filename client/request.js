// @ts-check
/** One request: its address, its answer, and what else it may come to. */

import { Problem } from "./retry.js"

/** @typedef {import("./client.d.ts").CallOptions} CallOptions */
/** @typedef {import("./client.d.ts").ClientOptions} ClientOptions */
/** @typedef {import("./client.d.ts").Route} Route */

const PATIENCE_MS = 15_000
const JSON_TYPE = "application/json"
/** Statuses of answers that say nothing more, as to a message of MCP that asks nothing. */
const WITHOUT_BODY = new Set([202, 204])

/**
 * The address of a route, with what it is asked.
 *
 * @type {(path: string, input: { readonly [name: string]: unknown }) => string}
 */
const addressOf = (path, input) => {
  const rest = new Map(Object.entries(input))
  const place = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = String(rest.get(name))
    rest.delete(name)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams()
  for (const [name, value] of rest) {
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return query.size > 0 ? `${place}?${query}` : place
}

/**
 * A header that is a number; null where it is not there.
 *
 * @type {(headers: Headers, name: string) => number | null}
 */
const numberIn = (headers, name) => {
  const text = headers.get(name)
  const value = text === null || text === "" ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : null
}

/** Milliseconds of the server's clock. @type {(headers: Headers) => number} */
const serverMs = headers => {
  const dated = Date.parse(headers.get("date") ?? "")
  return Number.isNaN(dated) ? Date.now() : dated
}

/** How long the server asks to wait. @type {(response: Response) => number} */
const waitMs = ({ status, headers }) => {
  if (status !== 429 && status !== 503) return 0
  const afterSeconds = numberIn(headers, "retry-after")
  if (afterSeconds !== null) return Math.max(0, afterSeconds * 1000)
  const until = Date.parse(headers.get("retry-after") ?? "")
  const reset = status === 429 ? numberIn(headers, "x-ratelimit-reset") : null
  const end = Number.isNaN(until) ? (reset ?? 0) * 1000 : until
  return Math.max(0, end - serverMs(headers))
}

/** @type {(headers: Headers) => import("./client.d.ts").Answer<unknown>["limit"]} */
const limitIn = headers => {
  const limit = numberIn(headers, "x-ratelimit-limit")
  const remaining = numberIn(headers, "x-ratelimit-remaining")
  const resetsAt = numberIn(headers, "x-ratelimit-reset")
  if (limit === null || remaining === null || resetsAt === null) return null
  return { limit, remaining, resetsAt }
}

/** @type {(text: string) => any} undefined where it is no JSON */
const parsed = text => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * @param {ClientOptions} client
 * @param {Route} route
 * @param {object} input parameters, or the body of a POST
 * @param {CallOptions} options
 */
const send = (client, { method, path }, input, { signal, known }) => {
  const { url = "", apiKey, timeoutMs = PATIENCE_MS, fetch: ask = globalThis.fetch } = client
  const isPost = method === "POST"
  const headers = {
    accept: `${JSON_TYPE}, */*;q=0.5`,
    ...(isPost ? { "content-type": JSON_TYPE } : {}),
    ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
    ...(known?.etag ? { "if-none-match": known.etag } : {})
  }
  const patience = AbortSignal.timeout(timeoutMs)
  return ask(`${url}${isPost ? path : addressOf(path, { ...input })}`, {
    method,
    headers,
    ...(isPost ? { body: JSON.stringify(input) } : {}),
    signal: signal === undefined ? patience : AbortSignal.any([signal, patience])
  })
}

/**
 * Why a request failed, in words: `fetch` says no more than that it did, its cause what happened.
 *
 * @type {(cause: unknown) => string}
 */
const wordsOf = cause => {
  if (!(cause instanceof Error)) return String(cause)
  const why = cause.cause instanceof Error ? cause.cause.message : ""
  return why === "" ? cause.message : `${cause.message}: ${why}`
}

/**
 * Asks once.
 *
 * @param {ClientOptions} client
 * @param {string} name of the function that was called
 * @param {Route} route
 * @param {object} input
 * @param {CallOptions} options
 * @returns {Promise<import("./client.d.ts").Answer<any>>}
 * @throws {Problem} with the server's code, or `UNREACHABLE`, `BAD_ANSWER`
 */
export const askOnce = async (client, name, route, input, options) => {
  const unreachable = (/** @type {unknown} */ cause) => {
    options.signal?.throwIfAborted()
    const message = `the server does not answer (${wordsOf(cause)})`
    throw new Problem("UNREACHABLE", message, { route: name })
  }
  const response = await send(client, route, input, options).catch(unreachable)
  const { status, headers } = response
  if (status === 304 && options.known !== undefined) return options.known
  const text = await response.text().catch(unreachable)
  const about = { status, route: name, waitMs: waitMs(response) }
  const isText = response.ok && route.isText === true
  const body = isText ? text : WITHOUT_BODY.has(status) ? null : parsed(text)
  if (body === undefined) {
    throw new Problem("BAD_ANSWER", `the server's answer (${status}) is not JSON`, about)
  }
  if (!response.ok) {
    const { error = "ERROR", message = `the server answered ${status}` } = body ?? {}
    throw new Problem(String(error), String(message), about)
  }
  return {
    ...{ body, status, limit: limitIn(headers), engine: headers.get("x-engine") },
    ...{ seq: numberIn(headers, "x-log-seq"), log: headers.get("x-log") },
    ...{ etag: headers.get("etag"), at: Math.floor(serverMs(headers) / 1000) }
  }
}
