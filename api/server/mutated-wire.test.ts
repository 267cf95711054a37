/**
 * Bytes of requests, mutated at random and sent over connections of their own: each is answered as
 * documented or its connection is closed, and afterwards the server is as before.
 */
import { connect, type Socket } from "node:net"
import { HttpApi } from "effect/http-api"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { fakeTrade } from "../../test/support/fake-trade.ts"
import { get } from "../../test/support/get.ts"
import { type Random, random, seed } from "../../test/support/seed.ts"
import { Api } from "../api.ts"

const REQUESTS = process.env["SWAPTAPE_LONG"] === "1" ? 60_000 : 400
/** Connections at a time. */
const AT_ONCE = 40
/** What the process may have more in the end, for garbage that is not collected yet. */
const MOST_GROWTH_BYTES = 256 * 1024 * 1024

/** Of the contract, and those by which uWebSockets refuses what is no request. */
const STATUSES = new Set([
  ...[200, 202, 204, 304, 400, 401, 403, 404, 405, 408, 413, 415, 426, 429, 431, 503, 505]
])

let api: TestApi
beforeAll(async () => {
  const lane = new FakeLane(chainConfig(8453, "base"))
  lane.commit(1)
  api = await startApi([lane], { trade: fakeTrade, bodies: { deadlineMs: 500 } })
})
afterAll(() => api.close())

const TOKEN = `0x${"ab".repeat(20)}`
const paths: Array<string> = ["/", "/docs", "/v1/openapi.json", "/v1/stream/market", "/v1/ws/live"]
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { path } }) => {
    const place = path.replace(":chain", "base").replace(/:\w+/g, TOKEN)
    paths.push(place, `${place}?chain=8453`, `${place}?chain=8453&token=${TOKEN}&limit=5`)
  }
})

const METHODS = ["HEAD", "POST", "POST", "OPTIONS", "PUT", "TRACE", "get", "G\u0000T"]
const VERSIONS = ["HTTP/1.0", "HTTP/2.0", "HTTP/9", ""]
const MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'

/** Further header lines, with a body where one belongs to them. */
const EXTRAS: ReadonlyArray<(r: Random) => readonly [lines: ReadonlyArray<string>, body: string]> =
  [
    () => [[], ""],
    () => [["accept-encoding: gzip, br;q=0, *;q=nonsense"], ""],
    () => [[`x-api-key: st_${"0".repeat(12)}_x`], ""],
    () => [["upgrade: websocket", "connection: Upgrade", "sec-websocket-key: x"], ""],
    () => [["last-event-id: 99999999999999999999@x,-,-"], ""],
    () => [["content-type: application/json", `content-length: ${MESSAGE.length}`], MESSAGE],
    r => [[`content-length: ${r.integer(0, 200)}`], MESSAGE],
    r => [[`content-length: ${r.pick(["-1", "x", "1e3", "", "99999999999999999999"])}`], MESSAGE],
    () => [["content-length: 5", "content-length: 6"], "hello"],
    () => [["content-length: 5", "transfer-encoding: chunked"], "0\r\n\r\n"],
    () => [[`content-length: ${100 * 1024}`], "x".repeat(100 * 1024)],
    r => [["transfer-encoding: chunked"], r.pick(CHUNKS)],
    r => [[`transfer-encoding: ${r.pick(["gzip", "chunked, chunked", " ", "x"])}`], "5\r\nhello"],
    r => [Array.from({ length: r.integer(1, 300) }, (_, n) => `x-${n}: ${"y".repeat(n)}`), ""],
    r => [[`cookie: ${"c".repeat(r.integer(0, 20_000))}`], ""],
    () => [["no colon here", ": no name", "bad name: x", "x:\u0001\u0002"], ""],
    () => [[`if-none-match: ${'"a",'.repeat(500)}`], ""]
  ]
