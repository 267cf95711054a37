/**
 * Who may open a live socket: so many an address at a time, so many upgrades a minute, all within
 * what the server takes. One that may not is told over HTTP, as any other request would be.
 */
import type { Credential } from "../../engine/keys/key-book.ts"
import type { UwsRequest, UwsResponse } from "../../src/platform/uws.ts"
import { refusalResponse } from "../answering.ts"
import { API_KEY_CHALLENGE } from "../caller-key.ts"
import type { Counters } from "../counters.ts"
import { type Answer, writeAnswer } from "./answer.ts"
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
  /** sockets that one address or key may hold, where limits hold for it */
  readonly perAddress: number
  /** headers of every answer */
  readonly shared: Answer["headers"]
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
  admit(response: UwsResponse, request: UwsRequest): SocketCaller | null {
    const { limiter, counters, perAddress } = this.options
    const caller = this.callerOf(response, request)
    const { address, credential, key, refused } = caller
    const id = key?.id ?? callerKey(address)
    const held = this.held.get(id) ?? 0
    const left = limiter.take("upgrades", address, key)
    const isOver = held >= perAddress && limiter.holdsFor(address, key)
    if (left >= 0 && !isOver && refused === null) {
      this.held.set(id, held + 1)
      return { id, credential }
    }
    if (left >= 0 && refused !== null) {
      this.answer(response, wrongKey(refused), caller, left, API_KEY_CHALLENGE)
      return null
    }
    counters.limited++
    const message = isOver
      ? `one address or key may have ${perAddress} live sockets open: close one first`
      : `more than ${limiter.limitOf("upgrades", key)} upgrades in this minute; wait until ${limiter.resetSeconds}`
    const retryAfter = { "retry-after": String(limiter.retryAfterSeconds) }
    const refusal = { status: 429, code: "RATE_LIMIT_EXCEEDED", message }
    this.answer(response, refusal, caller, left, retryAfter)
    return null
  }

  /** Gives the place back. */
  leave({ id }: SocketCaller): void {
    const held = this.held.get(id) ?? 0
    if (held > 1) this.held.set(id, held - 1)
    else this.held.delete(id)
  }

  /** Tells a caller that the server takes no more sockets, whosoever they are. */
  refuse(response: UwsResponse, request: UwsRequest, message: string): void {
    const caller = this.callerOf(response, request)
    const left = this.options.limiter.take("upgrades", caller.address, caller.key)
    this.answer(response, { status: 503, code: "LIVE_UNAVAILABLE", message }, caller, left)
  }

  private callerOf(response: UwsResponse, request: UwsRequest): Caller {
    const { callers } = this.options
    return callers.of(response, readHeaders(request, callers.proxyHeader))
  }

  private answer(
    response: UwsResponse,
    refusal: Parameters<typeof refusalResponse>[0],
    { key }: Caller,
    left: number,
    extraHeaders: Readonly<Record<string, string>> = {}
  ): void {
    const { limiter, shared } = this.options
    const answer = encodeAnswer(refusalResponse(refusal, extraHeaders), shared)
    writeAnswer(response, answer, ASKED, limiter.leftLines("upgrades", key, left))
  }
}
