import { connect } from "node:net"
import { Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { LaneUnavailable } from "../../engine/lane/lanes.ts"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane, refusal } from "../../test/support/fake-lanes.ts"

const TOKEN = `0x${"ab".repeat(20)}`
const CANDLES = `/v1/candles?chain=8453&token=${TOKEN}`
const BIG = { candles: Array.from({ length: 300 }, (_, i) => ({ t: i * 60, o: 1.5, n: i })) }

let open: Array<TestApi> = []
const start = async (...args: Parameters<typeof startApi>) => {
  const api = await startApi(...args)
  open.push(api)
  return api
}
afterEach(async () => {
  for (const api of open) await api.close()
  open = []
})

const laneOf = (respond?: FakeLane["respond"]) => new FakeLane(chainConfig(8453, "base"), respond)

/** Bytes as they come over the wire, for one request on a connection that then closes. */
const exchange = (api: TestApi, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ""
    const socket = connect(api.port, "127.0.0.1", () => socket.write(text))
    socket.setEncoding("latin1")
    socket.on("data", chunk => {
      received += chunk
    })
    socket.on("end", () => resolve(received))
    socket.on("error", reject)
  })

const request = (url: string, ...headers: ReadonlyArray<string>) =>
  [`GET ${url} HTTP/1.1`, "host: x", "connection: close", ...headers, "", ""].join("\r\n")

/** Without what differs by nature: the clock and the caller's count. */
const comparable = (wire: string) =>
  wire.replace(/^(date|x-ratelimit-remaining|x-ratelimit-reset): .*$/gim, "$1: …")

describe("the cache law", () => {
  it("gives the same bytes and headers from the cache as from the application", async () => {
    const lane = laneOf(() => BIG)
    const api = await start([lane])
    const lasting = ["/v1/openapi.json", "/", "/vendor/lightweight-charts.mjs"]
    for (const url of [CANDLES, `/v1/tokens/trades/${TOKEN}`, ...lasting]) {
      const before = api.counters.cacheHits
      const first = await exchange(api, request(url))
      expect(api.counters.cacheHits, url).toBe(before)
      const second = await exchange(api, request(url))
      expect(api.counters.cacheHits, url).toBe(before + 1)
      expect(comparable(second)).toBe(comparable(first))
      expect(first.startsWith("HTTP/1.1 200 OK\r\n"), url).toBe(true)
    }
    expect(lane.requests.length).toBe(2)
  })

  it("asks the lane anew after a commit, and only then", async () => {
    let price = 1
    const lane = laneOf(() => ({ price }))
    const api = await start([lane])
    const read = async () => {
      const response = await fetch(api.url + CANDLES)
      return [(await response.json()).price, response.headers.get("x-log-seq")]
    }
    expect(await read()).toEqual([1, "1"])
    price = 2
    expect(await read()).toEqual([1, "1"])
    lane.commit(2)
    expect(await read()).toEqual([2, "2"])
    expect(lane.requests.length).toBe(2)
    // a lane that lost its log's tail comes by the same position with other events
    price = 3
    lane.wentBack++
    expect(await read()).toEqual([3, "2"])
    expect(await read()).toEqual([3, "2"])
    expect(lane.requests.length).toBe(3)
  })

  it("keeps URLs apart by every byte of the query", async () => {
    const api = await start([laneOf(({ params }) => params)])
    const limits = await Promise.all(
      [10, 11, 10].map(async limit => (await fetch(`${api.url}${CANDLES}&limit=${limit}`)).json())
    )
    expect(limits.map(({ limit }) => limit)).toEqual([10, 11, 10])
  })

  it("does not keep refusals, health or status", async () => {
    const lane = laneOf(() => refusal(404, "UNKNOWN_TOKEN", "no such token"))
    const api = await start([lane])
    for (const url of [CANDLES, "/v1/health", "/v1/status", "/v1/chains", "/metrics"]) {
      await (await fetch(api.url + url)).text()
      await (await fetch(api.url + url)).text()
    }
    expect(api.counters.cacheHits).toBe(0)
    expect(lane.requests.length).toBe(2)
  })

  it("asks earlier chains again once they have moved on", async () => {
    const arc = new FakeLane(chainConfig(5042, "arc"), () =>
      refusal(404, "UNKNOWN_TOKEN", "no such token")
    )
    const base = laneOf(() => ({ from: "base" }))
    const api = await start([arc, base])
    const read = async () => (await fetch(`${api.url}/v1/tokens/trades/${TOKEN}`)).json()
    expect(await read()).toEqual({ from: "base" })
    expect(await read()).toEqual({ from: "base" })
    expect(arc.requests.length).toBe(1)
    arc.respond = () => ({ from: "arc" })
    arc.commit(2)
    expect(await read()).toEqual({ from: "arc" })
  })
})

