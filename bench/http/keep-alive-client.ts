/** A small HTTP client over connections that stay open, one request at a time on each. */
import { connect, type Socket } from "node:net"

export interface HttpAnswer {
  readonly status: number
  /** names in lower case, in the order in which they came */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Buffer
}

const END_OF_HEAD = Buffer.from("\r\n\r\n")

/** The answer at the start of the bytes; null while it is not whole. */
const readAnswer = (bytes: Buffer): { answer: HttpAnswer; size: number } | null => {
  const end = bytes.indexOf(END_OF_HEAD)
  if (end < 0) return null
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n")
  const headers = lines.map(line => {
    const colon = line.indexOf(":")
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  const length = Number(headers.find(([name]) => name === "content-length")?.[1] ?? 0)
  const from = end + END_OF_HEAD.length
  if (bytes.length < from + length) return null
  const body = bytes.subarray(from, from + length)
  return { answer: { status: Number(first.slice(9, 12)), headers, body }, size: from + length }
}

interface Waiting {
  readonly resolve: (answer: HttpAnswer) => void
  readonly reject: (error: Error) => void
}

export class KeepAliveClient {
  private readonly socket: Socket
  private parts: Array<Buffer> = []
  private waiting: Waiting | null = null

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setNoDelay(true)
    socket.on("data", part => this.take(part))
    socket.on("error", error => this.fail(error))
    socket.on("close", () => this.fail(new Error("the server closed the connection")))
  }

  /** Connects to a port of this machine. */
  static open(port: number): Promise<KeepAliveClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1")
      socket.once("error", reject)
      socket.once("connect", () => {
        socket.off("error", reject)
        resolve(new KeepAliveClient(socket))
      })
    })
  }

  /** Not to be called again before the answer is there. */
  get(path: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      // a socket that the server has closed takes the bytes and says nothing
      if (this.socket.destroyed) return reject(new Error("the server closed the connection"))
      this.waiting = { resolve, reject }
      this.socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    })
  }

  close(): void {
    this.waiting = null
    this.socket.destroy()
  }

  private take(part: Buffer): void {
    this.parts.push(part)
    const bytes = this.parts.length === 1 ? part : Buffer.concat(this.parts)
    const found = readAnswer(bytes)
    if (found === null) return
    this.parts = found.size < bytes.length ? [bytes.subarray(found.size)] : []
    const { waiting } = this
    this.waiting = null
    waiting?.resolve(found.answer)
  }

  private fail(error: Error): void {
    const { waiting } = this
    this.waiting = null
    waiting?.reject(error)
  }
}

/** One answer over a connection of its own. */
export const getOnce = async (port: number, path: string): Promise<HttpAnswer> => {
  const client = await KeepAliveClient.open(port)
  try {
    return await client.get(path)
  } finally {
    client.close()
  }
}
