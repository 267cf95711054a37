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
import type { ApiKey } from "../../engine/keys/key-book.ts"
import type { UwsRequest, UwsResponse } from "../../src/platform/uws.ts"
import type { BucketName } from "../../src/rules/plans.ts"
import { refusalResponse, staleMsOf, stillTrueOf } from "../answering.ts"
import type { Caller as Asker } from "../asking.ts"
import { API_KEY_CHALLENGE, CallerKey } from "../caller-key.ts"
import type { Counters } from "../counters.ts"
import { OTHER_ROUTE, type RouteMeter } from "../route-meters.ts"
import { type Answer, type Asked, missingCoding, writeAnswer } from "./answer.ts"
import type { AnswerCache, CachedAnswer } from "./answer-cache.ts"
import { type Caller, type Callers, wrongKey } from "./callers.ts"
import { addressText } from "./client-address.ts"
import {
  encodeAnswer,
  enveloped,
  type HttpApplication,
  madePrivate,
  preflightAnswer
} from "./encode-answer.ts"
import { keptRequest, type RequestRead } from "./kept-request.ts"
import type { KnownRoutes } from "./known-routes.ts"
import { LightRequest } from "./light-request.ts"
import { bucketOf, type RateLimiter } from "./rate-limiter.ts"
import {
  AMBIGUOUS,
  type BodyCollector,
  type BodyRefusal,
  NO_BODY,
  TOO_LARGE
} from "./request-body.ts"
import { API_KEY, readHeaders } from "./request-headers.ts"
import { Turns } from "./turns.ts"

/** What a caller may read: all callers of one audience get the same answers. */
export interface Audience {
  readonly application: HttpApplication
  readonly cache: AnswerCache
  /** whether its answers are kept from caches that others read too */
  readonly isPrivate: boolean
}

export interface HttpHandlerOptions {
  /** whoever comes without a key */
  readonly open: Audience
  /** whoever comes with one: those above, where no chain is kept from them */
  readonly keyed: Audience
  readonly routes: KnownRoutes
  readonly services: Context.Context<never>
  readonly limiter: RateLimiter
  readonly callers: Callers
  readonly bodies: BodyCollector
  readonly counters: Counters
  /** the headers of every answer */
  readonly shared: Answer["headers"]
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
  readonly key: ApiKey | null
  readonly audience: Audience
  readonly left: number
  readonly meter: RouteMeter
  readonly beganMs: number
  open: boolean
}

