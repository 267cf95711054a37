/** The server half of a WebSocket (RFC 6455) over a Node socket: text frames, ping, close. */
import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"

export interface FakeSocket {
  readonly send: (text: string) => void
  /** cuts the connection without a close frame */
  readonly reset: () => void
}

const frame = (opcode: number, payload: Buffer): Buffer => {
  const long = payload.length > 65535
  const head = Buffer.alloc(payload.length < 126 ? 2 : long ? 10 : 4)
  head[0] = 0x80 | opcode
  if (payload.length < 126) head[1] = payload.length
  else if (long) {
    head[1] = 127
    head.writeBigUInt64BE(BigInt(payload.length), 2)
  } else {
    head[1] = 126
    head.writeUInt16BE(payload.length, 2)
  }
  return Buffer.concat([head, payload])
}

interface Frame {
  readonly opcode: number
  readonly payload: Buffer
  readonly length: number
}

/** The first whole frame of a client's bytes, null where more must come. */
const readFrame = (bytes: Buffer): Frame | null => {
  if (bytes.length < 2) return null
  const short = (bytes[1] as number) & 0x7f
  const at = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < at + 4) return null
  const size =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (bytes.length < at + 4 + size) return null
  const mask = bytes.subarray(at, at + 4)
  const payload = Buffer.from(bytes.subarray(at + 4, at + 4 + size))
  for (let i = 0; i < size; i++) payload[i] = (payload[i] as number) ^ (mask[i & 3] as number)
  return { opcode: (bytes[0] as number) & 0xf, payload, length: at + 4 + size }
}

/** Accepts an upgrade request; `onText` is called for each text message, `onClose` once. */
export const acceptSocket = (
  request: IncomingMessage,
  socket: Duplex,
  onText: (text: string, socket: FakeSocket) => void,
  onClose: (socket: FakeSocket) => void
): FakeSocket => {
  const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
  const accept = createHash("sha1").update(key).digest("base64")
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`
  )
  const handle: FakeSocket = {
    send: text => void socket.write(frame(1, Buffer.from(text))),
    reset: () => void socket.destroy()
  }
  let rest: Buffer = Buffer.alloc(0)
  socket.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let next = readFrame(rest); next !== null; next = readFrame(rest)) {
      rest = rest.subarray(next.length)
      if (next.opcode === 1) onText(next.payload.toString(), handle)
      else if (next.opcode === 9) socket.write(frame(10, next.payload))
      else if (next.opcode === 8) socket.end(frame(8, next.payload))
    }
  })
  socket.on("error", () => undefined)
  socket.on("close", () => onClose(handle))
  return handle
}
