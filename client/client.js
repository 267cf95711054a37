// @ts-check
/** The client of the HTTP API. Types and words: `client.d.ts`. */

import { ROUTES } from "./generated/routes.js"
import { askOnce } from "./request.js"
import { Problem, untilDone } from "./retry.js"

/** @typedef {import("./client.d.ts").Answer<Record<string, unknown>>} Page */
/** @typedef {import("./client.d.ts").CallOptions} CallOptions */
/** @typedef {import("./client.d.ts").ClientOptions} ClientOptions */
/** @typedef {import("./client.d.ts").Route} Route */
/** @typedef {{ readonly [name: string]: unknown }} Input */

/** Refusals that pass: too many requests, something that is not ready, and no answer to a read. */
const passing =
  (/** @type {Route} */ { method }) =>
  (/** @type {Problem} */ { status, code }) =>
    status === 429 || status === 503 || (code === "UNREACHABLE" && method === "GET")

/**
 * What asks for the page after one; null after the last.
 *
 * @type {(route: Route, input: Input, page: Page) => Input | null}
 */
const afterPage = ({ paging }, input, { body }) => {
  if (paging?.by === "cursor") {
    const next = body[paging.field]
    return next === null || next === undefined ? null : { ...input, [paging.parameter]: next }
  }
  if (paging === undefined) return null
  const pinned = paging.asOf ? { ...input, asOf: body["asOf"] } : input
  const total = Number(body["total"])
  if (paging.by === "page") {
    const page = Number(body["page"])
    return page * Number(body["pageSize"]) < total ? { ...pinned, page: page + 1 } : null
  }
  const offset = Number(body["offset"]) + Number(input["limit"] ?? paging.limit)
  return offset < total ? { ...pinned, offset } : null
}

/** @type {(name: string, route: Route, client: ClientOptions) => unknown} */
const functionOf = (name, route, client) => {
  /** @type {(input?: Input, options?: CallOptions) => Promise<Page>} */
  const ask = (input = {}, options = {}) => {
    const once = () => askOnce(client, name, route, input, options)
    const retry = options.retry ?? client.retry ?? { tries: 1 }
    const { signal } = options
    const until = { ...retry, ...(signal && { signal }), isPassing: passing(route) }
    return untilDone(once, until)
  }
  if (route.paging === undefined) return ask
  /** @type {(input?: Input, options?: CallOptions) => AsyncGenerator<Page>} */
  const pages = async function* (input = {}, options = {}) {
    for (let next = /** @type {Input | null} */ (input); next !== null; ) {
      const page = await ask(next, options)
      yield page
      next = afterPage(route, next, page)
    }
  }
  return Object.assign(ask, { pages })
}

/** @type {typeof import("./client.d.ts").swaptape} */
export const swaptape = (options = {}) => {
  const functions = Object.entries(ROUTES).map(([name, route]) => [
    name,
    functionOf(name, route, options)
  ])
  return Object.fromEntries(functions)
}

/** @type {typeof import("./client.d.ts").problemOf} */
export const problemOf = (route, cause) =>
  cause instanceof Problem && cause.route === route
    ? /** @type {ReturnType<typeof import("./client.d.ts").problemOf<typeof route>>} */ (cause)
    : null
