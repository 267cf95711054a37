/** What comes to `POST /v1/mcp` that no proper client sends: each gets a documented answer. */
import { connect, type Socket } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane, refusal } from "../../test/support/fake-lanes.ts"
import { rawExchange, requestText, statusesIn } from "../../test/support/raw-http.ts"
import { type Random, random } from "../../test/support/seed.ts"

let open: Array<TestApi> = []
let lane = new FakeLane(chainConfig(8453, "base"))
const start = async (options: Parameters<typeof startApi>[1] = {}) => {
  lane = new FakeLane(chainConfig(8453, "base"))
  const api = await startApi([lane], options)
  open.push(api)
  return api
}
afterEach(async () => {
  for (const api of open) await api.close()
  open = []
})

type Json = Record<string, unknown>
const TOKEN = `0x${"ab".repeat(20)}`
const JSON_TYPE = { "content-type": "application/json" }
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" }
const PING = { jsonrpc: "2.0", id: "a", method: "ping" }

const call = (name: string, args: Json) => ({
  ...LIST,
  method: "tools/call",
  params: { name: `swaptape_${name}`, arguments: args }
})

const post = async (api: TestApi, body: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${api.url}/v1/mcp`, {
    method: "POST",
    headers: { ...JSON_TYPE, ...headers },
    body
  })
  const text = await response.text()
  return { status: response.status, text, body: text === "" ? null : (JSON.parse(text) as Json) }
}
const send = (api: TestApi, message: unknown, headers: Record<string, string> = {}) =>
  post(api, JSON.stringify(message), headers)

describe("a message", () => {
  it("is answered by itself, without a session", async () => {
    const api = await start()
    expect(await send(api, PING)).toMatchObject({
      status: 200,
      body: { jsonrpc: "2.0", id: "a", result: {} }
    })
    const { body } = await send(api, LIST)
    expect(body).toMatchObject({ id: 1, result: { tools: expect.any(Array) } })
  })

  it("that wants no answer gets 202 and nothing", async () => {
    const api = await start()
    const initialized = { jsonrpc: "2.0", method: "notifications/initialized" }
    expect(await send(api, initialized)).toMatchObject({ status: 202, text: "" })
    expect(await send(api, { jsonrpc: "2.0", id: 4, result: {} })).toMatchObject({ status: 202 })
  })

  it("of a method that there is not, or of a wrong form, is an error of JSON-RPC", async () => {
    const api = await start()
    expect((await send(api, { ...PING, method: "tools/burn" })).body).toEqual({
      jsonrpc: "2.0",
      id: "a",
      error: { code: -32601, message: "Method not found" }
    })
    expect((await send(api, { ...PING, method: "initialize", params: {} })).body).toEqual({
      jsonrpc: "2.0",
      id: "a",
      error: {
        code: -32602,
        message: "params.protocolVersion: Invalid input: expected string, received undefined"
      }
    })
  })

  it("that is none is 400, with what to send", async () => {
    const api = await start()
    const cases: ReadonlyArray<readonly [string, RegExp]> = [
      ["", /^the body is no JSON: send one/],
      ['{"jsonrpc":', /^the body is no JSON: send one/],
      [JSON.stringify([LIST, PING]), /^the body is a list: send one JSON-RPC message/],
      ["[]", /^the body is a list/],
      ["{}", /^the body is no JSON-RPC message: send \{"jsonrpc"/],
      [JSON.stringify({ ...LIST, id: null }), /^the body is no JSON-RPC message/],
      [JSON.stringify({ ...LIST, jsonrpc: "1.0" }), /^the body is no JSON-RPC message/],
      ["7", /^the body is no JSON-RPC message/]
    ]
    for (const [text, message] of cases) {
      expect(await post(api, text), text).toMatchObject({
        status: 400,
        body: { error: "INVALID_PARAMS", message: expect.stringMatching(message) }
      })
    }
  })

  it("that is compressed is 415, with what to do", async () => {
    const message = "send the body as it is: compressed bodies are not read"
    const sent = async (coding: string) => send(await start(), PING, { "content-encoding": coding })
    expect(await sent("gzip")).toMatchObject({ status: 415, body: { message } })
    expect((await sent("identity")).status).toBe(200)
  })

  it("counts as one request of the default bucket, calls within it as none", async () => {
    const rateLimit = { enforced: true, loopbackEnforced: true, now: () => 90_500 }
    const api = await start({ rateLimit })
    for (let i = 0; i < 60; i++) expect((await send(api, call("chains", {}))).status).toBe(200)
    expect(await send(api, call("chains", {}))).toMatchObject({
      status: 429,
      body: { error: "RATE_LIMIT_EXCEEDED" }
    })
  })

  it("counts as its proxy's client where a call pins a token", async () => {
    const api = await start({ holderPinsPerHour: null })
    lane.respond = () => refusal(503, "HOLDERS_PENDING", "not in the log yet")
    const ask = async (n: number, headers: Record<string, string>) => {
      const address = `0x${n.toString(16).padStart(40, "a")}`
      const { body } = await send(api, call("token_holders", { chain: "base", address }), headers)
      const { result } = body as { result: { content: ReadonlyArray<{ text: string }> } }
      return JSON.parse(result.content[0]?.text ?? "")
    }
    const forwarded = { "x-forwarded-for": "192.0.2.7" }
    const answers = []
    for (const n of [1, 2, 3]) answers.push(await ask(n, forwarded))
    answers.push(await ask(4, {}))
    const [pending, refused] = ["HOLDERS_PENDING", "HOLDERS_UNAVAILABLE"]
    expect(answers.map(({ error }) => error)).toEqual([pending, pending, refused, pending])
    expect(answers[0]).toMatchObject({ retryAfterSeconds: 5 })
  })
})

describe("headers of a message", () => {
  it("of another page's origin are refused, of this machine's and allowed ones not", async () => {
    const api = await start({ mcpOrigins: ["https://agents.example"] })
    const statusOf = async (origin: string) => (await send(api, PING, { origin })).status
    for (const origin of ["http://localhost:3000", "http://127.0.0.1", "https://agents.example"]) {
      expect([origin, await statusOf(origin)]).toEqual([origin, 200])
    }
    const others = ["https://evil.example", "http://localhost.evil.example", "null", `${api.url}/x`]
    for (const origin of others) expect([origin, await statusOf(origin)]).toEqual([origin, 403])
    expect((await send(api, PING, { origin: "https://evil.example" })).body).toEqual({
      error: "ORIGIN_REFUSED",
      message: "pages of this origin may not speak MCP here: MCP_ORIGINS can allow it"
    })
  })

  it("must say JSON, and a version of the protocol that is spoken", async () => {
    const api = await start()
    expect(await send(api, PING, { "content-type": "text/plain" })).toMatchObject({
      status: 415,
      body: { error: "UNSUPPORTED_MEDIA_TYPE" }
    })
    const utf8 = { "content-type": "application/json; charset=utf-8" }
    expect((await send(api, PING, utf8)).status).toBe(200)
    expect((await send(api, PING, { "mcp-protocol-version": "2025-06-18" })).status).toBe(200)
    expect(await send(api, PING, { "mcp-protocol-version": "1999-01-01" })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^MCP-Protocol-Version must be one of 2025-11-25, /) }
    })
  })

  it("and methods besides POST are 405, for there is no stream and no session", async () => {
    const api = await start()
    for (const method of ["GET", "DELETE", "PUT"]) {
      const response = await fetch(`${api.url}/v1/mcp`, { method })
      expect([method, response.status, response.headers.get("allow")]).toEqual([
        method,
        405,
        "POST, OPTIONS"
      ])
      expect((await response.json()).error).toBe("METHOD_NOT_ALLOWED")
    }
  })
})

describe("a body", () => {
  const HEAD = "POST /v1/mcp"
  const TYPE = "content-type: application/json"
  const CLOSE = "connection: close"
  const length = (bytes: number) => `content-length: ${bytes}`
  const text = JSON.stringify(PING)
  const chunk = (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`

  it("comes in parts, also in chunks of unknown number", async () => {
    const api = await start()
    const head = requestText(HEAD, TYPE, CLOSE, length(text.length))
    const parts = await rawExchange(api.port, head, text.slice(0, 9), text.slice(9))
    expect(parts).toContain('{"result":{},"jsonrpc":"2.0","id":"a"}')
    const chunks = requestText(HEAD, TYPE, "transfer-encoding: chunked")
    const wire = await rawExchange(api.port, `${chunks}${chunk(text)}0\r\n\r\n`)
    expect(wire).toContain('{"result":{},"jsonrpc":"2.0","id":"a"}')
  })

  it("is kept where its request waits for others of its turn", async () => {
    const api = await start()
    lane.respond = () => {
      const until = performance.now() + 12
      while (performance.now() < until);
      return {}
    }
    const reads = Array.from({ length: 40 }, (_, i) =>
      fetch(`${api.url}/v1/chains/base/trending?limit=${i + 1}`)
    )
    const pings = Array.from({ length: 40 }, () => send(api, PING))
    await Promise.all(reads.map(async one => (await one).arrayBuffer()))
    for (const ping of pings) expect(await ping).toMatchObject({ status: 200, body: { id: "a" } })
  })

  it("over 64 KiB is 413, by its length or as it comes, and ends the connection", async () => {
    const api = await start()
    const told = await rawExchange(api.port, requestText(HEAD, TYPE, length(64 * 1024 + 1)))
    const chunks = requestText(HEAD, TYPE, "transfer-encoding: chunked")
    const come = await rawExchange(api.port, chunks, ...Array(5).fill(chunk("x".repeat(16_384))))
    for (const wire of [told, come]) {
      expect(statusesIn(wire)).toEqual([413])
      expect(wire.toLowerCase()).toContain("\r\nconnection: close\r\n")
      expect(wire).toContain('{"error":"PAYLOAD_TOO_LARGE","message":"a body may have 64 KiB')
    }
    const most = { ...PING, params: { _meta: { filler: "x".repeat(65_000) } } }
    expect((await send(api, most)).status).toBe(200)
  })

  it("that does not come in time is 408, and ends the connection", async () => {
    const api = await start({ bodies: { deadlineMs: 50 } })
    const wire = await rawExchange(api.port, requestText(HEAD, TYPE, length(9)), "{")
    expect(statusesIn(wire)).toEqual([408])
    expect(wire).toContain('"error":"REQUEST_TIMEOUT"')
    expect(wire.toLowerCase()).toContain("\r\nconnection: close\r\n")
    await expect.poll(() => api.counters.active).toBe(0)
  })

  it("waits in no more than so many requests, and in none whose client is gone", async () => {
    const api = await start({ bodies: { most: 2, deadlineMs: 600_000 } })
    const held: Array<Socket> = []
    for (let i = 0; i < 2; i++) {
      const socket = connect(api.port, "127.0.0.1")
      socket.write(requestText(HEAD, TYPE, length(9)))
      held.push(socket)
    }
    await expect.poll(() => api.counters.active).toBe(2)
    const wire = await rawExchange(api.port, requestText(HEAD, TYPE, CLOSE, length(9)))
    expect(statusesIn(wire)).toEqual([503])
    expect(wire).toContain('"error":"BODY_UNAVAILABLE"')
    expect(wire.toLowerCase()).toContain("\r\nretry-after: 5\r\n")
    for (const socket of held) socket.destroy()
    await expect.poll(() => api.counters.active).toBe(0)
    expect((await send(api, PING)).status).toBe(200)
  })
})