describe("ETag", () => {
  it("is made of engine, chain, position and bytes, and answers 304", async () => {
    const lane = laneOf(() => BIG)
    const api = await start([lane])
    const first = await fetch(api.url + CANDLES, { headers: { "accept-encoding": "identity" } })
    await first.arrayBuffer()
    const etag = first.headers.get("etag") as string
    const version = first.headers.get("x-engine")
    expect(etag).toMatch(new RegExp(`^"${version}\\.base\\.1\\.[\\w-]{11}"$`))
    for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const wire = await exchange(api, request(CANDLES, `if-none-match: ${sent}`))
      expect(wire.startsWith("HTTP/1.1 304 Not Modified\r\n")).toBe(true)
      expect(wire).toContain(`etag: ${etag}\r\n`)
      expect(wire).toContain("x-log-seq: 1\r\n")
      expect(wire).not.toContain("content-type")
      expect(wire.endsWith("\r\n\r\n")).toBe(true)
    }
    lane.commit(2)
    const changed = await fetch(api.url + CANDLES, { headers: { "if-none-match": etag } })
    expect(changed.status).toBe(200)
    expect(changed.headers.get("etag")).not.toBe(etag)
  })
})

describe("methods and paths", () => {
  it("answers HEAD with the headers of GET", async () => {
    const api = await start([laneOf(() => BIG)])
    for (const _ of ["from the application", "from the cache"]) {
      const headers = { "accept-encoding": "identity" }
      const head = await fetch(api.url + CANDLES, { method: "HEAD", headers })
      expect(head.status).toBe(200)
      expect(await head.text()).toBe("")
      const get = await fetch(api.url + CANDLES, { headers })
      const body = await get.arrayBuffer()
      expect(Number(head.headers.get("content-length"))).toBe(body.byteLength)
      expect(head.headers.get("etag")).toBe(get.headers.get("etag"))
    }
  })

  it("lets any origin read", async () => {
    const api = await start([laneOf(() => BIG)])
    const preflight = await fetch(api.url + CANDLES, { method: "OPTIONS" })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, HEAD, POST, OPTIONS")
    const get = await fetch(api.url + CANDLES)
    expect(get.headers.get("access-control-allow-origin")).toBe("*")
    await get.arrayBuffer()
  })

  it("answers 404 with the envelope on what it does not know", async () => {
    const api = await start([laneOf()])
    const cases = [
      ["GET", "/v1/nope"],
      ["GET", "/nope"],
      ["GET", "/v1"],
      ["GET", "/v1/chains/%zz/token/0x/trades"],
      ["GET", "/assets/../package.json"]
    ] as const
    for (const [method, path] of cases) {
      const response = await fetch(api.url + path, { method })
      expect(response.status, path).toBe(404)
      expect((await response.json()).error, path).toBe("NOT_FOUND")
    }
  })

  it("answers a defect with 500 and the envelope", async () => {
    const api = await start([
      laneOf(() => {
        throw new Error("a defect")
      })
    ])
    const response = await fetch(api.url + CANDLES)
    expect(response.status).toBe(500)
    expect((await response.json()).error).toBe("INTERNAL_ERROR")
  })
})

