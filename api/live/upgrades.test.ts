/** Who gets a live socket, by what path, and what those hear who do not. */
import { afterEach, describe, expect, it } from "vitest"
import WebSocket from "ws"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"

let api: TestApi
const sockets: Array<WebSocket> = []
const start = async (options: Parameters<typeof startApi>[1] = {}) => {
  api = await startApi([new FakeLane(chainConfig(8453, "base"))], options)
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await api.close()
})

interface Refused {
  readonly status: number | undefined
  readonly headers: { readonly [name: string]: unknown }
  readonly body: unknown
}

/** An open socket, or the answer in its place. */
const connect = (path = "/v1/ws/live"): Promise<WebSocket | Refused> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${api.port}${path}`)
    sockets.push(socket)
    socket.once("open", () => resolve(socket))
    socket.once("error", reject)
    socket.once("unexpected-response", (_, response) => {
      response.setEncoding("utf8")
      response.once("data", (text: string) => {
        const { statusCode: status, headers } = response
        resolve({ status, headers, body: JSON.parse(text) })
      })
    })
  })

const opened = async (path?: string): Promise<WebSocket> => {
  const socket = await connect(path)
  if (socket instanceof WebSocket) return socket
  throw new Error(`no upgrade: ${JSON.stringify(socket)}`)
}

const limited = { enforced: true, loopbackEnforced: true, now: () => 90_500 }

describe("an upgrade", () => {
  it("is taken with and without a slash at the end", async () => {
    await start()
    await opened("/v1/ws/live")
    await opened("/v1/ws/live/")
    await expect.poll(() => api.counters.sockets).toBe(2)
  })

  it("is what a plain GET is told to make, with the header that says so", async () => {
    await start()
    for (const path of ["/v1/ws/live", "/v1/ws/live/"]) {
      const response = await fetch(api.url + path)
      expect(response.status).toBe(426)
      expect(response.headers.get("upgrade")).toBe("websocket")
      expect(await response.json()).toEqual({
        error: "UPGRADE_REQUIRED",
        message:
          "/v1/ws/live is a WebSocket: connect with ws:// or wss:// in place of http:// or " +
          "https://; /v1/asyncapi.json has its messages"
      })
    }
  })

  it("is refused with 503 where all are taken, with the headers of every answer", async () => {
    await start({ live: { maxConnections: 1 } })
    await opened()
    expect(await connect()).toMatchObject({
      status: 503,
      headers: {
        "access-control-allow-origin": "*",
        "x-engine": expect.stringMatching(/^\d/),
        "retry-after": "5"
      },
      body: { error: "LIVE_UNAVAILABLE", message: "all 1 connections are taken" }
    })
  })

  it("over an address' share is refused with 429, and taken after one closes", async () => {
    await start({ rateLimit: limited, socketsPerAddress: 2 })
    const first = await opened()
    await opened()
    expect(await connect()).toMatchObject({
      status: 429,
      headers: { "retry-after": "30" },
      body: {
        error: "RATE_LIMIT_EXCEEDED",
        message: "one address or key may have 2 live sockets open: close one first"
      }
    })
    first.close()
    await expect.poll(() => api.counters.sockets).toBe(1)
    await opened()
  })

  it("is limited to 120 a minute", async () => {
    await start({ rateLimit: limited })
    for (let i = 0; i < 120; i++) (await opened()).terminate()
    expect(await connect()).toMatchObject({
      status: 429,
      headers: { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "0", "retry-after": "30" },
      body: {
        error: "RATE_LIMIT_EXCEEDED",
        message: "more than 120 upgrades in this minute; wait until 120"
      }
    })
  })
})

describe("control frames", () => {
  it("of one that floods with pings end its socket", async () => {
    await start({ live: { maxMessagesPerSecond: 5 } })
    const socket = await opened()
    const ended = new Promise(resolve =>
      socket.once("close", (code, reason) => resolve([code, String(reason)]))
    )
    for (let i = 0; i < 50; i++) socket.ping()
    expect(await ended).toEqual([4029, "too many pings"])
  })
})
