/** The place of server-sent events on the server: `/v1/stream/market`. */
import { Result } from "effect"
import type { UwsApp, UwsRequest, UwsResponse } from "../../src/platform/uws.ts"
import type { SocketCaller, SocketGate } from "../server/socket-gate.ts"
import type { LiveHub } from "./hub.ts"
import type { LiveOptions } from "./live.ts"
import { STREAM_PATH } from "./plain-request.ts"
import { type Access, accessOf, CLOSE, endWithoutKey, ofPart } from "./reader.ts"
import type { LiveError } from "./refusals.ts"
import { StreamReader } from "./stream-reader.ts"
import { streamRequest } from "./stream-request.ts"
import type { Subscriptions } from "./subscriptions.ts"

/** When a browser comes back, at first and at last: spread, so that not all come at once. */
const RETRY_MS = { least: 1000, most: 4000, step: 617 }

const HEADERS = [
  ["content-type", "text/event-stream"],
  ["cache-control", "no-store"],
  // proxies that buffer answers would keep events back
  ["x-accel-buffering", "no"]
] as const

const statusOf = ({ error }: LiveError): 400 | 503 => (error === "NOT_READY" ? 503 : 400)

export class Streams {
  private readonly readers = new Set<StreamReader>()
  private readonly options: LiveOptions
  private readonly gate: SocketGate
  private readonly subscriptions: Subscriptions
  private closing = false
  private opened = 0

  constructor(options: LiveOptions, subscriptions: Subscriptions) {
    this.options = options
    this.gate = options.streamGate
    this.subscriptions = subscriptions
  }

  configure(app: UwsApp): void {
    for (const path of [STREAM_PATH, `${STREAM_PATH}/`])
      app.get(path, this.open).head(path, this.open)
  }

  /** Tells a part of the readers that the server lives. */
  beatPart(part: number, hub: LiveHub): void {
    for (const reader of ofPart(this.readers, part)) reader.beat(topic => hub.heardOf(topic))
  }

  closeAll(): void {
    this.closing = true
    for (const reader of [...this.readers]) reader.end(CLOSE.goingAway, "the server is closing")
  }

  endWithoutKey(nowMs: number): void {
    endWithoutKey(this.readers, nowMs)
  }

  private readonly open = (response: UwsResponse, request: UwsRequest): void => {
    const { gate } = this
    const { maxStreams } = this.options.limits
    this.options.counters.requests++
    if (this.closing) return gate.refuse(response, request, "the server is closing")
    if (this.readers.size >= maxStreams) {
      return gate.refuse(response, request, `all ${maxStreams} streams are taken`)
    }
    const admission = gate.admit(response, request)
    if (admission === null) return
    const { caller, from, left } = admission
    const access = accessOf(this.options.lanes, caller)
    const query: string | undefined = request.getQuery()
    const asked = this.ask(access, query ?? "", request.getHeader("last-event-id"))
    const isHead = request.getMethod() === "head"
    if (Result.isFailure(asked) || isHead) gate.leave(caller)
    if (Result.isFailure(asked)) {
      const { error: code, message } = asked.failure
      gate.answer(response, { status: statusOf(asked.failure), code, message }, from, left)
      return
    }
    gate.begin(response, HEADERS, from, left)
    if (isHead) response.endWithoutBody()
    else this.start(response, asked.success, { caller, access })
  }

  /** The topics that a request names, each with the message that begins it. */
  private ask({ lanes }: Access, query: string, lastEventId: string) {
    return streamRequest(query, lastEventId).pipe(
      Result.mapError((message): LiveError => ({ error: "INVALID_PARAMS", message })),
      Result.flatMap(messages => this.subscriptions.admitAll(lanes, messages))
    )
  }

  private start(
    response: UwsResponse,
    topics: ConstructorParameters<typeof StreamReader>[1],
    { caller, access }: { readonly caller: SocketCaller; readonly access: Access }
  ): void {
    const { counters, limits } = this.options
    const onClosed = (gone: StreamReader): void => {
      this.readers.delete(gone)
      this.gate.leave(caller)
      counters.streams--
      this.subscriptions.forget(gone)
    }
    const { maxBufferedBytes } = limits
    const reader = new StreamReader(response, topics, {
      ...{ number: this.opened++, access, maxBufferedBytes, counters, onClosed }
    })
    this.readers.add(reader)
    counters.streams++
    const { least, most, step } = RETRY_MS
    reader.retryAfter(least + ((reader.number * step) % (most - least)))
    this.subscriptions.greet(reader)
    for (const [, message] of topics) this.subscriptions.subscribe(reader, message)
  }
}
