/** What comes over a connection that is no plain GET: bodies, wrong methods, odd lengths. */
import { connect } from "node:net"
import { HttpApi } from "effect/http-api"
import { afterEach, describe, expect, it } from "vitest"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { rawExchange, requestText, statusesIn } from "../../test/support/raw-http.ts"
import { Api } from "../api.ts"
import { staticFiles } from "../web/static-files.ts"

let open: Array<TestApi> = []
const start = async (options: Parameters<typeof startApi>[1] = {}) => {
  const api = await startApi([new FakeLane(chainConfig(8453, "base"))], options)
  open.push(api)
  return api
}
afterEach(async () => {
  for (const api of open) await api.close()
  open = []
})

const HEALTH = "GET /v1/health"
const CLOSE = "connection: close"

describe("a wrong method", () => {
  it("is 405 with Allow on every route, in the envelope", async () => {
    const api = await start()
    const paths = ["/docs", "/v1/openapi.json", "/v1/ws/live", ...staticFiles.map(f => f.path)]
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { method, path } }) => {
        if (method === "GET") paths.push(path)
      }
    })
    for (const path of paths) {
      for (const method of ["POST", "DELETE"]) {
        const response = await fetch(`${api.url}${path}?a=1`, { method })
        expect(response.status, path).toBe(405)
        expect(response.headers.get("allow"), path).toBe("GET, HEAD, OPTIONS")
        const body = await response.json()
        expect(body).toEqual({
          error: "METHOD_NOT_ALLOWED",
          message: `${path} takes GET, HEAD, not ${method}`
        })
      }
    }
  })

  it("is 404 where nothing answers", async () => {
    const api = await start()
    const response = await fetch(`${api.url}/v1/nope`, { method: "POST", body: "{}" })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      error: "NOT_FOUND",
      message: "nothing answers POST /v1/nope; /docs lists what is there"
    })
    const near = await (await fetch(`${api.url}/v1/chains/base/token?limit=5`)).json()
    expect(near).toEqual({
      error: "NOT_FOUND",
      message: "nothing answers GET /v1/chains/base/token; did you mean /v1/chains/base/tokens?"
    })
  })
})

describe("a body", () => {
  it("of another type than JSON is 415 on every route that takes one, in the envelope", async () => {
    const api = await start()
    const paths: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { method, path } }) => {
        if (method === "POST") paths.push(path)
      }
    })
    expect(paths.length).toBeGreaterThan(4)
    for (const path of paths) {
      for (const type of ["application/x-www-form-urlencoded", "text/plain"]) {
        const headers = { "content-type": type }
        const response = await fetch(`${api.url}${path}`, { method: "POST", headers, body: "{}" })
        expect(response.status, path).toBe(415)
        expect(response.headers.get("content-type"), path).toBe("application/json")
        const { error, message } = (await response.json()) as { error: string; message: string }
        expect([path, error]).toEqual([path, "UNSUPPORTED_MEDIA_TYPE"])
        expect(message, path).toMatch(/ as JSON, with Content-Type: application\/json$/)
      }
    }
  })

  const length = (bytes: number) => `content-length: ${bytes}`

  it("is thrown away up to 64 KiB, and the connection stays open", async () => {
    const api = await start()
    const body = "x".repeat(64 * 1024)
    const socket = connect(api.port, "127.0.0.1")
    let received = ""
    socket.on("data", chunk => {
      received += chunk
    })
    socket.write(requestText("POST /v1/logo/x", length(body.length)))
    await expect.poll(() => statusesIn(received)).toEqual([404])
    socket.write(body)
    socket.write(requestText(HEALTH, CLOSE))
    await expect.poll(() => statusesIn(received)).toEqual([404, 200])
  })

  it("over 64 KiB is 413 before any of it has come, on any route, and ends the connection", async () => {
    const api = await start()
    for (const line of ["POST /v1/logo/x", "POST /v1/candles", HEALTH]) {
      const wire = await rawExchange(api.port, requestText(line, length(64 * 1024 + 1)))
      expect(statusesIn(wire)).toEqual([413])
      expect(wire.toLowerCase()).toContain("\r\nconnection: close\r\n")
      expect(wire).toContain('{"error":"PAYLOAD_TOO_LARGE","message":"the route takes no')
    }
  })

  it("of unknown length ends the connection after the answer", async () => {
    const api = await start()
    const chunks = requestText(HEALTH, "transfer-encoding: chunked")
    const wire = await rawExchange(api.port, `${chunks}5\r\nhello\r\n`)
    expect(statusesIn(wire)).toEqual([200])
    expect(wire.toLowerCase()).toContain("\r\nconnection: close\r\n")
  })

  it("costs no memory while it is held back", async () => {
    const api = await start()
    const before = process.memoryUsage().arrayBuffers
    const bytes = 60 * 1024
    const sockets = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const socket = connect(api.port, "127.0.0.1")
        socket.write(requestText("POST /v1/candles", length(bytes)) + "x".repeat(bytes - 1))
        // answered while the body's last byte is still to come
        const [head] = await new Promise<ReadonlyArray<Buffer>>(resolve =>
          socket.once("data", (...data) => resolve(data))
        )
        expect(String(head)).toMatch(/^HTTP\/1\.1 405 /)
        return socket
      })
    )
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200 * bytes * 0.5)
    for (const socket of sockets) socket.destroy()
  })
})

