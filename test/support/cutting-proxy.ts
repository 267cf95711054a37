/** A TCP proxy that can lose what a server answers: what was sent arrives, the answer does not. */
import { once } from "node:events"
import { createServer, connect as dial, type Socket } from "node:net"

export interface CuttingProxy {
  readonly url: string
  /** from now on answers are lost, until `cut` */
  readonly swallowAnswers: () => void
  /** breaks all connections; new ones work again */
  readonly cut: () => void
  readonly close: () => void
}

/** Starts a proxy before the server on this machine that has the address. */
export const startProxy = async (url: string): Promise<CuttingProxy> => {
  const port = Number(new URL(url).port)
  const sockets = new Set<Socket>()
  let swallow = false
  const server = createServer(client => {
    const upstream = dial(port, "127.0.0.1")
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on("error", () => socket.destroy())
    }
    client.on("data", bytes => upstream.write(bytes))
    upstream.on("data", bytes => swallow || client.write(bytes))
    client.on("close", () => upstream.destroy())
    upstream.on("close", () => client.destroy())
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const own = typeof address === "object" && address !== null ? address.port : 0
  const cut = () => {
    swallow = false
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    url: url.replace(`:${port}`, `:${own}`),
    swallowAnswers: () => {
      swallow = true
    },
    cut,
    close: () => {
      cut()
      server.close()
    }
  }
}
