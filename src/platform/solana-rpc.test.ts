/** Slots that a node pushes, over a real socket. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { Effect, Stream } from "effect"
import { afterEach, expect, it } from "vitest"
import { type WebSocket, WebSocketServer } from "ws"
import { slotsBegun } from "./solana-rpc.ts"
import { solanaErrorKind } from "./solana-rpc-error.ts"

let server: WebSocketServer | null = null
afterEach(() => {
  for (const client of server?.clients ?? []) client.terminate()
  server?.close()
})

const listening = async (answer: (socket: WebSocket, call: { id: unknown }) => void) => {
  server = new WebSocketServer({ port: 0, host: "127.0.0.1" })
  server.on("connection", socket => {
    socket.on("message", data => answer(socket, JSON.parse(String(data))))
  })
  await once(server, "listening")
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const pushed = (slot: number) =>
  JSON.stringify({
    ...{ jsonrpc: "2.0", method: "slotNotification" },
    params: { subscription: 3, result: { slot, parent: slot - 1, root: slot - 32 } }
  })

it("streams the slots that a node begins", async () => {
  const methods: Array<unknown> = []
  const url = await listening((socket, call) => {
    methods.push((call as { readonly method?: unknown }).method)
    socket.send(JSON.stringify({ jsonrpc: "2.0", result: 3, id: call.id }))
    let slot = 41
    const begin = setInterval(() => socket.send(pushed(slot++)), 5)
    socket.on("close", () => clearInterval(begin))
  })
  const slots = await Effect.runPromise(Stream.runCollect(Stream.take(slotsBegun(url), 2)))
  expect(slots).toEqual([slots[0], slots[0]! + 1])
  expect(slots[0]).toBeGreaterThan(40)
  expect(methods).toEqual(["slotSubscribe"])
})

it("ends with an error where the connection is lost", async () => {
  const url = await listening(socket => socket.terminate())
  const error = await Effect.runPromise(Effect.flip(Stream.runDrain(slotsBegun(url))))
  expect(error).toMatchObject({ kind: "dead", method: "slotSubscribe" })
})

it.each([
  [-32001, "Block 5 cleaned up", "no-state"],
  [-32004, "Block not available for slot 5", "no-state"],
  [-32007, "Slot 5 was skipped", "no-state"],
  [-32009, "Slot 5 was skipped in long-term storage", "no-state"],
  [-32014, "Block status not yet available", "no-state"],
  [-32005, "Node is unhealthy", "dead"],
  [-32601, "Method not found", "unsupported"],
  [-32015, "Transaction version (2) is not supported", "rpc"],
  [429, "Too many requests", "rate-limited"],
  [-32000, "rate limit reached", "rate-limited"]
])("%i means that %s: %s", (code, message, kind) => {
  expect(solanaErrorKind("getBlock", code, message)).toBe(kind)
})
