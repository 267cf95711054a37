/**
 * Serves an Effect HTTP application over uWebSockets. A URL whose answer is known and still true
 * is answered from the cache at once, inside uWebSockets' callback; everything else runs the
 * application. Both ways end in the same `writeAnswer`, so they give the same bytes.
 */
import { Context, Effect, Fiber } from "effect"
import {
  Headers,
  HttpEffect,
  HttpServerError,
  HttpServerRequest,
  type HttpServerResponse
} from "effect/http"
import type { UwsRequest, UwsResponse } from "../../src/platform/uws.ts"
import { refusalResponse, staleMsOf, stillTrueOf } from "../answering.ts"
import type { Caller } from "../asking.ts"
import type { Counters } from "../counters.ts"
import { OTHER_ROUTE, type RouteMeter } from "../route-meters.ts"
import { type Answer, type Asked, missingCoding, writeAnswer } from "./answer.ts"
import type { AnswerCache, CachedAnswer } from "./answer-cache.ts"
import { addressText, type ClientAddresses } from "./client-address.ts"
import {
  encodeAnswer,
  enveloped,
  type HttpApplication,
  preflightAnswer,
  sharedHeaders
} from "./encode-answer.ts"
import { keptRequest, type RequestRead } from "./kept-request.ts"
import type { KnownRoutes } from "./known-routes.ts"
import { LightRequest } from "./light-request.ts"
import { type BucketName, bucketOf, type RateLimiter } from "./rate-limiter.ts"
import type { BodyCollector, BodyRefusal } from "./request-body.ts"
import { readHeaders } from "./request-headers.ts"
import { Turns } from "./turns.ts"

export interface HttpHandlerOptions {
  readonly application: HttpApplication
  readonly routes: KnownRoutes
  readonly services: Context.Context<never>
  readonly cache: AnswerCache
  readonly limiter: RateLimiter
  readonly clients: ClientAddresses
  readonly bodies: BodyCollector
  readonly counters: Counters
  /** of the engine, for `X-Engine` */
  readonly version: string
}

/** A request under way; `open` until it is answered or its client is gone. */
interface Exchange {
  /** null where no connection waits: an answer is made anew, or for the process itself */
  readonly response: UwsResponse | null
  /** takes the answer where the process itself asked */
  readonly given?: (answer: Answer) => void
  readonly method: string
  readonly url: string
  asked: Asked
  readonly bucket: BucketName
  readonly left: number
  readonly meter: RouteMeter
  readonly beganMs: number
  open: boolean
}

/** A body that came before its request's turn, or why it did not. */
type ComeBody = Uint8Array | BodyRefusal

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const NOT_MODIFIED = 304
const NOTHING = new Uint8Array(0)

/** What the process itself asks: a plain GET, under no limit. */
const WITHIN = {
  response: null,
  method: "get",
  asked: { head: false, ifNoneMatch: "", acceptEncoding: "", last: false },
  left: 0
} as const

export class HttpHandler {
  private readonly options: HttpHandlerOptions
  private readonly shared: Answer["headers"]
  private readonly application: Effect.Effect<void, never, Request>
  private readonly exchanges = new WeakMap<Request, Exchange>()
  /** URLs whose answers are made anew */
  private readonly refreshing = new Set<string>()
  private readonly turns = new Turns()

  constructor(options: HttpHandlerOptions) {
    this.options = options
    this.shared = sharedHeaders(options.version)
    this.application = HttpEffect.toHandled(
      enveloped(options.application, options.routes.allowed),
      (request, response) => Effect.sync(() => this.respond(request, response))
    )
  }

  /** uWebSockets' callback: `request` is dead once this returns. */
  readonly handle = (response: UwsResponse, request: UwsRequest): void => {
    this.options.counters.requests++
    if (this.turns.isOver) this.postpone(response, keptRequest(request))
    else this.answer(response, request)
  }

  /** Answers in a later turn, unless the client is gone by then; a body comes before that. */
  private postpone(response: UwsResponse, request: RequestRead): void {
    const { bodies, routes } = this.options
    let isGone = false
    let stopCollecting = (): void => {}
    response.onAborted(() => {
      isGone = true
      stopCollecting()
    })
    const later = (come?: ComeBody): void =>
      this.turns.wait(() => {
        if (!isGone) response.cork(() => this.answer(response, request, come))
      })
    if (routes.takesBody(request.getMethod(), request.getUrl())) {
      stopCollecting = bodies.collect(response, later, later)
    } else later()
  }

