import { createServer, type Socket } from "node:net"
import { Effect, Exit, Scope } from "effect"
import { expect, it, vi } from "vitest"
import { PATIENCE_MS } from "../../test/support/patience.ts"
import { watchNats } from "./nats-watch.ts"

/** Greets each client and answers its first ping, after which it is silent. */
const startHung = async () => {
  const open = new Set<Socket>()
  let met = 0
  const server = createServer(socket => {
    met++
    open.add(socket)
    let pongs = 0
    socket.on("close", () => open.delete(socket))
    socket.on("error", () => undefined)
    socket.on("data", bytes => {
      if (bytes.includes("PING") && pongs++ === 0) socket.write("PONG\r\n")
    })
    const info = { server_id: "hung", version: "2.10.23", proto: 1, max_payload: 1024 }
    socket.write(`INFO ${JSON.stringify(info)}\r\n`)
  })
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("it has no port")
  const close = () => {
    for (const socket of open) socket.destroy()
    return new Promise<void>(resolve => server.close(() => resolve()))
  }
  return { url: `nats://127.0.0.1:${address.port}`, open, met: () => met, close }
}

it("keeps no connection of a server that is silent after its greeting", async () => {
  const server = await startHung()
  const scope = await Effect.runPromise(Scope.make())
  const { silentMs } = await Effect.runPromise(watchNats(server.url).pipe(Scope.provide(scope)))
  await vi.waitFor(() => expect(server.met()).toBe(3), { timeout: PATIENCE_MS, interval: 10 })
  expect(silentMs()).toBeGreaterThan(0)
  expect(server.open.size).toBe(1)
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await server.close()
})
