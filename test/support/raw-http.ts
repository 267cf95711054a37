/** HTTP as bytes on a socket: what a proper client would never send, and what came back exactly. */
import { connect } from "node:net"

/** Sends each part as soon as the one before is written; all bytes that came until it closed. */
export const rawExchange = (port: number, ...parts: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ""
    const socket = connect(port, "127.0.0.1", () => {
      for (const part of parts) socket.write(part)
    })
    socket.setEncoding("latin1")
    socket.on("data", chunk => {
      received += chunk
    })
    socket.on("close", () => resolve(received))
    socket.on("error", error => {
      // a server that closes while bytes are on their way resets: what came before still counts
      if (!["ECONNRESET", "EPIPE"].includes(`${(error as NodeJS.ErrnoException).code}`))
        reject(error)
    })
  })

/** A request's lines with the blank one, without a body. */
export const requestText = (line: string, ...headers: ReadonlyArray<string>): string =>
  [`${line} HTTP/1.1`, "host: x", ...headers, "", ""].join("\r\n")

/** Status codes of the answers in what came over a connection. */
export const statusesIn = (wire: string): ReadonlyArray<number> =>
  [...wire.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