describe("a cut answer", () => {
  it("says where the position moved meanwhile", async () => {
    const api = await start()
    const rows = (price: number) =>
      Array.from({ length: 100 }, (_, t) => ({ t, o: price, h: 2, l: 1, c: 1, v: 1, n: 1 }))
    const answer = async (price: number, seq: number, cursor?: unknown) => {
      lane.respond = () => ({ candles: rows(price) })
      lane.commit(seq)
      const args = { chain: "8453", token: TOKEN, maxBytes: 2048, cursor }
      const { body } = await send(api, call("candles", args))
      return (body as { result: { structuredContent: Json } }).result.structuredContent
    }
    const first = await answer(1, 5)
    expect(first["cut"]).toMatch(/^Cut to 2048 bytes: candles 1 to \d+ of 100\. For the rest /)
    const next = await answer(1, 6, first["cursor"])
    expect(next["cut"]).toMatch(/^Cut to 2048 bytes: candles \d+ to \d+ of 100\. [^.]+\.$/)
    const moved = await answer(2, 7, first["cursor"])
    expect(moved["cut"]).toContain("The log's position moved from 5 to 7 since the part before")
  })

  it("is gone through at the position of its first part where the route can tell it", async () => {
    const api = await start()
    const tokens = Array.from({ length: 100 }, (_, i) => ({ address: TOKEN, volume24h: i }))
    lane.respond = () => ({ tokens })
    const cuts: Array<unknown> = []
    let cursor: unknown
    for (const seq of [5, 6, 7]) {
      lane.commit(seq)
      const { body } = await send(
        api,
        call("token_board", { chain: "base", maxBytes: 2048, cursor })
      )
      const answer = (body as { result: { structuredContent: Json } }).result.structuredContent
      cursor = answer["cursor"]
      cuts.push(String(answer["cut"]).split("cursor.")[1])
    }
    const asked = lane.requests.filter(({ name }) => name === "tokenBoard")
    expect(asked.map(({ params }) => params["asOf"])).toEqual([null, 5, 5])
    expect(cuts).toEqual([
      "",
      ...[6, 7].map(seq => ` Rows and their order are of position 5, figures in them of ${seq}.`)
    ])
  })
})

