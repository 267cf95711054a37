/**
 * Who may open a live socket: so many an address at a time, so many upgrades a minute, all within
 * what the server takes. One that may not is told over HTTP, as any other request would be.
 */
import type { UwsRequest, UwsResponse } from "../../src/platform/uws.ts"
import { refusalResponse } from "../answering.ts"
import type { Counters } from "../counters.ts"
import { type Answer, writeAnswer } from "./answer.ts"
import type { ClientAddresses } from "./client-address.ts"
import { encodeAnswer } from "./encode-answer.ts"
import { callerKey, type RateLimiter } from "./rate-limiter.ts"
import { readHeaders } from "./request-headers.ts"

/** An address that holds a place, to be given back with `leave`. */
export type SocketCaller = number | string

export interface SocketGateOptions {
  readonly limiter: RateLimiter
  readonly clients: ClientAddresses
  readonly counters: Counters
  /** sockets that one address may hold; those of this machine only where limits hold for it */
  readonly perAddress: number
  /** headers of every answer */
  readonly shared: Answer["headers"]
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
  admit(response: UwsResponse, request: UwsRequest): SocketCaller | null {
    const { limiter, counters, perAddress } = this.options
    const address = this.clientOf(response, request)
    const caller = callerKey(address)
    const held = this.held.get(caller) ?? 0
    const left = limiter.take("upgrades", address)
    const isOver = held >= perAddress && limiter.holdsFor(address)
    if (left >= 0 && !isOver) {
      this.held.set(caller, held + 1)
      return caller
    }
    counters.limited++
    const message = isOver
      ? `one address may have ${perAddress} live sockets open: close one first`
      : `more than ${limiter.limitText("upgrades")} upgrades in this minute; wait until ${limiter.resetText}`
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

  /** Tells a caller that the server takes no more sockets, whosoever they are. */
  refuse(response: UwsResponse, request: UwsRequest, message: string): void {
    const { limiter } = this.options
    const left = limiter.take("upgrades", this.clientOf(response, request))
    this.answer(response, { status: 503, code: "LIVE_UNAVAILABLE", message }, left)
  }

  private clientOf(response: UwsResponse, request: UwsRequest): ArrayBuffer {
    const { clients } = this.options
    return clients.of(response, readHeaders(request, clients.header).forwarded)
  }

  private answer(
    response: UwsResponse,
    refusal: Parameters<typeof refusalResponse>[0],
    left: number,
    extraHeaders: Readonly<Record<string, string>> = {}
  ): void {
    const { limiter, shared } = this.options
    const answer = encodeAnswer(refusalResponse(refusal, extraHeaders), shared)
    writeAnswer(response, answer, ASKED, limiter, "upgrades", left)
  }
}
