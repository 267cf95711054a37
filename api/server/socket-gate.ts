/**
 * Who may open a live socket or stream: so many an address at a time, so many requests a minute,
 * all within what the server takes. One that may not is told over HTTP, as any other request is.
 */
import type { UwsRequest, UwsResponse } from "../../src/platform/uws.ts"
import { refusalResponse } from "../answering.ts"
import type { Counters } from "../counters.ts"
import { type Answer, statusLine, writeAnswer } from "./answer.ts"
import type { ClientAddresses } from "./client-address.ts"
import { encodeAnswer } from "./encode-answer.ts"
import { type BucketName, callerKey, type RateLimiter } from "./rate-limiter.ts"
import { readHeaders } from "./request-headers.ts"

/** An address that holds a place, to be given back with `leave`. */
export type SocketCaller = number | string

export interface SocketGateOptions {
  readonly limiter: RateLimiter
  readonly clients: ClientAddresses
  readonly counters: Counters
  /** what counts its requests */
  readonly bucket: BucketName
  /** what it calls what is held, and what is asked for, in the plural */
  readonly words: { readonly held: string; readonly asked: string }
  /** held by one address at most; by those of this machine only where limits hold for it */
  readonly perAddress: number
  /** headers of every answer */
  readonly shared: Answer["headers"]
}

/** One who was let in, with what is left of its requests. */
export interface Admission {
  readonly caller: SocketCaller
  readonly left: number
}

/** A connection without a socket ends with its answer: what it sent behind it is not looked at. */
const ASKED = { head: false, ifNoneMatch: "", acceptEncoding: "", last: true }

export class SocketGate {
  private readonly options: SocketGateOptions
  private readonly held = new Map<SocketCaller, number>()

  constructor(options: SocketGateOptions) {
    this.options = options
  }

  /** Takes a place for the caller; null where there is none for it, and then it has been told. */
  admit(response: UwsResponse, request: UwsRequest): Admission | null {
    const { limiter, counters, perAddress, bucket, words } = this.options
    const address = this.clientOf(response, request)
    const caller = callerKey(address)
    const held = this.held.get(caller) ?? 0
    const left = limiter.take(bucket, address)
    const isOver = held >= perAddress && limiter.holdsFor(address)
    if (left >= 0 && !isOver) {
      this.held.set(caller, held + 1)
      return { caller, left }
    }
    counters.limited++
    const message = isOver
      ? `one address may have ${perAddress} ${words.held} open: close one first`
      : `more than ${limiter.limitText(bucket)} ${words.asked} in this minute; wait until ${limiter.resetText}`
    const retryAfter = { "retry-after": String(limiter.retryAfterSeconds) }
    this.answer(response, { status: 429, code: "RATE_LIMIT_EXCEEDED", message }, left, retryAfter)
    return null
  }

  /** Gives the place back. */
  leave(caller: SocketCaller): void {
    const held = this.held.get(caller) ?? 0
    if (held > 1) this.held.set(caller, held - 1)
    else this.held.delete(caller)
  }

  /** Tells a caller that the server takes no more, whosoever they are. */
  refuse(response: UwsResponse, request: UwsRequest, message: string): void {
    const { limiter, bucket } = this.options
    const left = limiter.take(bucket, this.clientOf(response, request))
    this.answer(response, { status: 503, code: "LIVE_UNAVAILABLE", message }, left)
  }

  private clientOf(response: UwsResponse, request: UwsRequest): ArrayBuffer {
    const { clients } = this.options
    return clients.of(response, readHeaders(request, clients.header).forwarded)
  }

  /** Answers with a refusal; `left` is what the limiter said. */
  answer(
    response: UwsResponse,
    refusal: Parameters<typeof refusalResponse>[0],
    left: number,
    extraHeaders: Readonly<Record<string, string>> = {}
  ): void {
    const { limiter, shared, bucket } = this.options
    const answer = encodeAnswer(refusalResponse(refusal, extraHeaders), shared)
    writeAnswer(response, answer, ASKED, limiter, bucket, left)
  }

  /** Begins an answer that goes on, with the headers that every answer has and its own. */
  begin(response: UwsResponse, own: Answer["headers"], left: number): void {
    const { limiter, shared, bucket } = this.options
    response.writeStatus(statusLine(200))
    for (const [name, value] of [...shared, ...own]) response.writeHeader(name, value)
    response.writeHeader("x-ratelimit-remaining", limiter.leftLines(bucket, left))
  }
}
