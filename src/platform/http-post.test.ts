import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, expect, it } from "vitest"
import { AnswerTooLarge, BrokenAnswer, jsonPoster } from "./http-post.ts"

const never = new AbortController().signal
const large = "x".repeat(5000)
const seen: Array<{ readonly body: string; readonly headers: IncomingMessage["headers"] }> = []

const answers: { readonly [path: string]: (response: ServerResponse) => void } = {
  "/plain": response => response.end("{}"),
  "/gzip": response => {
    response.writeHead(200, { "content-encoding": "gzip" })
    response.end(gzipSync(large))
  },
  "/damaged": response => {
    response.writeHead(200, { "content-encoding": "gzip" })
    response.end("no gzip")
  },
  "/large": response => response.end(large),
  "/chunks": response => {
    response.write(large)
    response.end(large)
  },
  "/busy": response => {
    response.writeHead(429, "Slow Down", { "retry-after": "7" })
    response.end("busy")
  },
  "/cut": response => {
    response.writeHead(503, { "content-length": 100 })
    response.write("part", () => response.destroy())
  },
  "/moved": response => {
    response.writeHead(308, { location: "/plain" })
    response.end()
  },
  "/silent": () => undefined
}

const server = createServer(async (request, response) => {
  seen.push({ body: await text(request), headers: request.headers })
  answers[request.url ?? ""]?.(response)
})
let host: string
beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const post = (path: string, maxBytes = 10_000, signal = never, who = "") =>
  jsonPoster(`http://${who}${host}${path}`, maxBytes)('{"of":"ä"}', signal)

const failure = (posted: Promise<unknown>): Promise<unknown> =>
  posted.then(
    () => null,
    error => error
  )

const ok = { status: 200, statusText: "OK", retryAfter: null, location: null }

it("posts JSON with the name and the password of its URL", async () => {
  expect(await post("/plain", 10, never, "me:pass%201@")).toEqual({
    ...ok,
    bytes: Buffer.from("{}")
  })
  expect(seen.at(-1)).toMatchObject({
    body: '{"of":"ä"}',
    headers: {
      "content-type": "application/json",
      "content-length": "11",
      authorization: `Basic ${Buffer.from("me:pass 1").toString("base64")}`
    }
  })
})

it("reads what is compressed, and says where it is damaged", async () => {
  expect(await post("/gzip")).toEqual({ ...ok, bytes: Buffer.from(large) })
  const error = await failure(post("/damaged"))
  expect(error).toBeInstanceOf(BrokenAnswer)
  expect((error as BrokenAnswer).head).toEqual(ok)
})

it("refuses what is too large: announced, in parts, or compressed to little", async () => {
  const sizes = await Promise.all(
    ["/large", "/chunks", "/gzip"].map(async path => {
      const error = await failure(post(path, 4999))
      expect(error).toBeInstanceOf(AnswerTooLarge)
      return (error as AnswerTooLarge).size >= 5000
    })
  )
  expect(sizes).toEqual([true, true, true])
  expect((await post("/large", 5000)).bytes.toString()).toBe(large)
})

it("tells what a server says beside its body, also where that breaks off", async () => {
  const busy = {
    status: 429,
    statusText: "Slow Down",
    retryAfter: "7",
    location: null,
    bytes: Buffer.from("busy")
  }
  expect(await post("/busy")).toEqual(busy)
  const error = await failure(post("/cut"))
  expect(error).toBeInstanceOf(BrokenAnswer)
  expect((error as BrokenAnswer).head.status).toBe(503)
})

it("follows no redirect, which may point anywhere, and says where it points", async () => {
  const before = seen.length
  expect(await post("/moved")).toMatchObject({ status: 308, location: "/plain" })
  expect(seen.length).toBe(before + 1)
})

it("ends when it is told to", async () => {
  const asked = new AbortController()
  const error = failure(post("/silent", 10, asked.signal))
  const before = seen.length
  await expect.poll(() => seen.length).toBeGreaterThan(before)
  asked.abort()
  expect(await error).toMatchObject({ name: "AbortError" })
})
