/** A JSON-RPC server (HTTP and WebSocket on one port) over a scripted chain, with seeded faults. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import type { FakeChain } from "./fake-chain.ts"
import {
  type Chance,
  FakeNode,
  type Faults,
  NodeError,
  noFaults,
  pushedHeader
} from "./fake-rpc-methods.ts"
import { acceptSocket, type FakeSocket } from "./fake-socket.ts"
import { random } from "./seed.ts"

interface Request {
  readonly id?: unknown
  readonly method: string
  readonly params?: ReadonlyArray<unknown>
}

export interface FakeRpc {
  readonly url: string
  readonly wsUrl: string
  /** change them while the server runs */
  readonly faults: Faults
  /** calls of each method so far */
  readonly calls: ReadonlyMap<string, number>
  /** how often each fault has struck so far */
  readonly struck: ReadonlyMap<Chance, number>
  /** when each HTTP request came, by `performance.now` */
  readonly requestedAt: ReadonlyArray<number>
  /** `Retry-After` sent with HTTP 429, in seconds */
  retryAfter: string | null
  /** cuts every open WebSocket, and every request that was left hanging */
  readonly cutSockets: () => void
  readonly close: () => Promise<void>
}

const answerOne = (node: FakeNode, request: Request): object => {
  try {
    const result = node.answer(request.method, request.params ?? [])
    return { jsonrpc: "2.0", id: request.id ?? null, result }
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    const { code, message } = error
    return { jsonrpc: "2.0", id: request.id ?? null, error: { code, message } }
  }
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) })
  response.end(body)
}

/** One of the answers that are none; true where it was given. */
const misbehave = (
  node: FakeNode,
  rpc: FakeRpc,
  response: ServerResponse,
  hanging: Set<ServerResponse>
): boolean => {
  if (node.strikes("reset")) response.destroy()
  else if (node.strikes("hang")) hanging.add(response.setTimeout(60_000))
  else if (node.strikes("html")) send(response, 200, "text/html", "<html>busy</html>")
  else if (node.strikes("rateLimit")) {
    if (rpc.retryAfter !== null) response.setHeader("retry-after", rpc.retryAfter)
    send(response, 429, "text/plain", "slow down")
  } else return false
  return true
}

const serveSockets = (chain: FakeChain, node: FakeNode, sockets: Set<FakeSocket>) => {
  const subscribed = new Set<FakeSocket>()
  const stop = chain.onBlock(block => {
    for (const socket of subscribed) {
      const params = { subscription: "0x1", result: pushedHeader(block, node.faults.wrongTime) }
      socket.send(JSON.stringify({ jsonrpc: "2.0", method: "eth_subscription", params }))
    }
  })
  const onText = (text: string, socket: FakeSocket) => {
    const request = JSON.parse(text) as Request
    if (request.method === "eth_subscribe") {
      subscribed.add(socket)
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: request.id, result: "0x1" }))
    } else socket.send(JSON.stringify(answerOne(node, request)))
  }
  const onClose = (socket: FakeSocket) => {
    subscribed.delete(socket)
    sockets.delete(socket)
  }
  return { onText, onClose, stop }
}

/** Starts the server on a port of 127.0.0.1, a free one unless told; `label` seeds its faults. */
export const startFakeRpc = async (
  chain: FakeChain,
  label: string,
  faults: Partial<Faults> = {},
  port = 0
): Promise<FakeRpc> => {
  const node = new FakeNode(chain, { ...noFaults(), ...faults }, random(`rpc ${label}`))
  const sockets = new Set<FakeSocket>()
  const live = serveSockets(chain, node, sockets)
  const requestedAt: Array<number> = []
  const hanging = new Set<ServerResponse>()
  const server = createServer(async (request, response) => {
    requestedAt.push(performance.now())
    const body = JSON.parse(await bodyOf(request)) as Request | ReadonlyArray<Request>
    if (node.faults.lateMs > 0) await sleep(node.faults.lateMs)
    if (misbehave(node, rpc, response, hanging)) return
    const refused = Array.isArray(body) && node.faults.noBatch
    const answer = refused
      ? { jsonrpc: "2.0", id: null, error: { code: -32600, message: "batches are not supported" } }
      : Array.isArray(body)
        ? body.map(one => answerOne(node, one))
        : answerOne(node, body as Request)
    const text = JSON.stringify(answer)
    const cut = node.strikes("truncate")
    send(response, 200, "application/json", cut ? text.slice(0, text.length >> 1) : text)
  })
  server.on("upgrade", (request, socket) => {
    sockets.add(acceptSocket(request, socket, live.onText, live.onClose))
  })
  await new Promise<void>(resolve => server.listen(port, "127.0.0.1", resolve))
  const { port: bound } = server.address() as AddressInfo
  const rpc: FakeRpc = {
    url: `http://127.0.0.1:${bound}`,
    wsUrl: `ws://127.0.0.1:${bound}`,
    faults: node.faults,
    calls: node.calls,
    struck: node.struck,
    requestedAt,
    retryAfter: null,
    cutSockets: () => {
      for (const socket of sockets) socket.reset()
      for (const response of hanging) response.destroy()
      hanging.clear()
    },
    close: async () => {
      live.stop()
      for (const socket of sockets) socket.reset()
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    }
  }
  return rpc
}
