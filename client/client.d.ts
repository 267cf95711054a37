/** The client of the HTTP API: one function a route, typed by what the API declares. */
import type { Codes, Routes } from "./generated/routes.d.ts"
import type { Problem, RetryOptions } from "./retry.d.ts"

export interface ClientOptions {
  /** where the engine is, as `http://127.0.0.1:8080`; a page's own server unless told */
  readonly url?: string
  /** sent as `X-API-Key` with every request */
  readonly apiKey?: string
  /** a request that takes longer is given up as `UNREACHABLE`; 15,000 unless told */
  readonly timeoutMs?: number
  /** whether and how refused requests are tried again; not at all unless told */
  readonly retry?: RetryOptions
  /** in place of the platform's */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** ends the request, its retries and its pages: the promise rejects with the signal's reason */
  readonly signal?: AbortSignal
  /** an answer to the same question: is given again where nothing changed (`If-None-Match`) */
  readonly known?: Answer<unknown>
  /** in place of the client's own */
  readonly retry?: RetryOptions
}

/** What was answered, and of which moment it is. Raw amounts stay the text that they came as. */
export interface Answer<Body> {
  readonly body: Body
  readonly status: number
  /** position in the chain's log that it reflects (`X-Log-Seq`); null where it is of none */
  readonly seq: number | null
  /** id of that log (`X-Log`): positions of another one mean nothing */
  readonly log: string | null
  readonly etag: string | null
  /** version of the engine that answered (`X-Engine`) */
  readonly engine: string | null
  /** Unix seconds, by the server's clock */
  readonly at: number
  /** of this minute; `resetsAt` in Unix seconds. Null where the server does not count */
  readonly limit: {
    readonly limit: number
    readonly remaining: number
    readonly resetsAt: number
  } | null
}

/** An answer whose rows of one list have these fields alone. */
export type Chosen<Body, List extends keyof Body, Field> = Omit<Body, List> & {
  readonly [Name in List]: Body[Name] extends ReadonlyArray<infer Row>
    ? ReadonlyArray<Pick<Row, Field & keyof Row>>
    : never
}

/** How the next page of a route is asked for. */
export type Paging =
  | { readonly by: "cursor"; readonly parameter: string; readonly field: string }
  | { readonly by: "offset"; readonly limit: number; readonly asOf: boolean }
  | { readonly by: "page"; readonly asOf: boolean }

/** A row of the table of routes. */
export interface Route {
  readonly method: "GET" | "POST"
  /** with `{name}` for its parameters */
  readonly path: string
  /** its answers are text, and no JSON */
  readonly isText?: boolean
  readonly paging?: Paging
}

export type RouteName = keyof Routes

/** Makes a client; nothing is asked yet. */
export declare const swaptape: (options?: ClientOptions) => Routes

/** Codes of the client itself: no answer came, or one that is none. */
export type OwnCode = "UNREACHABLE" | "BAD_ANSWER"

/**
 * What a call of a route was refused with, its code one of those that the route declares; null
 * where the cause is something else. A newer server may have further codes: let `switch` have a
 * default.
 */
export declare const problemOf: <Name extends RouteName>(
  route: Name,
  cause: unknown
) => Problem<Codes[Name] | OwnCode> | null