const CHUNKS = [
  ...["0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n", "zz\r\nhello\r\n0\r\n\r\n", "-1\r\n\r\n"],
  ...["ffffffffffffffff\r\nhello", "5;a=b\r\nhello\r\n0\r\nx: y\r\n\r\n", "5hello0", "\r\n\r\n"],
  ...[`${"0".repeat(100)}5\r\nhello\r\n0\r\n\r\n`, `10000\r\n${"x".repeat(65_536)}\r\n0\r\n\r\n`]
]
const ODD_TEXT = [
  ...["%", "%00", "%zz", "%ff%fe", "..", "/../..", "//", "\\", "\u0000", "\u00ff", " ", "\t"],
  ...["?", "#", "&&", "=", "chain=", "&limit=9e99", "&fields=__proto__", "x".repeat(5000)]
]

const bent = (r: Random, text: string): string => {
  const at = r.integer(0, text.length)
  const until = at + r.pick([0, 0, 1, 5])
  return text.slice(0, at) + r.pick(ODD_TEXT) + text.slice(until)
}

/** The bytes of a request, most of them with faults. */
const requestOf = (r: Random): string => {
  const path = r.boolean(0.2) ? bent(r, r.pick(paths)) : r.pick(paths)
  const [lines, body] = r.pick(EXTRAS)(r)
  // few faults that end a request at its first line: what stands behind that is to be read
  const end = r.boolean(0.03) ? "\n" : "\r\n"
  const version = r.boolean(0.05) ? r.pick(VERSIONS) : "HTTP/1.1"
  const method = r.boolean(0.6) ? "GET" : r.pick(METHODS)
  const first = `${method} ${path} ${version}`
  const host = r.boolean(0.9) ? ["host: x"] : []
  const text = [first, ...host, ...lines, "", body].join(end)
  if (r.boolean(0.1)) return bent(r, text)
  // its rest never comes
  if (r.boolean(0.1)) return text.slice(0, r.integer(0, text.length))
  return r.boolean(0.1) ? text + text : text
}

/** A connection that takes whatever comes, until it ends. */
class Wire {
  received = ""
  private readonly socket: Socket
  private readonly closed: Promise<unknown>

  constructor(bytes: string) {
    this.socket = connect(api.port, "127.0.0.1", () => this.socket.write(bytes, "latin1"))
    this.socket.setEncoding("latin1")
    this.socket.on("data", chunk => {
      this.received += chunk
    })
    this.socket.on("error", () => undefined)
    this.closed = new Promise(resolve => this.socket.on("close", resolve))
  }

  async ended(): Promise<void> {
    this.socket.destroy()
    await this.closed
  }
}

const told = (bytes: string): string => JSON.stringify(bytes.slice(0, 300))

/** What is wrong with an answer; null where nothing is. Many may come over one connection. */
const issueOf = (received: string): string | null => {
  if (received === "") return null
  if (!received.startsWith("HTTP/1.1 ")) return `no answer: ${told(received)}`
  for (const [, status = ""] of received.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
    if (!STATUSES.has(Number(status))) return `${status} is not documented: ${told(received)}`
  }
  return null
}

const ask = async (path: string) => (await get(api.url + path)).status

it("get documented answers or are cut off, and leave the server as it was", async () => {
  console.log(`mutated wire: SEED=${seed}`)
  const r = random("mutated wire")
  const statuses = new Map<string, number>()
  expect(await ask("/v1/health")).toBe(200)
  const before = process.memoryUsage().rss
  for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
    const all = Array.from({ length: AT_ONCE }, () => {
      const bytes = requestOf(r)
      return { bytes, wire: new Wire(bytes) }
    })
    // what came before this is answered, or waits for more of its own bytes
    for (let i = 0; i < 2; i++) expect(await ask("/v1/health")).toBe(200)
    for (const { bytes, wire } of all) {
      await wire.ended()
      const issue = issueOf(wire.received)
      expect(issue, `${issue} to ${told(bytes)}`).toBeNull()
      const status = wire.received.slice(9, 12)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  for (const status of ["200", "400", "404", "405"]) expect([...statuses.keys()]).toContain(status)
  await expect.poll(() => api.counters.active).toBe(0)
  await expect.poll(() => api.counters.streams).toBe(0)
  await expect.poll(() => api.counters.sockets).toBe(0)
  expect(process.memoryUsage().rss - before).toBeLessThan(MOST_GROWTH_BYTES)
}, 1_200_000)
