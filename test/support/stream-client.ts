/**
 * A client of server-sent events for tests, as browsers have one: it remembers the id of the last
 * event. It can stop reading, and be cut at any byte.
 */
import { type ClientRequest, get, type IncomingMessage } from "node:http"
import { PATIENCE_MS } from "./patience.ts"
import type { Frame } from "./ws-client.ts"

/** An open stream, or the answer in its place. */
export type StreamAnswer =
  | { readonly ok: true; readonly client: StreamClient }
  | { readonly ok: false; readonly status: number; readonly body: string }

export class StreamClient {
  readonly frames: Array<Frame> = []
  /** comments that came */
  beats = 0
  lastEventId: string
  retryMs: number | null = null
  closed = false
  readonly headers: IncomingMessage["headers"]
  private readonly request: ClientRequest
  private readonly response: IncomingMessage
  private unread = ""
  private taken = 0
  private readonly waiting = new Set<() => void>()

  constructor(request: ClientRequest, response: IncomingMessage, lastEventId: string) {
    this.request = request
    this.response = response
    this.headers = response.headers
    this.lastEventId = lastEventId
    response.setEncoding("utf8")
    response.on("data", (text: string) => this.read(text))
    response.on("error", () => undefined)
    response.on("close", () => {
      this.closed = true
      this.wake()
    })
  }

  pause(): void {
    this.response.socket.pause()
  }

  resume(): void {
    this.response.socket.resume()
  }

  close(): void {
    this.request.destroy()
  }

  /** The next frame not yet taken. */
  async next(): Promise<Frame> {
    const [frame] = await this.take(1)
    return frame as Frame
  }

  async take(count: number): Promise<ReadonlyArray<Frame>> {
    await this.until(() => this.frames.length >= this.taken + count)
    this.taken += count
    return this.frames.slice(this.taken - count, this.taken)
  }

  async ended(): Promise<void> {
    await this.until(() => this.closed)
  }

  private until(done: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!done()) return
        clearTimeout(timer)
        this.waiting.delete(check)
        resolve()
      }
      const fail = () =>
        reject(new Error(`nothing came after ${JSON.stringify(this.frames.at(-1))}`))
      const timer = setTimeout(fail, PATIENCE_MS)
      this.waiting.add(check)
      check()
    })
  }

  private wake(): void {
    for (const check of [...this.waiting]) check()
  }

  private read(text: string): void {
    const events = (this.unread + text).split("\n\n")
    this.unread = events.pop() ?? ""
    for (const event of events) this.accept(event.split("\n"))
    this.wake()
  }

  private accept(lines: ReadonlyArray<string>): void {
    for (const line of lines) {
      if (line.startsWith(":")) this.beats++
      if (line.startsWith("id: ")) this.lastEventId = line.slice(4)
      if (line.startsWith("retry: ")) this.retryMs = Number(line.slice(7))
      if (line.startsWith("data: ")) this.frames.push(JSON.parse(line.slice(6)) as Frame)
    }
  }
}

/** Asks for a stream of topics on this machine. */
export const openStream = (
  url: string,
  topics: ReadonlyArray<string>,
  lastEventId = ""
): Promise<StreamAnswer> =>
  new Promise((resolve, reject) => {
    const query = topics.map(topic => `topic=${encodeURIComponent(topic)}`).join("&")
    const headers = lastEventId === "" ? {} : { "last-event-id": lastEventId }
    const request = get(`${url}/v1/stream/market?${query}`, { agent: false, headers })
    request.on("error", reject)
    request.on("response", response => {
      const { statusCode: status = 0 } = response
      if (status === 200) {
        resolve({ ok: true, client: new StreamClient(request, response, lastEventId) })
        return
      }
      let body = ""
      response.on("data", chunk => {
        body += String(chunk)
      })
      response.on("end", () => resolve({ ok: false, status, body }))
    })
  })