describe("lanes that cannot answer", () => {
  it("answers 503, never an empty result", async () => {
    const lane = laneOf(() => new LaneUnavailable({ chain: "base", message: "its worker is gone" }))
    const api = await start([lane])
    const failed = await fetch(api.url + CANDLES)
    expect(failed.status).toBe(503)
    expect(await failed.json()).toEqual({
      error: "CHAIN_DATA_UNAVAILABLE",
      message: "its worker is gone"
    })
    for (const [state, seq] of [
      ["starting", 0],
      ["rebuilding", 0],
      ["rebuilding", 5],
      ["live", 0]
    ] as const) {
      lane.state = { ...lane.state, state, seq }
      const early = await fetch(api.url + CANDLES)
      expect(early.status).toBe(503)
      expect((await early.json()).error).toBe("NOT_READY")
    }
    lane.respond = () => BIG
    lane.state = { ...lane.state, state: "catching-up", seq: 5 }
    expect((await fetch(api.url + CANDLES)).status).toBe(200)
  })

  it("passes a lane's refusal on, with the position it reflects", async () => {
    const lane = laneOf(() => refusal(503, "NOT_READY", "no candles yet"))
    const api = await start([lane])
    const response = await fetch(api.url + CANDLES)
    expect(response.status).toBe(503)
    expect(response.headers.get("x-log-seq")).toBe("1")
    expect(response.headers.get("x-log")).toBe(lane.log())
    expect(await response.json()).toEqual({ error: "NOT_READY", message: "no candles yet" })
  })
})

describe("the rate limit", () => {
  it("refuses with 429 once a caller is over it, cached or not", async () => {
    const api = await start([laneOf(() => BIG)], {
      rateLimit: { enforced: true, loopbackEnforced: true, now: () => 90_000 }
    })
    for (let i = 0; i < 60; i++) {
      const response = await fetch(api.url + CANDLES)
      expect(response.status).toBe(200)
      expect(response.headers.get("x-ratelimit-remaining")).toBe(String(59 - i))
      await response.arrayBuffer()
    }
    for (const path of [CANDLES, "/v1/chains", "/v1/nope"]) {
      const over = await fetch(api.url + path)
      expect(over.status).toBe(429)
      expect((await over.json()).error).toBe("RATE_LIMIT_EXCEEDED")
      expect(over.headers.get("x-ratelimit-limit")).toBe("60")
      expect(over.headers.get("x-ratelimit-remaining")).toBe("0")
      expect(over.headers.get("x-ratelimit-reset")).toBe("120")
    }
    const other = await fetch(`${api.url}/v1/tokens?chain=8453`)
    expect(other.headers.get("x-ratelimit-limit")).toBe("300")
    expect(other.status).toBe(200)
  })
})

describe("the server", () => {
  it("does not share its port with a second one", async () => {
    const api = await start([laneOf()])
    await expect(startApi([laneOf()], { port: api.port })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${api.port}`
    )
  })

  it("answers the requests under way before it closes", async () => {
    const lane = laneOf()
    const slow = Effect.delay(
      Effect.sync(() => answer("late")),
      200
    )
    Object.assign(lane, { query: () => slow })
    const api = await startApi([lane])
    const pending = fetch(api.url + CANDLES)
    await expect.poll(() => api.counters.active).toBe(1)
    const closing = api.close()
    expect(await (await pending).json()).toBe("late")
    await closing
    await expect(fetch(api.url + CANDLES)).rejects.toThrow()
  })

  it("forgets a request whose client has gone", async () => {
    const lane = laneOf()
    let interrupted = 0
    const never = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void interrupted++))
    Object.assign(lane, { query: () => never })
    const api = await start([lane])
    const abort = new AbortController()
    const pending = fetch(api.url + CANDLES, { signal: abort.signal })
    await expect.poll(() => api.counters.active).toBe(1)
    abort.abort()
    await expect(pending).rejects.toThrow()
    await expect.poll(() => api.counters.active).toBe(0)
    await expect.poll(() => interrupted).toBe(1)
  })
})

const answer = (value: unknown) => ({
  ok: true as const,
  seq: 1,
  body: new TextEncoder().encode(JSON.stringify(value))
})
