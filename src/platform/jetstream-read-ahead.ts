/** Requests a stream's messages ahead of their reader and puts the answers in order. */
import { createInbox, type Msg, type Subscription } from "@nats-io/transport-node"
import { type Array as Arr, Effect } from "effect"
import type { Nats } from "./nats.ts"

export interface StoredMessage {
  readonly streamSeq: number
  /** returns the value of a header, "" where there is none */
  readonly header: (name: string) => string
  readonly data: Uint8Array
}

export interface MessageSource {
  readonly nats: Nats["Service"]
  readonly stream: string
  /** stream sequence of the first message to read, from 1 */
  readonly from: number
  /** stream sequence of the last message to read; where absent, all are read */
  readonly to?: number
}

/** Returns the same bytes as a plain array: the `slice` of Node's Buffer does not copy. */
export const plainBytes = ({ buffer, byteOffset, length }: Uint8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, length)

/** Messages requested and not yet taken: between `leastAhead` and `mostAhead`, and between them
 *  about `bytesAhead` bytes. Even `leastAhead` messages of the largest size are fewer bytes than a
 *  server buffers before it disconnects a slow reader. */
const leastAhead = 4
const mostAhead = 64
const bytesAhead = 4 * 1024 * 1024
/** Most messages and bytes of one `take`, so that decoding them does not block the thread long. */
const mostTaken = 64
const bytesTaken = 256 * 1024
const tickMs = 250
const pollTicks = 4

/** Requests messages ahead of `take` and holds the arrived ones by their stream sequence. */
export class ReadAhead {
  /** stream sequence of the message that `take` gives next */
  next: number
  /** stream sequence of the newest message known to be in the stream, at most the source's `to` */
  last = 0
  private asked: number
  private window = leastAhead
  private largest = 1
  /** ticks in which the next message was requested and nothing arrived */
  private silentTicks = 0
  /** ticks since the last news of the stream's end while there was nothing to wait for */
  private quietTicks = 0
  private wake: (() => void) | null = null
  private readonly arrived = new Map<number, StoredMessage | null>()
  private readonly source: MessageSource
  private readonly prefix = `${createInbox()}.`
  private readonly subject: string
  private readonly subscription: Subscription
  private readonly timer: NodeJS.Timeout
  private readonly stopListening: () => void

  constructor(source: MessageSource) {
    const { nats, stream, from } = source
    this.source = source
    this.next = from
    this.asked = from - 1
    this.subject = `$JS.API.DIRECT.GET.${stream}`
    this.subscription = nats.connection.subscribe(`${this.prefix}*`, {
      callback: (error, message) => {
        if (error === null) this.receive(message)
      }
    })
    this.timer = setInterval(() => this.tick(), tickMs)
    this.stopListening = nats.onChange(up => {
      if (up) this.askAgain()
    })
  }

  /** True after a second without news of the stream's end. */
  get quiet(): boolean {
    return this.quietTicks >= pollTicks
  }

  close(): void {
    clearInterval(this.timer)
    this.stopListening()
    this.subscription.unsubscribe()
  }

  /** Takes note that the stream holds messages up to `streamSeq`, and requests more of them. */
  reached(streamSeq: number): void {
    this.quietTicks = 0
    this.last = Math.max(this.last, Math.min(streamSeq, this.source.to ?? streamSeq))
    this.ask()
  }

  /**
   * Returns the arrived messages that are next in order. Returns undefined where the next message
   * has not arrived, null where the server answered that it has no such message.
   */
  take(): Arr.NonEmptyReadonlyArray<StoredMessage> | null | undefined {
    const taken: Array<StoredMessage> = []
    let bytes = 0
    while (taken.length < mostTaken && bytes < bytesTaken) {
      const message = this.arrived.get(this.next)
      if (message === null && taken.length === 0) return null
      if (message === null || message === undefined) break
      this.arrived.delete(this.next++)
      taken.push(message)
      bytes += message.data.length
    }
    this.ask()
    const [first, ...rest] = taken
    return first === undefined ? undefined : [first, ...rest]
  }

  /** Adds a message that was read in another way. */
  put(message: StoredMessage): void {
    this.arrived.set(message.streamSeq, message)
  }

  /** Waits until the next message has arrived or the stream's end is `quiet`. */
  readonly wait: Effect.Effect<void> = Effect.callback(resume => {
    if (this.arrived.has(this.next) || this.quiet) return resume(Effect.void)
    this.wake = () => resume(Effect.void)
  })

  private notify(): void {
    const { wake } = this
    this.wake = null
    wake?.()
  }

  private ask(): void {
    const { connection, isUp } = this.source.nats
    if (!isUp() || connection.isClosed()) return
    while (this.asked < this.last && this.asked - this.next + 1 < this.window) {
      const seq = ++this.asked
      if (this.arrived.has(seq)) continue
      connection.publish(this.subject, `{"seq":${seq}}`, { reply: `${this.prefix}${seq}` })
    }
  }

  private askAgain(): void {
    this.silentTicks = 0
    this.window = leastAhead
    this.asked = this.next - 1
    this.ask()
  }

  private receive(message: Msg): void {
    const streamSeq = Number(message.subject.slice(this.prefix.length))
    const { headers } = message
    const code = headers?.code ?? 0
    // Another code than none or 404 means that the server is not ready: `tick` requests again.
    if (streamSeq < this.next || (code !== 0 && code !== 404)) return
    this.silentTicks = 0
    const data = plainBytes(message.data)
    const header = (name: string) => headers?.get(name) ?? ""
    this.arrived.set(streamSeq, code === 0 ? { streamSeq, header, data } : null)
    this.largest = Math.max(data.length, this.largest * 0.95)
    const most = Math.max(leastAhead, Math.min(mostAhead, bytesAhead / this.largest))
    this.window = Math.min(this.window + 1, most)
    if (streamSeq === this.next) this.notify()
  }

  private tick(): void {
    const waiting = this.next <= this.last && !this.arrived.has(this.next)
    if (!waiting) {
      if (++this.quietTicks >= pollTicks) this.notify()
      return
    }
    if (++this.silentTicks * tickMs >= Math.min(1_000, this.source.nats.timeoutMs)) this.askAgain()
  }
}
