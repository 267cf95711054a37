/**
 * Refusals. Every non-2xx body is `{ error, message }` with a stable code (spec, part 7). An
 * endpoint declares the codes it may answer with `failure`; a handler fails with a `Refusal`.
 */
import { Data, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** What each code means; the text stands in the OpenAPI document. */
const MEANING = {
  INVALID_PARAMS: "a parameter is bad; the message names it",
  BAD_ADDRESS: "the address is not 0x and 40 hex digits, or on Solana base58 of 32 bytes",
  BAD_LIMIT: "limit is out of range or no integer",
  BAD_DAYS: "days is out of range or no integer",
  BAD_HOURS: "hours is out of range or no integer",
  BAD_SORT: "sort is none of the words it may be",
  BAD_BEFORE: "before is neither ts:block:logIndex nor a Unix second",
  SLIPPAGE_MISMATCH: "slippageBps is not the quote's",
  ROUTE_MISMATCH: "the quote was edited, or given by another service; quote again",
  QUOTE_EXPIRED: "the quote is older than 30 seconds; quote again",
  NO_ROUTE: "the quote has no route to build",
  ENGINE_ERROR: "the routing engine did not answer",
  ROUTE_ERROR: "the routing engine's answer cannot be used",
  NOT_ENABLED: "that is off on this deployment",
  NODE_REFUSED: "the chain's node refuses what was asked of it; the message says why",
  TRADE_UNAVAILABLE: "no node of the chain answers",
  UNSUPPORTED_CHAIN:
    "unknown chain, a chain with its own routes, or one that is not public: send X-API-Key",
  INVALID_API_KEY: "X-API-Key opens nothing: it is mistyped, replaced or revoked; the message says",
  API_KEY_REQUIRED: "the route tells of the caller's API key: send X-API-Key",
  NOT_FOUND: "nothing at this path",
  METHOD_NOT_ALLOWED: "the path takes other methods: the header Allow has them",
  UPGRADE_REQUIRED: "the path is a WebSocket's",
  UNKNOWN_TOKEN: "the token has no indexed trades there",
  TOKEN_NOT_FOUND: "the mint never traded on a venue of Solana that is read; letter case counts",
  AS_OF_GONE: "that position's state cannot be told any more; start again without asOf",
  HOLDERS_PENDING: "the token was just pinned; retry in a few seconds; not an empty result",
  HOLDERS_UNAVAILABLE: "the token's holders are not tracked, and a request cannot change that now",
  RATE_LIMIT_EXCEEDED: "over the limit of this minute; wait until X-RateLimit-Reset",
  INTERNAL_ERROR: "a defect of the service",
  PAYLOAD_TOO_LARGE: "the body is over 64 KiB",
  REQUEST_TIMEOUT: "the body did not come in time",
  UNSUPPORTED_MEDIA_TYPE: "the body is not JSON by its Content-Type, or is compressed",
  ORIGIN_REFUSED: "a page of another origin asks; who runs the service may allow it (MCP_ORIGINS)",
  BODY_UNAVAILABLE: "too many requests are sending their bodies",
  LIVE_UNAVAILABLE: "no live socket is free, or the server is closing",
  NOT_READY: "the chain has not been read, or its tables are not built yet; not an empty result",
  CHAIN_NOT_ENABLED: "the chain is off on this deployment",
  CHAIN_DATA_UNAVAILABLE: "the chain's store cannot be read now; not an empty result"
} as const

export type ErrorCode = keyof typeof MEANING

/** Seconds after which a 503 is worth another try, where it is not a few. */
const RETRY_SECONDS: { readonly [code: string]: number } = {
  CHAIN_NOT_ENABLED: 3600
}

/** What `Retry-After` says of a refusal; undefined where another try would be no use. */
export const retrySeconds = (status: number, code: string): number | undefined =>
  status === 503 ? (RETRY_SECONDS[code] ?? 5) : undefined

/** The body of every non-2xx answer. */
export interface ErrorBody {
  readonly error: string
  readonly message: string
}

/** An answer other than 2xx, on its way to becoming one. */
export class Refusal extends Data.TaggedError("Refusal")<{
  readonly status: number
  readonly code: string
  readonly message: string
  /** the log position it reflects, where a lane gave it, and the id of that log */
  readonly seq?: number
  readonly log?: string | null
  /** when another try may be of use, where the code alone does not tell */
  readonly retrySeconds?: number
}> {}

/** Whether a chain was asked for a token that it does not know. */
export const isUnknownToken = ({ code }: Pick<Refusal, "code">): boolean =>
  code === "UNKNOWN_TOKEN" || code === "TOKEN_NOT_FOUND"

/** One of some words; of a single one no union, which linters of the contract would complain of. */
const oneOf = <const Words extends readonly [string, ...ReadonlyArray<string>]>(words: Words) => {
  const [first, ...others] = words
  return others.length === 0 ? Schema.Literal(first) : Schema.Literals(words)
}

/** Declares that an endpoint may answer `status` with one of these codes. */
export const failure = <const Codes extends readonly [ErrorCode, ...ReadonlyArray<ErrorCode>]>(
  status: number,
  ...codes: Codes
) =>
  Schema.Struct({
    error: oneOf(codes),
    message: Schema.String.annotate({ description: "for people; not stable" })
  })
    .annotate({ description: codes.map(code => `${code}: ${MEANING[code]}`).join("; ") })
    .pipe(HttpApiSchema.status(status))

/** What any route may answer. */
export const ANY_ROUTE = [
  failure(400, "INVALID_PARAMS"),
  failure(401, "INVALID_API_KEY"),
  failure(429, "RATE_LIMIT_EXCEEDED"),
  failure(500, "INTERNAL_ERROR")
] as const

/** What any route that takes a body may answer besides. */
export const ANY_BODY = [
  failure(408, "REQUEST_TIMEOUT"),
  failure(413, "PAYLOAD_TOO_LARGE"),
  failure(415, "UNSUPPORTED_MEDIA_TYPE"),
  failure(503, "BODY_UNAVAILABLE")
] as const

/** What any route that asks the router may answer besides. */
export const ROUTER_FAILED = failure(502, "ENGINE_ERROR", "ROUTE_ERROR")
export const NO_ROUTER = failure(503, "NOT_ENABLED")

/** A token without trades; of Solana by a word of its own. */
export const NO_SUCH_TOKEN = failure(404, "UNKNOWN_TOKEN", "TOKEN_NOT_FOUND")

/** What any route that reads a lane may answer. */
export const ANY_LANE_ROUTE = [
  ...ANY_ROUTE,
  failure(400, "UNSUPPORTED_CHAIN"),
  failure(503, "NOT_READY", "CHAIN_DATA_UNAVAILABLE")
] as const

/** What any route below a chain may answer. */
export const ANY_CHAIN_ROUTE = [failure(503, "CHAIN_NOT_ENABLED"), ...ANY_LANE_ROUTE] as const
