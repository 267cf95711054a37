/**
 * JSON-RPC to a node over HTTP or WebSocket. Calls return parsed answers or tagged errors; the
 * caller decides about retries, endpoints and validation.
 */
import { Effect, Predicate, Result, type Scope, type Stream } from "effect"
import {
  errorKind,
  namedBlockLimit,
  RpcError,
  type RpcErrorKind,
  urlLabel,
  withoutSecrets
} from "./rpc-error.ts"
import { httpEndpoint } from "./rpc-http.ts"
import { webSocketEndpoint } from "./rpc-web-socket.ts"

export interface RpcCall {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

export type RpcAnswer = Result.Result<unknown, RpcError>

export interface RpcEndpoint {
  /** host and port, safe to show */
  readonly label: string
  readonly request: (call: RpcCall) => Effect.Effect<unknown, RpcError>
  /** Returns one answer per call, in order. Fails as a whole where the answers did not arrive. */
  readonly batch: (
    calls: ReadonlyArray<RpcCall>
  ) => Effect.Effect<ReadonlyArray<RpcAnswer>, RpcError>
  /** Streams block headers as the node pushes them; null where the transport has no pushes. */
  readonly newHeads: Stream.Stream<unknown, RpcError> | null
}

export interface RpcOptions {
  /** milliseconds after which a call fails */
  readonly timeoutMs: number
  /** bytes of an answer above which the call fails; HTTP only */
  readonly maxAnswerBytes: number
}

export const rpcDefaults: RpcOptions = { timeoutMs: 20_000, maxAnswerBytes: 128 * 2 ** 20 }

/** Turns a transport's answers and failures, for one URL, into results. */
export interface AnswerReader {
  readonly label: string
  readonly fail: (
    kind: RpcError["kind"],
    method: string,
    message: string,
    more?: { readonly code?: number; readonly retryAfterMs?: number }
  ) => RpcError
  /** reads an answer `{ result }` or `{ error }` */
  readonly read: (method: string, answer: unknown) => RpcAnswer
}

/** Nodes give the data of a revert as hex, within an object, or behind a word. */
const revertDataIn = (data: unknown): `0x${string}` | undefined => {
  const text = Predicate.isObject(data) ? data["data"] : data
  const hex = Predicate.isString(text) ? /0x([0-9a-fA-F]{2})*$/.exec(text)?.[0] : undefined
  return hex as `0x${string}` | undefined
}

/** Names the kind of an error object `{ code, message }` of a method. */
type KindOf = (method: string, code: number, message: string) => RpcErrorKind

/** Returns the reader of a URL's answers. None of its messages contains the URL's secrets. */
export const answerReader = (url: string, kindOf: KindOf = errorKind): AnswerReader => {
  const label = urlLabel(url)
  const fail: AnswerReader["fail"] = (kind, method, message, more = {}) =>
    new RpcError({
      kind,
      endpoint: label,
      method,
      message: `${label} ${method}: ${withoutSecrets(message, url).slice(0, 300)}`,
      ...more
    })
  const read: AnswerReader["read"] = (method, answer) => {
    if (!Predicate.isObject(answer))
      return Result.fail(fail("bad-answer", method, "no JSON object"))
    if (Predicate.isObject(answer["error"])) return Result.fail(refusal(method, answer["error"]))
    if (answer["error"] !== undefined && answer["error"] !== null) {
      return Result.fail(fail("bad-answer", method, `error ${JSON.stringify(answer["error"])}`))
    }
    return answer["result"] === undefined
      ? Result.fail(fail("bad-answer", method, "neither result nor error"))
      : Result.succeed(answer["result"])
  }
  const refusal = (method: string, error: { readonly [key: PropertyKey]: unknown }): RpcError => {
    const code = Predicate.isNumber(error["code"]) ? error["code"] : 0
    const message = Predicate.isString(error["message"]) ? error["message"] : "no message"
    // Some nodes put the reason into `data`, beside a message without meaning.
    const data = Predicate.isString(error["data"]) ? ` ${error["data"]}` : ""
    const kind = kindOf(method, code, message + data)
    const revertData = kind === "reverted" ? revertDataIn(error["data"]) : undefined
    const maxBlocks = kind === "range-too-wide" ? namedBlockLimit(message) : undefined
    return new RpcError({
      kind,
      endpoint: label,
      method,
      message: `${label} ${method}: ${withoutSecrets(message, url).slice(0, 300)} (${code})`,
      code,
      ...(maxBlocks === undefined ? {} : { maxBlocks }),
      ...(revertData === undefined ? {} : { revertData })
    })
  }
  return { label, fail, read }
}

/** Returns true for a URL whose scheme `openRpc` supports. */
export const isRpcUrl = (url: string): boolean =>
  URL.canParse(url) && /^(https?|wss?):$/.test(new URL(url).protocol)

/** Returns an endpoint at an http, https, ws or wss URL; a socket opens with its first use. */
export const openRpc = (
  url: string,
  options: RpcOptions = rpcDefaults
): Effect.Effect<RpcEndpoint, never, Scope.Scope> =>
  /^ws/i.test(url)
    ? webSocketEndpoint(url, answerReader(url), options)
    : Effect.succeed(httpEndpoint(url, answerReader(url), options))
