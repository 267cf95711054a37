/**
 * A small WebSocket client for tests. It can stop reading, which browsers' and most libraries'
 * clients cannot, and it shows close codes, reasons and pings as they come.
 */

import { randomBytes } from "node:crypto"
import { connect, type Socket } from "node:net"
import { PATIENCE_MS } from "./patience.ts"

export interface Closed {
  /** 1006 where the connection ended without a close frame */
  readonly code: number
  readonly reason: string
}

/** A frame of the server, parsed: the fields that tests look at, of whatever kind it is. */
export interface Frame {
  readonly type: string
  readonly seq: number
  readonly toSeq?: number
  readonly id?: string | number
  readonly sub?: string | number
  readonly more?: boolean
  readonly error?: string
  readonly message: string
  readonly token?: string | null
  readonly at: number
  readonly priceUsd: number
  readonly skipped: number
  readonly items: ReadonlyArray<Frame>
  readonly chains?: ReadonlyArray<object>
  readonly log?: string | null
}

const TEXT = 1
const CLOSE = 8
const PING = 9
const PONG = 10

const maskedFrame = (opcode: number, payload: Buffer): Buffer => {
  const mask = randomBytes(4)
  const { length } = payload
  const head =
    length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | length])
      : length < 65_536
        ? Buffer.from([0x80 | opcode, 0x80 | 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | 127]), lengthBytes(length)])
  const masked = payload.map((byte, i) => byte ^ (mask[i % 4] as number))
  return Buffer.concat([head, mask, masked])
}

const lengthBytes = (length: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  return bytes
}

export class WsClient {
  readonly frames: Array<Frame> = []
  pings = 0
  closed: Closed | null = null
  private readonly socket: Socket
  private unread = Buffer.alloc(0)
  private taken = 0
  /** markers sent by `settled` */
  private marks = 0
  private readonly waiting: Array<() => void> = []

  constructor(socket: Socket, head: Buffer) {
    this.socket = socket
    socket.on("data", chunk => this.read(chunk))
    socket.on("close", () => this.end({ code: 1006, reason: "" }))
    socket.on("error", () => this.end({ code: 1006, reason: "" }))
    this.read(head)
  }

  send(message: object | string): void {
    const text = typeof message === "string" ? message : JSON.stringify(message)
    this.socket.write(maskedFrame(TEXT, Buffer.from(text)))
  }

  /** Sends a frame of any kind. */
  sendFrame(opcode: number, payload: Buffer): void {
    this.socket.write(maskedFrame(opcode, payload))
  }

  /** Sends bytes that are no frame. */
  sendBytes(bytes: Buffer): void {
    this.socket.write(bytes)
  }

  /** Stops taking bytes; the server's buffer grows. */
  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    this.socket.resume()
  }

  close(): void {
    this.socket.destroy()
  }

  /** The next frame not yet taken. */
  async next(): Promise<Frame> {
    await this.until(() => this.frames.length > this.taken)
    return this.frames[this.taken++] as Frame
  }

  /** The next `count` frames. */
  async take(count: number): Promise<ReadonlyArray<Frame>> {
    await this.until(() => this.frames.length >= this.taken + count)
    this.taken += count
    return this.frames.slice(this.taken - count, this.taken)
  }

  /** Frames that came and were not taken. */
  rest(): ReadonlyArray<Frame> {
    return this.frames.slice(this.taken)
  }

  /**
   * Waits until the server has done all that it was asked, and what it sent is here: answers to
   * pings come after that. Two of them, for what the first turn began ends before the second.
   */
  async settled(): Promise<void> {
    for (let i = 0; i < 2; i++) {
      const id = `settled ${this.marks++}`
      this.send({ op: "ping", id })
      const isPong = (frame: Frame) => frame.id === id
      await this.until(() => this.frames.some(isPong))
      this.frames.splice(this.frames.findIndex(isPong), 1)
    }
  }

  async ended(): Promise<Closed> {
    await this.until(() => this.closed !== null)
    return this.closed as Closed
  }

  private until(done: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!done()) return
        clearTimeout(timer)
        resolve()
      }
      const fail = () =>
        reject(new Error(`nothing came; have ${JSON.stringify(this.rest()).slice(0, 500)}`))
      const timer = setTimeout(fail, PATIENCE_MS)
      this.waiting.push(check)
      check()
    })
  }

  private wake(): void {
    for (const check of this.waiting) check()
  }

  private end(closed: Closed): void {
    this.closed ??= closed
    this.wake()
  }

  private read(chunk: Buffer): void {
    this.unread = Buffer.concat([this.unread, chunk])
    for (;;) {
      const frame = firstFrame(this.unread)
      if (frame === null) break
      this.unread = this.unread.subarray(frame.size)
      this.accept(frame.opcode, frame.payload)
    }
    this.wake()
  }

  private accept(opcode: number, payload: Buffer): void {
    if (opcode === TEXT) this.frames.push(JSON.parse(payload.toString()) as Frame)
    else if (opcode === PING) {
      this.pings++
      this.socket.write(maskedFrame(PONG, payload))
    } else if (opcode === CLOSE) {
      const code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005
      this.end({ code, reason: payload.subarray(2).toString() })
      this.socket.end()
    }
  }
}

const firstFrame = (bytes: Buffer) => {
  if (bytes.length < 2) return null
  const short = (bytes[1] as number) & 127
  const head = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < head) return null
  const length =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  const size = head + length
  if (bytes.length < size) return null
  return { opcode: (bytes[0] as number) & 15, payload: bytes.subarray(head, size), size }
}

/** The server's answer to an upgrade: an open socket, or why not. */
export type Upgrade =
  | { readonly ok: true; readonly client: WsClient }
  | { readonly ok: false; readonly status: number; readonly body: string }

/** Asks for an upgrade on this machine. */
export const openSocket = (port: number, path = "/v1/ws/live"): Promise<Upgrade> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("error", reject)
    const lines = [
      `GET ${path} HTTP/1.1`,
      "host: localhost",
      "upgrade: websocket",
      "connection: Upgrade",
      `sec-websocket-key: ${randomBytes(16).toString("base64")}`,
      "sec-websocket-version: 13"
    ]
    socket.write(`${lines.join("\r\n")}\r\n\r\n`)
    let received = Buffer.alloc(0)
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      const end = received.indexOf("\r\n\r\n")
      if (end < 0) return
      socket.off("data", onData)
      socket.off("error", reject)
      const status = Number(received.toString("latin1", 9, 12))
      const rest = received.subarray(end + 4)
      if (status === 101) resolve({ ok: true, client: new WsClient(socket, rest) })
      else {
        resolve({ ok: false, status, body: rest.toString() })
        socket.destroy()
      }
    }
    socket.on("data", onData)
  })
