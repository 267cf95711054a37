/**
 * An `HttpServerRequest` that owns what it needs: uWebSockets' request dies when its callback
 * returns, so method, URL, headers and body are copied before. Building one costs a fraction of a
 * Web `Request`; its body is there, whole.
 */
import { Effect, Inspectable, Option, Schema, Stream } from "effect"
import {
  Cookies,
  type Headers,
  HttpIncomingMessage,
  HttpServerError,
  HttpServerRequest,
  Multipart,
  UrlParams
} from "effect/http"

/** What was copied from the connection. */
export interface RequestParts {
  /** upper case */
  readonly method: string
  /** path and query, as sent */
  readonly url: string
  readonly headers: Headers.Headers
  readonly body: Uint8Array
  readonly remoteAddress: string
}

type Changes = Parameters<HttpServerRequest.HttpServerRequest["modify"]>[0]

const decoder = new TextDecoder()
const fromJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

type ServerError = HttpServerError.HttpServerError

export class LightRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId] = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId] = HttpIncomingMessage.TypeId
  readonly source: RequestParts
  readonly url: string
  readonly headers: Headers.Headers
  readonly remoteAddress: Option.Option<string>
  readonly peerAddress: Option.Option<string>
  readonly protocol: "http" | "https" | undefined

  constructor(source: RequestParts, changes: Changes = {}) {
    super()
    this.source = source
    this.url = changes.url ?? source.url
    this.headers = changes.headers ?? source.headers
    this.remoteAddress = changes.remoteAddress ?? Option.some(source.remoteAddress)
    this.peerAddress = changes.peerAddress ?? this.remoteAddress
    this.protocol = changes.protocol
  }

  get method() {
    return this.source.method
  }

  get originalUrl() {
    return this.source.url
  }

  get cookies() {
    return Cookies.parseHeader(this.headers["cookie"] ?? "")
  }

  get text() {
    return Effect.sync(() => decoder.decode(this.source.body))
  }

  get json(): Effect.Effect<Schema.Json, ServerError> {
    const parsed = Effect.flatMap(this.text, text => fromJson(text))
    return Effect.mapError(parsed, cause => this.parseError(cause))
  }

  get arrayBuffer() {
    return Effect.sync(() => this.source.body.slice().buffer as ArrayBuffer)
  }

  get urlParamsBody() {
    return Effect.map(this.text, text => UrlParams.fromInput(new URLSearchParams(text)))
  }

  get stream() {
    return Stream.succeed(this.source.body)
  }

  get multipart() {
    return Multipart.toPersisted(this.multipartStream)
  }

  get multipartStream() {
    return Stream.pipeThroughChannel(this.stream, Multipart.makeChannel(this.headers))
  }

  get upgrade(): Effect.Effect<never, ServerError> {
    return this.upgradeWith()
  }

  upgradeWith(): Effect.Effect<never, ServerError> {
    return Effect.fail(this.parseError("WebSockets are upgraded by the server, not by a route"))
  }

  modify(changes: Changes) {
    return new LightRequest(this.source, { ...this, ...changes })
  }

  toJSON() {
    return { _id: "HttpServerRequest", method: this.method, url: this.originalUrl }
  }

  private parseError(cause: unknown): ServerError {
    const reason = new HttpServerError.RequestParseError({ request: this, cause })
    return new HttpServerError.HttpServerError({ reason })
  }
}
