/** What a key gives and what it does not, over HTTP, MCP and the live socket. */
import { Effect, Exit } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import WebSocket from "ws"
import { lanesOf } from "../../engine/lane/lanes.ts"
import type { QuoteOrder } from "../../engine/trade/quote.ts"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { fakeTrade } from "../../test/support/fake-trade.ts"
import { type Got, get } from "../../test/support/get.ts"
import { TestKeys } from "../../test/support/test-keys.ts"
import { audienceLanes } from "./audiences.ts"

const NOW_MS = 1_000_000_020_000
const RESET = "1000000080"
const TOKEN = `0x${"ab".repeat(20)}`
const ORDER = `inputMint=${TOKEN}&outputMint=0x${"cd".repeat(20)}&amount=5`

const keys = new TestKeys()
const lanes = [chainConfig(8453, "base"), chainConfig(5042, "arc"), chainConfig(56, "bnb")].map(
  config => new FakeLane(config)
)
const orders: Array<QuoteOrder> = []
let api: TestApi
beforeAll(async () => {
  api = await startApi(lanes, {
    keys: keys.book,
    privateChains: ["Base", "5042"],
    rateLimit: { enforced: true, loopbackEnforced: false, now: () => NOW_MS },
    trade: {
      ...fakeTrade,
      quote: (chain, order) => {
        orders.push(order)
        return fakeTrade.quote(chain, order)
      }
    }
  })
})
afterAll(() => api.close())

const withKey = (key: string) => ({ "x-api-key": key })
const ask = (path: string, key?: string): Promise<Got> =>
  get(api.url + path, key === undefined ? {} : withKey(key))
const errorOf = ({ status, text }: Got) => [status, JSON.parse(text).error]
const rateOf = ({ headers }: Got) =>
  ["limit", "remaining", "reset"].map(name => headers[`x-ratelimit-${name}`])

describe("a key", () => {
  it("has its own limits, which hold on this machine too", async () => {
    const key = keys.create("few", { default: 2 })
    expect(rateOf(await ask("/v1/chains", key))).toEqual(["2", "1", RESET])
    expect(rateOf(await ask("/v1/rules", key))).toEqual(["2", "0", RESET])
    const over = await ask("/v1/chains", key)
    expect(errorOf(over)).toEqual([429, "RATE_LIMIT_EXCEEDED"])
    expect([rateOf(over), over.headers["retry-after"]]).toEqual([["2", "0", RESET], "60"])
    // other buckets and other callers go on
    expect(rateOf(await ask("/v1/tokens?chain=56", key))).toEqual(["3000", "2999", RESET])
    expect(rateOf(await ask("/v1/chains"))[0]).toBe("60")
    expect((await ask("/v1/chains", keys.create("other"))).status).toBe(200)
  })

  it("that opens nothing is refused, on any route and from any answer", async () => {
    const revoked = keys.create("gone")
    expect((await ask("/v1/chains", revoked)).status).toBe(200)
    keys.revoke(revoked)
    const mistyped = `${keys.create("typed").slice(0, -1)}f`
    for (const [key, words] of [
      [revoked, "was revoked at 1970-01-01T00:00:02.000Z"],
      [mistyped, "is not known here"],
      ["secret", "has not the form of a key"]
    ] as const) {
      for (const path of ["/v1/chains", "/v1/nope", "/", "/v1/account/key", "/v1/ws/live"]) {
        const refused = await ask(path, key)
        expect([path, ...errorOf(refused)]).toEqual([path, 401, "INVALID_API_KEY"])
        expect(JSON.parse(refused.text).message).toContain(words)
        expect(refused.text).not.toContain(key)
        expect(refused.headers["www-authenticate"]).toContain("X-API-Key")
      }
    }
  })

  it("is told of without what opens it", async () => {
    const key = keys.create("mine", { default: 7 })
    await ask("/v1/chains", key)
    const { status, headers, text } = await ask("/v1/account/key", key)
    expect([status, headers["cache-control"]]).toEqual([200, "no-store"])
    const [, id, secret = ""] = key.split("_")
    expect(text).not.toContain(secret)
    const { limits, ...told } = JSON.parse(text)
    expect(told).toEqual({
      ...{ id, name: "mine", plan: "basic", createdAt: 1, rotatedAt: null },
      window: { since: 1_000_000_020, reset: 1_000_000_080 }
    })
    expect(limits.default).toEqual({ limit: 7, used: 2, remaining: 5 })
    expect(limits.data).toEqual({ limit: 3000, used: 0, remaining: 3000 })
    const without = await ask("/v1/account/key")
    expect(errorOf(without)).toEqual([401, "API_KEY_REQUIRED"])
  })

  it("pins a quote to one venue, past the gates", async () => {
    const path = `/v1/quote?chain=56&${ORDER}&only=uniswap_v2`
    const refused = await ask(path)
    expect(errorOf(refused)).toEqual([400, "INVALID_PARAMS"])
    expect(JSON.parse(refused.text).message).toContain("only needs an X-API-Key")
    const asked = lanes[2]?.requests.length
    orders.length = 0
    const { status, headers, text } = await ask(path, keys.create("pinner"))
    expect([status, headers["cache-control"]]).toEqual([200, "no-store"])
    expect(JSON.parse(text).outputAmount).toBe("10")
    expect(orders.map(({ onlyDex }) => onlyDex)).toEqual(["uniswap_v2"])
    // the gates ask the lane of the tokens' flags
    expect(lanes[2]?.requests.length).toBe(asked)
  })
})