/** Messages as clients send them, and what a fault may make of them. */
const MESSAGES: ReadonlyArray<Json> = [
  LIST,
  PING,
  {
    ...LIST,
    method: "initialize",
    params: {
      ...{ protocolVersion: "2025-06-18", capabilities: {} },
      clientInfo: { name: "x", version: "1" }
    }
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
  call("candles", { chain: "8453", token: TOKEN, tf: "1m", limit: 5, maxBytes: 4096 }),
  call("token_tape", { chain: "base", address: TOKEN, fields: ["ts"], before: "1:2:3" }),
  call("overview", { chain: "arbitrum", cursor: "cut.e30" }),
  call("chains", {}),
  { ...LIST, method: "resources/list" },
  { ...LIST, method: "resources/templates/list", params: { cursor: "x" } },
  { ...LIST, method: "resources/read", params: { uri: `swaptape://chain/base/token/${TOKEN}` } },
  { ...LIST, method: "prompts/list" },
  {
    ...LIST,
    method: "prompts/get",
    params: { name: "look_into_wallet", arguments: { chain: "base", address: TOKEN } }
  }
]
const ODD: ReadonlyArray<unknown> = [
  ...[null, true, 0, -1, 1.5, 1e308, "", " ", "\u0000", "%00", "../..", "a".repeat(5000), [], {}],
  ...[[[[[]]]], { a: { b: {} } }, "__proto__", "constructor", "cut.", "cut.!!!", "2.0", TOKEN]
]

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null

/** Changes one thing at some depth: a value, a key, or whether there is one. */
const bent = (r: Random, value: unknown): unknown => {
  if (!isObject(value) || Object.keys(value).length === 0 || r.boolean(0.1)) return r.pick(ODD)
  const key = r.pick(Object.keys(value))
  const copy: Json = Array.isArray(value) ? (value.slice() as unknown as Json) : { ...value }
  const what = r.integer(0, 6)
  if (what === 0) delete copy[key]
  else if (what === 1) copy[r.pick(["__proto__x", "id", "method", "extra", "task"])] = r.pick(ODD)
  else copy[key] = bent(r, copy[key])
  return copy
}

const CHARACTERS = '{}[]":,\\u0 \u00e9\ud83d\n'
/** Changes the text itself. */
const torn = (r: Random, text: string): string => {
  const at = r.integer(0, text.length)
  if (r.boolean(0.3)) return text.slice(0, at)
  const until = at + r.integer(0, 6)
  return text.slice(0, at) + r.pick([...CHARACTERS]) + text.slice(until)
}

/** Codes that the documents name; an internal error is none that a message may cause. */
const CODES = [-32600, -32601, -32602, -32002]

/** Of twenty messages at once. */
const ROUNDS = process.env["SWAPTAPE_LONG"] === "1" ? 400 : 50

describe("messages with faults", () => {
  it("get documented answers only, and leave the server well", async () => {
    const api = await start()
    const r = random("mcp messages")
    const seen = new Map<string, number>()
    const one = async (): Promise<void> => {
      let text = JSON.stringify(r.pick(MESSAGES))
      for (let i = r.integer(1, 3); i > 0; i--) {
        text = r.boolean(0.3) ? torn(r, text) : text
        const parsed = ((): unknown => {
          try {
            return JSON.parse(text)
          } catch {
            return undefined
          }
        })()
        if (parsed !== undefined) text = JSON.stringify(bent(r, parsed))
      }
      const { status, body } = await post(api, text)
      const error = body?.["error"] as { code: number } | string | undefined
      const kind =
        status === 200 ? (isObject(error) ? `error ${error["code"]}` : "result") : `${status}`
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      const isDocumented =
        (status === 202 && body === null) ||
        (status === 400 && error === "INVALID_PARAMS") ||
        (status === 200 && isObject(error) && CODES.includes(error["code"] as number)) ||
        (status === 200 && isObject(body?.["result"]))
      expect(isDocumented, `${text.slice(0, 500)} → ${status} ${JSON.stringify(body)}`).toBe(true)
    }
    for (let round = 0; round < ROUNDS; round++) await Promise.all(Array.from({ length: 20 }, one))
    expect([...seen.keys()].toSorted()).toEqual(
      ["202", "400", "error -32002", "error -32601", "error -32602", "result"].toSorted()
    )
    await expect.poll(() => api.counters.active).toBe(0)
    expect((await send(api, PING)).status).toBe(200)
  })
})
