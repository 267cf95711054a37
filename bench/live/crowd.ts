/**
 * Many readers of a live socket in one process: plain sockets that count frames by their heads,
 * for a client's library would measure itself. All share one buffer for what they read.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"

/** What came in, over all sockets. */
export interface Counts {
  /** text frames after `hello` */
  readonly frames: number
  readonly trades: number
  readonly subscribed: number
  readonly bytes: number
}

/** One whole text frame as it stands in a chunk; the chunk is overwritten afterwards. */
export type OnFrame = (
  socket: number,
  kind: number,
  chunk: Buffer,
  from: number,
  to: number
) => void

const READ_BYTES = 256 * 1024
/** Sockets that are connected at the same time. */
const CONNECTING = 100
const TEXT = 1
const PING = 9
/** Masked with zeros. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
/** Where the first letter of a frame's type stands in its JSON. */
const TYPE_AT = '{"type":"'.length
const HEADERS_END = "\r\n\r\n"

const [TRADE, SUBSCRIBED, HELLO, ERROR] = [..."tshe"].map(letter => letter.charCodeAt(0))

/** A client's text frame, masked with zeros. */
const textFrame = (text: string): Buffer => {
  const payload = Buffer.from(text)
  const { length } = payload
  const head = length < 126 ? [0x81, 0x80 | length] : [0x81, 0xfe, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload])
}

const upgradeOf = (path: string): string =>
  [
    `GET ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==",
    "Sec-WebSocket-Version: 13"
  ].join("\r\n") + HEADERS_END

/** Milliseconds since 1970, of the clock that all processes of the machine share. */
export const nowMs = (): number => performance.timeOrigin + performance.now()

/** Waits for so many frames of a kind. */
interface Awaited {
  readonly kind: "trades" | "subscribed"
  readonly count: number
  readonly reached: () => void
  readonly lost: (why: string) => void
}

interface One {
  readonly socket: Socket
  /** what came of a frame that is not whole yet */
  rest: Buffer | null
  isOpen: boolean
}

export class Crowd {
  readonly counts = { frames: 0, trades: 0, subscribed: 0, bytes: 0 }
  /** why a socket was lost, or a subscription refused; null where none was */
  private lost: string | null = null
  /** is told of each frame after `hello`, while it is set */
  onFrame: OnFrame | null = null
  private readonly port: number
  private readonly ones: Array<One> = []
  private readonly buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  private awaited: Awaited | null = null
  private closing = false

  constructor(port: number) {
    this.port = port
  }

  /** Opens a socket for each path. */
  async open(paths: ReadonlyArray<string>): Promise<void> {
    const waiting = [...paths.entries()].reverse()
    const work = async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        await this.openOne(...next)
      }
    }
    await Promise.all(Array.from({ length: CONNECTING }, work))
  }

  /**
   * Resolves as soon as so many frames of a kind came, with when that was and what came by then;
   * throws where a socket is lost before.
   */
  until(kind: Awaited["kind"], count: number): Promise<Counts & { readonly at: number }> {
    return new Promise((resolve, reject) => {
      const reached = () => {
        this.awaited = null
        resolve({ ...this.counts, at: nowMs() })
      }
      this.awaited = { kind, count, reached, lost: why => reject(new Error(why)) }
      if (this.lost === null) this.look()
      else this.awaited.lost(this.lost)
    })
  }

  send(place: number, message: object): void {
    this.ones[place]?.socket.write(textFrame(JSON.stringify(message)))
  }

  close(): void {
    this.closing = true
    for (const { socket } of this.ones) socket.destroy()
  }

  private lose(why: string): void {
    this.lost ??= why
    this.awaited?.lost(why)
  }

  private look(): void {
    const { awaited, counts } = this
    if (awaited !== null && counts[awaited.kind] >= awaited.count) awaited.reached()
  }

  private async openOne(place: number, path: string): Promise<void> {
    const onread = {
      buffer: this.buffer,
      callback: (length: number) => {
        this.take(place, one, this.buffer.subarray(0, length))
        return true
      }
    }
    const socket = connect({ host: "127.0.0.1", port: this.port, onread })
    const one: One = { socket, rest: null, isOpen: false }
    this.ones[place] = one
    socket.setNoDelay(true)
    socket.on("close", () => {
      if (!this.closing) this.lose("a socket ended")
    })
    await once(socket, "connect")
    socket.write(upgradeOf(path))
    await once(socket, "upgraded")
  }

  private take(place: number, one: One, bytes: Buffer): void {
    this.counts.bytes += bytes.length
    const chunk = one.rest === null ? bytes : Buffer.concat([one.rest, bytes])
    let at = 0
    if (!one.isOpen) {
      const end = chunk.indexOf(HEADERS_END)
      if (end >= 0) {
        if (!chunk.subarray(0, 12).equals(Buffer.from("HTTP/1.1 101"))) {
          one.socket.destroy(new Error(`no live socket: ${chunk.toString()}`))
          return
        }
        one.isOpen = true
        one.socket.emit("upgraded")
        at = end + HEADERS_END.length
      }
    }
    if (one.isOpen) at = this.takeFrames(place, one, chunk, at)
    one.rest = at === chunk.length ? null : Buffer.from(chunk.subarray(at))
    this.look()
  }

  /** Counts the whole frames of a chunk; gives where the first that is not whole begins. */
  private takeFrames(place: number, one: One, chunk: Buffer, start: number): number {
    let at = start
    for (;;) {
      if (at + 4 > chunk.length) return at
      const short = (chunk[at + 1] as number) & 127
      const head = short < 126 ? 2 : short === 126 ? 4 : 10
      if (at + head > chunk.length) return at
      const length =
        short < 126 ? short : chunk.readUIntBE(at + (head === 4 ? 2 : 4), head === 4 ? 2 : 6)
      const end = at + head + length
      if (end > chunk.length) return at
      const opcode = (chunk[at] as number) & 15
      if (opcode === TEXT) this.took(place, chunk, at + head, end)
      else if (opcode === PING) one.socket.write(PONG)
      at = end
    }
  }

  private took(place: number, chunk: Buffer, from: number, to: number): void {
    const { counts, onFrame } = this
    const kind = chunk[from + TYPE_AT] as number
    if (kind === HELLO) return
    counts.frames++
    if (kind === TRADE) counts.trades++
    else if (kind === SUBSCRIBED) counts.subscribed++
    else if (kind === ERROR) this.lose(chunk.toString("utf8", from, to))
    onFrame?.(place, kind, chunk, from, to)
  }
}
