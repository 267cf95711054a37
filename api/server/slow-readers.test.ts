/** Large answers go out at their reader's pace, and nothing of them is kept for who does not read. */

import { connect } from "node:net"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { rawExchange, requestText, statusesIn } from "../../test/support/raw-http.ts"

/** Some megabytes, of which no socket takes all at once. */
const LARGE = "GET /docs"

let api: TestApi
beforeAll(async () => {
  api = await startApi([new FakeLane(chainConfig(8453, "base"))])
})
afterAll(() => api.close())

it("a large answer comes whole, whenever its reader takes more of it", async () => {
  const whole = Buffer.from(await (await fetch(`${api.url}/docs`)).arrayBuffer())
  const chunks: Array<Buffer> = []
  const socket = connect(api.port, "127.0.0.1")
  socket.write(requestText(LARGE))
  const size = () => chunks.reduce((sum, { length }) => sum + length, 0)
  socket.on("data", chunk => {
    chunks.push(chunk)
    socket.pause()
    setImmediate(() => socket.resume())
  })
  await expect.poll(size).toBeGreaterThan(whole.length)
  const wire = Buffer.concat(chunks)
  const head = wire.indexOf("\r\n\r\n") + 4
  await expect.poll(size).toBe(head + whole.length)
  expect(Buffer.concat(chunks).subarray(head).equals(whole)).toBe(true)
  // the connection goes on
  socket.write(requestText("GET /v1/health", "connection: close"))
  await expect.poll(() => statusesIn(Buffer.concat(chunks).toString("latin1"))).toEqual([200, 200])
})

it("who asks for more before he has taken a large answer is cut off", async () => {
  const wire = await rawExchange(api.port, requestText(LARGE).repeat(30))
  // what the system's own buffers held
  expect(statusesIn(wire).length).toBeLessThan(10)
})

it("a large answer is refused to a request whose connection ends with it, a small one is not", async () => {
  const chunked = (line: string) => `${requestText(line, "transfer-encoding: chunked")}0\r\n\r\n`
  // from the cache and not from it
  for (const _ of [1, 2]) {
    const large = await rawExchange(api.port, chunked(LARGE))
    expect(statusesIn(large)).toEqual([413])
    expect(large).toContain("an answer over 256 KiB needs a request without one")
  }
  expect(statusesIn(await rawExchange(api.port, chunked("GET /v1/health")))).toEqual([200])
})