describe("Content-Length", () => {
  const INNER = requestText("GET /v1/status")
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["two that differ", ["content-length: 0", `content-length: ${INNER.length}`]],
    ["two that differ, the other way", [`content-length: ${INNER.length}`, "content-length: 0"]],
    ["the same twice", [`content-length: ${INNER.length}`, `content-length: ${INNER.length}`]],
    ["an empty one", ["content-length:"]],
    ["an empty one before another", ["content-length:", `content-length: ${INNER.length}`]],
    ["a signed one", ["content-length: +5"]],
    ["a list", ["content-length: 5, 5"]],
    ["none, of a coding that is not chunks", ["transfer-encoding: gzip"]],
    ["beside chunks", [`content-length: ${INNER.length}`, "transfer-encoding: chunked"]]
  ]
  for (const [name, headers] of cases) {
    it(`${name}: nothing behind it is answered, and the connection ends`, async () => {
      const api = await start()
      for (const line of ["GET /v1/nope", "POST /v1/candles", "GET /"]) {
        // in one packet, and in two
        const together = await rawExchange(api.port, requestText(line, ...headers) + INNER)
        const apart = await rawExchange(api.port, requestText(line, ...headers), INNER)
        for (const wire of [together, apart]) {
          expect(wire).not.toContain("lanes")
          expect(statusesIn(wire).filter(status => status !== 400)).toEqual([])
          expect(statusesIn(wire).length).toBeLessThan(2)
        }
      }
    })
  }

  it("is told what is wrong where nothing follows", async () => {
    const api = await start()
    const text = requestText(HEALTH, "content-length: 0", "content-length: 1")
    const wire = await rawExchange(api.port, text)
    expect(statusesIn(wire)).toEqual([400])
    expect(wire.toLowerCase()).toContain("\r\nconnection: close\r\n")
    expect(wire).toContain('{"error":"INVALID_PARAMS","message":"Content-Length must be given once')
  })
})

describe("what the parser refuses before us", () => {
  it("is HTML, as the README says, and ends the connection", async () => {
    const api = await start()
    const line = (text: string) => `${text}\r\nhost: x\r\n\r\n`
    const cases: ReadonlyArray<readonly [string, number]> = [
      [line("GET /v1/health HTTP/1.0"), 505],
      [line("GET  /v1/health HTTP/1.1"), 505],
      [line("GET http://x/v1/health HTTP/1.1"), 505],
      [`${HEALTH} HTTP/1.1\r\nhost: x\r\nx-long: ${"x".repeat(8000)}`, 431]
    ]
    for (const [text, status] of cases) {
      const wire = await rawExchange(api.port, text)
      expect([statusesIn(wire), wire.includes("<h1>")]).toEqual([[status], true])
    }
  })
})

describe("buckets", () => {
  const limited = {
    rateLimit: { enforced: true, loopbackEnforced: true, now: () => 90_500 }
  }

  it("of preflights, health, metrics and data are apart, and 429 says when to come again", async () => {
    const api = await start(limited)
    const read = async (path: string, method = "GET") => {
      const response = await fetch(api.url + path, { method })
      await response.arrayBuffer()
      const { headers, status } = response
      return [status, headers.get("x-ratelimit-limit"), headers.get("retry-after")]
    }
    for (let i = 0; i < 60; i++) expect((await read("/v1/chains"))[0]).toBe(200)
    expect(await read("/v1/chains")).toEqual([429, "60", "30"])
    expect(await read("/v1/chains", "OPTIONS")).toEqual([204, "600", null])
    expect(await read("/v1/health")).toEqual([200, "300", null])
    expect(await read("/metrics")).toEqual([200, "60", null])
    expect(await read("/")).toEqual([200, "300", null])
  })
})

describe("503", () => {
  it("says when to come again", async () => {
    const api = await start()
    const off = await fetch(`${api.url}/v1/arc/overview`)
    expect([off.status, off.headers.get("retry-after")]).toEqual([503, "3600"])
    const lane = new FakeLane(chainConfig(5042, "arc"))
    lane.state = { ...lane.state, state: "starting" }
    const early = await startApi([lane])
    open.push(early)
    const response = await fetch(`${early.url}/v1/arc/overview`)
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"])
  })
})

describe("the address it listens on", () => {
  it("is printed as a browser wants it", async () => {
    const api = await start({ host: "::1" })
    expect(api.url).toBe(`http://[::1]:${api.port}`)
    expect((await fetch(`${api.url}/v1/health`)).status).toBe(200)
  })
})