  private answer(response: UwsResponse, request: RequestRead, come?: ComeBody): void {
    const { cache, limiter, counters, clients } = this.options
    const path = request.getUrl()
    // Its types say that it is empty where there is none; it is undefined.
    const query: string | undefined = request.getQuery()
    const url = query === undefined || query === "" ? path : `${path}?${query}`
    const method = request.getMethod()
    const head = method === "head"
    const { forwarded, body, ...wanted } = readHeaders(request, clients.header)
    const client = clients.of(response, forwarded)
    const asked = { head, ...wanted, last: body !== "short" }
    const isRead = (head || method === "get") && (body === "short" || body === "chunked")
    const known = isRead ? (cache.get(url) ?? this.stale(url)) : undefined
    const bucket = known?.bucket ?? (method === "options" ? "preflight" : bucketOf(path))
    const left = limiter.take(bucket, client)
    const isHit = known !== undefined && left >= 0
    if (isHit) counters.cacheHits++
    if (isHit && !asked.last && missingCoding(known.answer, asked) === null) {
      known.meter.kept(writeAnswer(response, known.answer, asked, limiter, bucket, left))
      return
    }
    counters.active++
    const meter = known?.meter ?? this.meterOf(path)
    const beganMs = performance.now()
    const exchange = { response, method, url, asked, bucket, left, meter, beganMs, open: true }
    if (isHit) {
      response.onAborted(() => this.close(exchange))
      this.send(exchange, known.answer)
      return
    }
    if (body === "ambiguous") this.refuseAmbiguous(exchange, response)
    else if (left < 0) this.refuseCaller(exchange)
    else if (body === "long") this.refuseLong(exchange)
    else if (method === "options") this.send(exchange, preflightAnswer(this.shared))
    else this.start(exchange, response, request, client, come)
  }

  private meterOf(path: string): RouteMeter {
    const { counters, routes } = this.options
    return counters.routes.of(routes.routeOf(path) ?? OTHER_ROUTE)
  }

  /** An answer that may be given out of date, while a new one is made. */
  private stale(url: string): CachedAnswer | undefined {
    const { cache, counters } = this.options
    const known = cache.stale(url)
    if (known === undefined || this.refreshing.has(url)) return known
    this.refreshing.add(url)
    counters.active++
    const { bucket, meter } = known
    const exchange = { ...WITHIN, url, bucket, meter, beganMs: performance.now(), open: true }
    const parts = { method: "GET", url, headers: Headers.empty, body: NOTHING, remoteAddress: "" }
    this.run(exchange, new LightRequest(parts)).addObserver(() => {
      this.refreshing.delete(url)
      this.close(exchange)
    })
    return known
  }

  /**
   * Returns the answer to a GET of this URL for the process itself, as a client would get it: from
   * the cache, else by the application. No limit counts it.
   */
  readonly get = (url: string, { headers, remoteAddress }: Caller): Effect.Effect<Answer> =>
    Effect.callback(resume => {
      const { cache, counters } = this.options
      const known = cache.get(url) ?? this.stale(url)
      if (known !== undefined) {
        counters.cacheHits++
        known.meter.kept(false)
        resume(Effect.succeed(known.answer))
        return
      }
      const [path = ""] = url.split("?")
      const given = (answer: Answer): void => resume(Effect.succeed(answer))
      const place = { url, bucket: bucketOf(path), meter: this.meterOf(path) }
      const exchange = { ...WITHIN, ...place, given, beganMs: performance.now(), open: true }
      counters.active++
      const parts = { method: "GET", url, headers, body: NOTHING, remoteAddress }
      const fiber = this.run(exchange, new LightRequest(parts))
      return Effect.andThen(
        Effect.sync(() => this.close(exchange)),
        Fiber.interrupt(fiber)
      )
    })

  /** Copies the request and runs the application, after the body came where the route takes one. */
  private start(
    exchange: Exchange,
    response: UwsResponse,
    request: RequestRead,
    client: ArrayBuffer,
    come: ComeBody | undefined
  ): void {
    const { method, url } = exchange
    const copied: Record<string, string> = {}
    request.forEach((name, value) => {
      copied[name] = value
    })
    const headers = Headers.fromInput(copied)
    const remoteAddress = addressText(client)
    let fiber: Fiber.Fiber<void> | undefined
    let stopCollecting = (): void => {}
    // Before the application runs: it may answer at once, and then it is too late.
    response.onAborted(() => {
      this.close(exchange)
      stopCollecting()
      fiber?.interruptUnsafe(undefined, HttpServerError.ClientAbort.annotation)
    })
    const run = (body: Uint8Array): void => {
      const parts = { method: method.toUpperCase(), url, headers, body, remoteAddress }
      fiber = this.run(exchange, new LightRequest(parts))
    }
    const { bodies, routes } = this.options
    if (!routes.takesBody(method, url)) {
      run(NOTHING)
      return
    }
    const take = (body: ComeBody): void => {
      if (body instanceof Uint8Array) run(body)
      else this.refuseBody(exchange, body)
    }
    if (come === undefined) stopCollecting = bodies.collect(response, take, take)
    else take(come)
  }

