/**
 * Who may open a live socket or stream: so many an address at a time, so many requests a minute,
 * all within what the server takes. One that may not is told over HTTP, as any other request is.
 */
import type { Credential } from "../../engine/keys/key-book.ts"
import type { UwsRequest, UwsResponse } from "../../src/platform/uws.ts"
import type { BucketName } from "../../src/rules/plans.ts"
import { refusalResponse } from "../answering.ts"
import { API_KEY_CHALLENGE } from "../caller-key.ts"
import type { Counters } from "../counters.ts"
import { type Answer, statusLine, writeAnswer } from "./answer.ts"
import { type Caller, type Callers, wrongKey } from "./callers.ts"
import { encodeAnswer } from "./encode-answer.ts"
import { type CallerId, callerKey, type RateLimiter } from "./rate-limiter.ts"
import { readHeaders } from "./request-headers.ts"

/** Who holds a place, to be given back with `leave`. */
export interface SocketCaller {
  readonly id: CallerId
  /** null where it came without a key */
  readonly credential: Credential | null
}

export interface SocketGateOptions {
  readonly limiter: RateLimiter
  readonly callers: Callers
  readonly counters: Counters
  /** what counts its requests */
  readonly bucket: BucketName
  /** what it calls what is held, and what is asked for, in the plural */
  readonly words: { readonly held: string; readonly asked: string }
  /** held by one address or key at most; by those of this machine only where limits hold for it */
  readonly perAddress: number
  /** headers of every answer */
  readonly shared: Answer["headers"]
}

/** One who was let in, with what is left of its requests. */
export interface Admission {
  readonly caller: SocketCaller
  /** whose request it is, for an answer to it */
  readonly from: Caller
  readonly left: number
}

/** A connection without a socket ends with its answer: what it sent behind it is not looked at. */
const ASKED = { head: false, ifNoneMatch: "", acceptEncoding: "", last: true }

export class SocketGate {
  private readonly options: SocketGateOptions
  private readonly held = new Map<CallerId, number>()

  constructor(options: SocketGateOptions) {
    this.options = options
  }

  /** Takes a place for the caller; null where there is none for it, and then it has been told. */
  admit(response: UwsResponse, request: UwsRequest): Admission | null {
    const { limiter, counters, perAddress, bucket, words } = this.options
    const from = this.callerOf(response, request)
    const { address, credential, key, refused } = from
    const id = key?.id ?? callerKey(address)
    const held = this.held.get(id) ?? 0
    const left = limiter.take(bucket, address, key)
    const isOver = held >= perAddress && limiter.holdsFor(address, key)
    if (left >= 0 && !isOver && refused === null) {
      this.held.set(id, held + 1)
      return { caller: { id, credential }, from, left }
    }
    if (left >= 0 && refused !== null) {
      this.answer(response, wrongKey(refused), from, left, API_KEY_CHALLENGE)
      return null
    }
    counters.limited++
    const message = isOver
      ? `one address or key may have ${perAddress} ${words.held} open: close one first`
      : `more than ${limiter.limitOf(bucket, key)} ${words.asked} in this minute; wait until ${limiter.resetSeconds}`
    const retryAfter = { "retry-after": String(limiter.retryAfterSeconds) }
    const refusal = { status: 429, code: "RATE_LIMIT_EXCEEDED", message }
    this.answer(response, refusal, from, left, retryAfter)
    return null
  }

  /** Gives the place back. */
  leave({ id }: SocketCaller): void {
    const held = this.held.get(id) ?? 0
    if (held > 1) this.held.set(id, held - 1)
    else this.held.delete(id)
  }

  /** Tells a caller that the server takes no more, whosoever they are. */
  refuse(response: UwsResponse, request: UwsRequest, message: string): void {
    const { limiter, bucket } = this.options
    const caller = this.callerOf(response, request)
    const left = limiter.take(bucket, caller.address, caller.key)
    this.answer(response, { status: 503, code: "LIVE_UNAVAILABLE", message }, caller, left)
  }

  private callerOf(response: UwsResponse, request: UwsRequest): Caller {
    const { callers } = this.options
    return callers.of(response, readHeaders(request, callers.proxyHeader))
  }

  /** Answers with a refusal; `left` is what the limiter said. */
  answer(
    response: UwsResponse,
    refusal: Parameters<typeof refusalResponse>[0],
    { key }: Caller,
    left: number,
    extraHeaders: Readonly<Record<string, string>> = {}
  ): void {
    const { limiter, shared, bucket } = this.options
    const answer = encodeAnswer(refusalResponse(refusal, extraHeaders), shared)
    writeAnswer(response, answer, ASKED, limiter.leftLines(bucket, key, left))
  }

  /** Begins an answer that goes on, with the headers that every answer has and its own. */
  begin(response: UwsResponse, own: Answer["headers"], { key }: Caller, left: number): void {
    const { limiter, shared, bucket } = this.options
    response.writeStatus(statusLine(200))
    for (const [name, value] of [...shared, ...own]) response.writeHeader(name, value)
    response.writeHeader("x-ratelimit-remaining", limiter.leftLines(bucket, key, left))
  }
}