describe("a chain that is not public", () => {
  const paths = [
    "/v1/chains/base/overview",
    `/v1/chains/8453/token/${TOKEN}/trades`,
    `/v1/candles?chain=8453&token=${TOKEN}`,
    `/v1/tokens/trades/${TOKEN}?chain=base`,
    `/v1/quote?chain=8453&${ORDER}`,
    "/v1/arc/overview",
    `/v1/logo/base/${TOKEN}`
  ]

  it("is told to a key alone, and from no cache to anybody else", async () => {
    const key = keys.create("reader")
    for (const path of paths) {
      for (const turn of ["before", "after"]) {
        const refused = await ask(path)
        expect([turn, path, ...errorOf(refused)]).toEqual([turn, path, 400, "UNSUPPORTED_CHAIN"])
        expect(JSON.parse(refused.text).message).toContain("is not public on this deployment")
        for (const read of ["made", "kept"]) {
          const { status, headers } = await ask(path, key)
          expect([read, path, status]).toEqual([read, path, 200])
          expect(headers["cache-control"]).toMatch(/^(private\b|no-store$)/)
          expect(headers["cache-control"]).not.toContain("public")
          expect(headers.vary).toBe("accept-encoding, x-api-key")
        }
      }
    }
  })

  it("is missing among those that may be read, and its health is not", async () => {
    const names = async (path: string, list: string, key?: string) =>
      JSON.parse((await ask(path, key)).text)[list].map(
        (each: { readonly key?: string; readonly chain?: string }) => each.key ?? each.chain
      )
    const key = keys.create("lister")
    expect(await names("/v1/chains", "chains")).toEqual(["bnb"])
    expect(await names("/v1/chains", "chains", key)).toEqual(["base", "arc", "bnb"])
    expect((await names("/v1/health/chains", "chains")).sort()).toEqual(["arc", "base", "bnb"])
    expect((await names("/v1/status", "lanes")).sort()).toEqual(["arc", "base", "bnb"])
  })

  it("leaves public chains as they are, without a key", async () => {
    const { headers } = await ask("/v1/chains/bnb/overview")
    expect([headers["cache-control"], headers.vary]).toEqual([
      "no-cache",
      "accept-encoding, x-api-key"
    ])
  })

  it("must be a chain", async () => {
    const all = lanesOf(lanes)
    expect(Exit.isFailure(Effect.runSyncExit(audienceLanes(all, ["base", "bse"])))).toBe(true)
    // one of the registry may run on another node
    const { open, keyed } = Effect.runSync(audienceLanes(all, ["ethereum"]))
    expect(open).toBe(keyed)
  })

  it("is told to agents with a key alone", async () => {
    const call = async (headers: { readonly [name: string]: string }) => {
      const params = { name: "swaptape_overview", arguments: { chain: "base" } }
      const response = await fetch(`${api.url}/v1/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
      })
      const { result } = await response.json()
      return [result.isError ?? false, result.content[0].text]
    }
    for (const _ of ["before", "after"]) {
      const [isError, text] = await call({})
      expect([isError, JSON.parse(text).error]).toEqual([true, "UNSUPPORTED_CHAIN"])
      expect((await call(withKey(keys.create("agent"))))[0]).toBe(false)
    }
  })

  it("is told over a live socket that came with a key, until the key ends", async () => {
    const key = keys.create("listener")
    const open = (headers: { readonly [name: string]: string }) =>
      new WebSocket(`ws://127.0.0.1:${api.port}/v1/ws/live`, { headers })
    const heard = async (socket: WebSocket) => {
      const frames: Array<{ readonly type: string; readonly error?: string }> = []
      socket.on("message", bytes => frames.push(JSON.parse(String(bytes))))
      await new Promise(resolve => socket.once("open", resolve))
      socket.send(JSON.stringify({ op: "subscribe", channel: "prices", chain: "base" }))
      await expect.poll(() => frames.length).toBeGreaterThan(1)
      return frames.map(({ type, error }) => error ?? type).slice(0, 2)
    }
    const anonymous = open({})
    expect(await heard(anonymous)).toEqual(["hello", "UNSUPPORTED_CHAIN"])
    const keyed = open(withKey(key))
    expect(await heard(keyed)).toEqual(["hello", "subscribed"])
    const closed = new Promise(resolve =>
      keyed.once("close", (code, reason) => resolve([code, String(reason)]))
    )
    const refused = new Promise(resolve =>
      open(withKey("st_x"))
        .on("error", () => undefined)
        .once("unexpected-response", (_, { statusCode }) => resolve(statusCode))
    )
    keys.revoke(key)
    expect(await closed).toEqual([4001, "the API key was revoked or replaced"])
    expect(await refused).toBe(401)
    expect(anonymous.readyState).toBe(WebSocket.OPEN)
    anonymous.terminate()
  })
})

describe("every answer", () => {
  it("has the three headers of its bucket", async () => {
    const cases: ReadonlyArray<readonly [string, string, string, number]> = [
      ["GET", "/v1/rules", "60", 200],
      ["HEAD", "/v1/rules", "60", 200],
      ["GET", "/v1/nope", "60", 404],
      ["PUT", "/v1/tokens", "60", 405],
      ["POST", "/v1/quote", "60", 405],
      ["GET", "/v1/tokens?chain=56", "300", 200],
      ["GET", "/v1/market", "300", 404],
      ["GET", "/v1/stream/market", "300", 400],
      ["GET", "/v1/portfolio/x/pnl", "300", 404],
      ["GET", `/v1/logo/bnb/${TOKEN}`, "3000", 200],
      ["GET", "/v1/crosschain/status", "240", 404],
      ["GET", "/", "300", 200],
      ["GET", "/docs", "300", 200],
      ["GET", "/v1/ws/live", "60", 426],
      ["OPTIONS", "/v1/rules", "600", 204]
    ]
    for (const [method, path, limit, status] of cases) {
      for (const turn of ["made", "kept"]) {
        const { headers, status: answered } = await fetch(api.url + path, { method })
        const rate = ["limit", "reset"].map(name => headers.get(`x-ratelimit-${name}`))
        expect([turn, method, path, answered, ...rate]).toEqual([
          ...[turn, method, path, status, limit, RESET]
        ])
        expect(headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/)
      }
    }
    const etag = (await ask("/v1/rules")).headers.etag ?? ""
    const known = await get(`${api.url}/v1/rules`, { "if-none-match": etag })
    expect([known.status, rateOf(known)[0]]).toEqual([304, "60"])
    const long = await fetch(`${api.url}/v1/rules`, { method: "POST", body: "x".repeat(70_000) })
    expect([long.status, long.headers.get("x-ratelimit-limit")]).toEqual([413, "60"])
  })
})