  private run(exchange: Exchange, request: LightRequest): Fiber.Fiber<void> {
    this.exchanges.set(request, exchange)
    const { services } = this.options
    const context = Context.add(services, HttpServerRequest.HttpServerRequest, request)
    return Effect.runForkWith(context)(this.application)
  }

  private respond(request: Request, response: Response): void {
    const exchange = this.exchanges.get(request)
    if (exchange === undefined) return
    const answer = encodeAnswer(response, this.shared)
    const { method, url, bucket, meter } = exchange
    const stillTrue = stillTrueOf(response)
    if (method === "get" && response.status === 200 && stillTrue !== undefined) {
      this.options.cache.set(url, { answer, bucket, meter }, stillTrue, staleMsOf(response))
    }
    this.send(exchange, answer)
  }

  private refuseCaller(exchange: Exchange): void {
    const { limiter, counters } = this.options
    counters.limited++
    const limit = limiter.limitText(exchange.bucket)
    const message = `more than ${limit} requests in this minute; wait until ${limiter.resetText}`
    const retry = { "retry-after": String(limiter.retryAfterSeconds) }
    this.refuse(exchange, 429, "RATE_LIMIT_EXCEEDED", message, retry)
  }

  /**
   * Refuses a request whose body may end at two places, a turn later: while this one is open,
   * uWebSockets closes the connection at what it takes for the next request, and runs it not.
   */
  private refuseAmbiguous(exchange: Exchange, response: UwsResponse): void {
    response.onAborted(() => this.close(exchange))
    setImmediate(() => this.refuse(exchange, 400, "INVALID_PARAMS", AMBIGUOUS))
  }

  /** Refuses a body by its length, before any of it has come. */
  private refuseLong(exchange: Exchange): void {
    const { routes, bodies } = this.options
    if (routes.takesBody(exchange.method, exchange.url)) this.refuseBody(exchange, bodies.tooLarge)
    else this.refuse(exchange, 413, "PAYLOAD_TOO_LARGE", TOO_LARGE)
  }

  /** Refuses a body of which more may be on its way, so the connection ends. */
  private refuseBody(exchange: Exchange, { status, code, message }: BodyRefusal): void {
    exchange.asked = { ...exchange.asked, last: true }
    this.refuse(exchange, status, code, message)
  }

  private refuse(
    exchange: Exchange,
    status: number,
    code: string,
    message: string,
    extraHeaders: Readonly<Record<string, string>> = {}
  ): void {
    const response = refusalResponse({ status, code, message }, extraHeaders)
    this.send(exchange, encodeAnswer(response, this.shared))
  }

  /** Answers, after the body is compressed where that is wanted for the first time. */
  private send(exchange: Exchange, answer: Answer): void {
    const { response, asked, url } = exchange
    const coding = response === null ? null : missingCoding(answer, asked)
    if (coding === null || answer.encodings === null) {
      this.write(exchange, answer)
      return
    }
    answer.encodings.make(coding).then(bytes => {
      this.options.cache.grow(url, answer, bytes)
      this.write(exchange, answer)
    })
  }

  private write(exchange: Exchange, made: Answer): void {
    if (!exchange.open) return
    this.close(exchange)
    const { response, given, asked, bucket, left, meter, beganMs } = exchange
    if (given !== undefined) {
      meter.made((performance.now() - beganMs) / 1000, Number.parseInt(made.status, 10))
      given(made)
      return
    }
    const answer = asked.last && made.body.byteLength > MOST_AT_ONCE ? this.tooLong() : made
    response?.cork(() => {
      const had = writeAnswer(response, answer, asked, this.options.limiter, bucket, left)
      const status = had ? NOT_MODIFIED : Number.parseInt(answer.status, 10)
      meter.made((performance.now() - beganMs) / 1000, status)
    })
  }

  /** In place of a large answer that ends its connection: such a one cannot wait for its reader. */
  private tooLong(): Answer {
    const refusal = { status: 413, code: "PAYLOAD_TOO_LARGE", message: NO_BODY }
    return encodeAnswer(refusalResponse(refusal), this.shared)
  }

  private close(exchange: Exchange): void {
    if (exchange.open) this.options.counters.active--
    exchange.open = false
  }
}

/** Bytes of an answer that are handed over at once, whether or not the reader takes them. */
const MOST_AT_ONCE = 256 * 1024
const NO_BODY =
  "the route takes no request body, and an answer over 256 KiB needs a request without one"
const TOO_LARGE = "the route takes no request body, and this one is over 64 KiB"
const AMBIGUOUS = "Content-Length must be given once, as a number, and not beside Transfer-Encoding"