/** A body that came before its request's turn, or why it did not. */
type ComeBody = Uint8Array | BodyRefusal

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const OK = 200
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
  private readonly applications: ReadonlyMap<Audience, Effect.Effect<void, never, Request>>
  private readonly exchanges = new WeakMap<Request, Exchange>()
  /** URLs whose answers are made anew */
  private readonly refreshing = new Set<CachedAnswer>()
  private readonly turns = new Turns()

  constructor(options: HttpHandlerOptions) {
    this.options = options
    const handled = ({ application }: Audience) =>
      HttpEffect.toHandled(enveloped(application, options.routes), (request, response) =>
        Effect.sync(() => this.respond(request, response))
      )
    const { open, keyed } = options
    this.applications = new Map([open, keyed].map(each => [each, handled(each)]))
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
    const { limiter, counters, callers, routes } = this.options
    const path = routes.byKey(request.getUrl())
    // Its types say that it is empty where there is none; it is undefined.
    const query: string | undefined = request.getQuery()
    const url = query === undefined || query === "" ? path : `${path}?${query}`
    const method = request.getMethod()
    const headers = readHeaders(request, callers.proxyHeader)
    const { ifNoneMatch, acceptEncoding, body } = headers
    const caller = callers.of(response, headers)
    const { key, refused } = caller
    const audience = this.audienceOf(key)
    const asked = { head: method === "head", ifNoneMatch, acceptEncoding, last: body !== "short" }
    const isRead = (asked.head || method === "get") && (body === "short" || body === "chunked")
    const known = isRead && refused === null ? this.known(url, audience) : undefined
    const bucket = known?.bucket ?? bucketOf(path, method)
    const left = limiter.take(bucket, caller.address, key)
    const isHit = known !== undefined && left >= 0
    if (isHit) counters.cacheHits++
    if (isHit && !asked.last && missingCoding(known.answer, asked) === null) {
      const rateLines = limiter.leftLines(bucket, key, left)
      // made before: it takes microseconds, which are not measured
      known.meter.made(0, OK, writeAnswer(response, known.answer, asked, rateLines))
      return
    }
    counters.active++
    const meter = known?.meter ?? this.meterOf(path)
    const beganMs = performance.now()
    const whose = { key, audience, bucket, left }
    const exchange = { response, method, url, asked, ...whose, meter, beganMs, open: true }
    if (isHit) {
      response.onAborted(() => this.close(exchange))
      this.send(exchange, known.answer)
      return
    }
    if (body === "ambiguous") this.refuseAmbiguous(exchange, response)
    else if (left < 0) this.refuseCaller(exchange)
    else if (refused !== null) this.refuse(exchange, wrongKey(refused), API_KEY_CHALLENGE)
    else if (body === "long") this.refuseLong(exchange)
    else if (method === "options") this.send(exchange, preflightAnswer(this.options.shared))
    else this.start(exchange, response, request, caller, come)
  }

  private meterOf(path: string): RouteMeter {
    const { counters, routes } = this.options
    return counters.routes.of(routes.routeOf(path) ?? OTHER_ROUTE)
  }

  /** What the callers of a key may read, or those without one. */
  private audienceOf(key: ApiKey | null): Audience {
    return key === null ? this.options.open : this.options.keyed
  }

  /** An answer that was kept, and may be given. */
  private known(url: string, audience: Audience): CachedAnswer | undefined {
    return audience.cache.get(url) ?? this.stale(url, audience)
  }

  /** An answer that may be given out of date, while a new one is made. */
  private stale(url: string, audience: Audience): CachedAnswer | undefined {
    const known = audience.cache.stale(url)
    if (known === undefined || this.refreshing.has(known)) return known
    this.refreshing.add(known)
    this.options.counters.active++
    const { bucket, meter } = known
    const whose = { key: null, audience, bucket, meter }
    const exchange = { ...WITHIN, url, ...whose, beganMs: performance.now(), open: true }
    const parts = { method: "GET", url, headers: Headers.empty, body: NOTHING, remoteAddress: "" }
    this.run(exchange, new LightRequest(parts)).addObserver(() => {
      this.refreshing.delete(known)
      this.close(exchange)
    })
    return known
  }

  /**
   * Returns the answer to a GET of this URL for the process itself, as a client would get it: from
   * the cache, else by the application. No limit counts it.
   */
  readonly get = (asked: string, { headers, remoteAddress, key }: Asker): Effect.Effect<Answer> =>
    Effect.callback(resume => {
      const { counters, routes } = this.options
      const url = routes.byKey(asked)
      const audience = this.audienceOf(key)
      const known = this.known(url, audience)
      if (known !== undefined) {
        counters.cacheHits++
        known.meter.made(0, OK, 0)
        resume(Effect.succeed(known.answer))
        return
      }
      const [path = ""] = url.split("?")
      const given = (answer: Answer): void => resume(Effect.succeed(answer))
      const place = { url, key, audience, bucket: bucketOf(path), meter: this.meterOf(path) }
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
    { address }: Caller,
    come: ComeBody | undefined
  ): void {
    const { method, url } = exchange
    const copied: Record<string, string> = {}
    request.forEach((name, value) => {
      // The application is told whose key it is; what opens it goes no further.
      if (name !== API_KEY) copied[name] = value
    })
    const headers = Headers.fromInput(copied)
    const remoteAddress = addressText(address)
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
    const { key, audience } = exchange
    const context = this.options.services.pipe(
      Context.add(HttpServerRequest.HttpServerRequest, request),
      Context.add(CallerKey, key)
    )
    return Effect.runForkWith(context)(this.applications.get(audience) ?? Effect.never)
  }

  private respond(request: Request, response: Response): void {
    const exchange = this.exchanges.get(request)
    if (exchange === undefined) return
    const { method, url, bucket, meter, audience } = exchange
    const told = audience.isPrivate ? madePrivate(response) : response
    const answer = encodeAnswer(told, this.options.shared)
    const stillTrue = stillTrueOf(response)
    if (method === "get" && response.status === 200 && stillTrue !== undefined) {
      audience.cache.set(url, { answer, bucket, meter }, stillTrue, staleMsOf(response))
    }
    this.send(exchange, answer)
  }

  private refuseCaller(exchange: Exchange): void {
    const { limiter, counters } = this.options
    counters.limited++
    const limit = limiter.limitOf(exchange.bucket, exchange.key)
    const message = `more than ${limit} requests in this minute; wait until ${limiter.resetSeconds}`
    const retry = { "retry-after": String(limiter.retryAfterSeconds) }
    this.refuse(exchange, { status: 429, code: "RATE_LIMIT_EXCEEDED", message }, retry)
  }

  /**
   * Refuses a request whose body may end at two places, a turn later: while this one is open,
   * uWebSockets closes the connection at what it takes for the next request, and runs it not.
   */
  private refuseAmbiguous(exchange: Exchange, response: UwsResponse): void {
    response.onAborted(() => this.close(exchange))
    setImmediate(() => this.refuse(exchange, AMBIGUOUS))
  }

  /** Refuses a body by its length, before any of it has come. */
  private refuseLong(exchange: Exchange): void {
    const { routes, bodies } = this.options
    if (routes.takesBody(exchange.method, exchange.url)) this.refuseBody(exchange, bodies.tooLarge)
    else this.refuse(exchange, TOO_LARGE)
  }

  /** Refuses a body of which more may be on its way, so the connection ends. */
  private refuseBody(exchange: Exchange, refusal: BodyRefusal): void {
    exchange.asked = { ...exchange.asked, last: true }
    this.refuse(exchange, refusal)
  }

  private refuse(
    exchange: Exchange,
    refusal: Parameters<typeof refusalResponse>[0],
    extraHeaders: Readonly<Record<string, string>> = {}
  ): void {
    const response = refusalResponse(refusal, extraHeaders)
    this.send(exchange, encodeAnswer(response, this.options.shared))
  }

  /** Answers, after the body is compressed where that is wanted for the first time. */
  private send(exchange: Exchange, answer: Answer): void {
    const { response, asked, url, audience } = exchange
    const coding = response === null ? null : missingCoding(answer, asked)
    if (coding === null || answer.encodings === null) {
      this.write(exchange, answer)
      return
    }
    answer.encodings.make(coding).then(bytes => {
      audience.cache.grow(url, answer, bytes)
      this.write(exchange, answer)
    })
  }

  private write(exchange: Exchange, made: Answer): void {
    if (!exchange.open) return
    this.close(exchange)
    const { response, given, asked, bucket, key, left, meter, beganMs } = exchange
    if (given !== undefined) {
      meter.made((performance.now() - beganMs) / 1000, Number.parseInt(made.status, 10), 0)
      given(made)
      return
    }
    const answer = asked.last && made.body.byteLength > MOST_AT_ONCE ? this.tooLong() : made
    const rateLines = this.options.limiter.leftLines(bucket, key, left)
    response?.cork(() => {
      const bytes = writeAnswer(response, answer, asked, rateLines)
      const status = Number.parseInt(answer.status, 10)
      meter.made((performance.now() - beganMs) / 1000, status, bytes)
    })
  }

  /** In place of a large answer that ends its connection: such a one cannot wait for its reader. */
  private tooLong(): Answer {
    return encodeAnswer(refusalResponse(NO_BODY), this.options.shared)
  }

  private close(exchange: Exchange): void {
    if (exchange.open) this.options.counters.active--
    exchange.open = false
  }
}

/** Bytes of an answer that are handed over at once, whether or not the reader takes them. */
const MOST_AT_ONCE = 256 * 1024
