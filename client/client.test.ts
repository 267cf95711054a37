import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { problemOf, swaptape } from "./client.js"
import { backoffMs, Problem } from "./retry.js"

const TOKEN = `0x${"ab".repeat(20)}`

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
let asked: Asked[] = []
let answer: (response: ServerResponse, asked: Asked) => void = response => response.end("{}")
const server = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const { method = "", url = "", headers } = request
  const one = { method, url, headers, body: Buffer.concat(parts).toString() }
  asked.push(one)
  answer(response, one)
})
let url = ""
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
afterEach(() => {
  asked = []
  vi.restoreAllMocks()
})

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify(body))
}
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (cause: unknown) => cause
  )

describe("a function of a route", () => {
  it("puts parameters into path and query, lists with commas", async () => {
    answer = response => json(response, 200, { tokens: [] })
    const client = swaptape({ url, apiKey: "secret" })
    await client.chainTokens({ chain: "base", limit: 3, fields: ["symbol", "priceUsd"] })
    await client.getCandles({ token: TOKEN, tf: undefined })
    expect(asked.map(one => [one.method, one.url, one.headers["x-api-key"]])).toEqual([
      ["GET", "/v1/chains/base/tokens?limit=3&fields=symbol%2CpriceUsd", "secret"],
      ["GET", `/v1/candles?token=${TOKEN}`, "secret"]
    ])
  })

  it("sends the body of a POST as it is, and gives text and decimals as they came", async () => {
    const amount = "340282366920938463463374607431768211455"
    answer = (response, { url: path }) =>
      path === "/metrics" ? response.end("up 1\n") : json(response, 200, { minimum: amount })
    const client = swaptape({ url })
    const { body } = await client.postSwap({ taker: TOKEN, amount })
    expect(body).toEqual({ minimum: amount })
    expect((await client.getMetrics()).body).toBe("up 1\n")
    expect(asked.map(one => [one.method, one.url, one.body])).toEqual([
      ["POST", "/v1/swap", JSON.stringify({ taker: TOKEN, amount })],
      ["GET", "/metrics", ""]
    ])
    expect(asked[0]?.headers["content-type"]).toBe("application/json")
  })

  it("tells of which moment an answer is, and gives a known one again", async () => {
    const headers = {
      ...{ "x-log-seq": "41", "x-log": "a1", etag: '"e1"', "x-engine": "0.1.0" },
      ...{ "x-ratelimit-limit": "60", "x-ratelimit-remaining": "59" },
      ...{ "x-ratelimit-reset": "1790000040", date: "Tue, 15 Sep 2026 10:00:00 GMT" }
    }
    answer = (response, one) => {
      if (one.headers["if-none-match"] === '"e1"') response.writeHead(304).end()
      else json(response, 200, { ok: true }, headers)
    }
    const client = swaptape({ url })
    const first = await client.arcOverview()
    expect(first).toEqual({
      ...{ body: { ok: true }, status: 200, seq: 41, log: "a1", etag: '"e1"', engine: "0.1.0" },
      ...{ at: Date.UTC(2026, 8, 15, 10) / 1000 },
      limit: { limit: 60, remaining: 59, resetsAt: 1_790_000_040 }
    })
    expect(await client.arcOverview({}, { known: first })).toBe(first)
  })

  it("has the code of a refusal, of the route that was called", async () => {
    answer = response => json(response, 404, { error: "UNKNOWN_TOKEN", message: "no trades" })
    const cause = await caught(swaptape({ url }).getCandles({ token: TOKEN }))
    expect(problemOf("getQuote", cause)).toBeNull()
    const problem = problemOf("getCandles", cause)
    expect([problem?.code, problem?.status, problem?.message, problem?.waitMs]).toEqual([
      ...["UNKNOWN_TOKEN", 404, "no trades", 0]
    ])
  })

  it("tells an answer that is none, and none at all", async () => {
    answer = response => response.end("<html>")
    const noJson = problemOf("listChains", await caught(swaptape({ url }).listChains()))
    expect([noJson?.code, noJson?.status]).toEqual(["BAD_ANSWER", 200])
    answer = response => response.destroy()
    const lost = problemOf("listChains", await caught(swaptape({ url }).listChains()))
    expect([lost?.code, lost?.status]).toEqual(["UNREACHABLE", 0])
    answer = () => {}
    const late = await caught(swaptape({ url, timeoutMs: 20 }).listChains())
    expect(problemOf("listChains", late)?.code).toBe("UNREACHABLE")
  })

  it("ends with its signal, with the signal's reason", async () => {
    const ending = new AbortController()
    answer = () => ending.abort(new Error("enough"))
    const cause = await caught(swaptape({ url }).listChains({}, { signal: ending.signal }))
    expect(cause).toEqual(new Error("enough"))
  })
})

describe("trying again", () => {
  /** Answers one after the other, the last again and again; notes when it was asked. */
  const answering = (...steps: ReadonlyArray<() => Response>) => {
    const times: number[] = []
    const fetch = async () => {
      times.push(Date.now())
      return (steps[Math.min(times.length, steps.length) - 1] as () => Response)()
    }
    const waits = () => times.slice(1).map((time, i) => time - (times[i] ?? 0))
    return { fetch, waits }
  }
  const refused =
    (status: number, headers: Record<string, string> = {}) =>
    () =>
      Response.json({ error: "NOT_READY", message: "not yet" }, { status, headers })
  const chains = () => Response.json({ chains: [] })
  const lost = () => {
    throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") })
  }
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] })
    vi.spyOn(Math, "random").mockReturnValue(1)
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  /** What comes of work within two minutes. */
  const later = async <A>(work: Promise<A>): Promise<A> => {
    await vi.advanceTimersByTimeAsync(120_000)
    return work
  }

  it("is not done unless it is asked for", async () => {
    const { fetch, waits } = answering(refused(503))
    const cause = await later(caught(swaptape({ fetch }).listChains()))
    expect(problemOf("listChains", cause)?.code).toBe("NOT_READY")
    expect(waits()).toEqual([])
  })

  it("waits as long as Retry-After or the rate limit's end says, else ever longer", async () => {
    const date = "Tue, 15 Sep 2026 10:00:00 GMT"
    const reset = String(Date.UTC(2026, 8, 15, 10) / 1000 + 25)
    const { fetch, waits } = answering(
      refused(503, { "retry-after": "7" }),
      refused(429, { "x-ratelimit-reset": reset, date }),
      refused(503),
      chains
    )
    const told: Array<string | null> = []
    const onProblem = (problem: Problem | null) => told.push(problem?.code ?? null)
    const client = swaptape({ fetch, retry: { tries: 5, onProblem } })
    expect((await later(client.listChains())).body).toEqual({ chains: [] })
    expect(waits()).toEqual([7000, 25_000, 4000])
    expect(told).toEqual(["NOT_READY", "NOT_READY", "NOT_READY", null])
  })

  it("ends with the last try, a wait that is too long, or what does not pass", async () => {
    const retry = { tries: 3, longestWaitMs: 60_000 }
    const tried = async (answer: () => Response) => {
      const { fetch, waits } = answering(answer)
      const cause = await later(caught(swaptape({ fetch, retry }).listChains()))
      const problem = problemOf("listChains", cause)
      return [problem?.status, problem?.waitMs, waits()]
    }
    expect(await tried(refused(503))).toEqual([503, 0, [1000, 2000]])
    expect(await tried(refused(503, { "retry-after": "3600" }))).toEqual([503, 3_600_000, []])
    expect(await tried(refused(400))).toEqual([400, 0, []])
  })

  it("is done of a read that got no answer, and never of a POST", async () => {
    const { fetch, waits } = answering(lost)
    const client = swaptape({ fetch, retry: { tries: 2 } })
    const cause = await later(caught(client.listChains()))
    expect(problemOf("listChains", cause)?.message).toBe(
      "the server does not answer (fetch failed: connect ECONNREFUSED)"
    )
    expect(waits()).toEqual([1000])
    await later(caught(client.postSwap({ taker: TOKEN })))
    expect(waits()).toHaveLength(2)
  })

  it("doubles the wait from a second to twenty, and draws it from its upper half", () => {
    expect([0, 1, 4, 5, 99].map(attempt => backoffMs(attempt, () => 1))).toEqual([
      ...[1000, 2000, 16_000, 20_000, 20_000]
    ])
    expect(backoffMs(1, () => 0)).toBe(1000)
  })
})

describe("pages", () => {
  const bodies = async (pages: AsyncIterable<{ readonly body: unknown }>) => {
    const list: unknown[] = []
    for await (const { body } of pages) list.push(body)
    return list
  }

  it("follow a cursor to its end", async () => {
    const next = ["9:1:1", "8:1:1", null]
    answer = response => json(response, 200, { nextBefore: next[asked.length - 1] })
    const pages = swaptape({ url }).arcPrints.pages({ limit: 2 })
    expect(await bodies(pages)).toEqual(next.map(nextBefore => ({ nextBefore })))
    expect(asked.map(one => one.url)).toEqual([
      "/v1/arc/prints?limit=2",
      "/v1/arc/prints?limit=2&before=9%3A1%3A1",
      "/v1/arc/prints?limit=2&before=8%3A1%3A1"
    ])
  })

  it("count rows, or pages, as of the first answer's position", async () => {
    answer = (response, one) => {
      const query = new URL(one.url, url).searchParams
      const [offset, page] = [Number(query.get("offset")), Number(query.get("page") ?? 1)]
      json(response, 200, { total: 150, asOf: 7, offset, page, pageSize: 50 })
    }
    const client = swaptape({ url })
    expect(await bodies(client.arcTokens.pages())).toHaveLength(2)
    const input = { address: TOKEN, chain: "base", limit: 50 }
    expect(await bodies(client.getTokenTrades.pages(input))).toHaveLength(3)
    const path = `/v1/tokens/trades/${TOKEN}?chain=base&limit=50`
    expect(asked.map(one => one.url)).toEqual([
      ...["/v1/arc/tokens", "/v1/arc/tokens?asOf=7&offset=100"],
      ...[path, `${path}&asOf=7&page=2`, `${path}&asOf=7&page=3`]
    ])
  })

  it("end with whoever reads no more, and with their signal", async () => {
    answer = response => json(response, 200, { nextBefore: "9:1:1" })
    const ending = new AbortController()
    const pages = swaptape({ url }).arcPrints.pages({}, { signal: ending.signal })
    const read = async () => {
      for await (const _ of pages) ending.abort(new Error("enough"))
    }
    expect(await caught(read())).toEqual(new Error("enough"))
    expect(asked).toHaveLength(1)
  })
})

describe("a problem", () => {
  it("is one of a route only where it came of that", () => {
    expect(problemOf("listChains", new Problem("NOT_READY", ""))).toBeNull()
    expect(problemOf("listChains", new Error("other"))).toBeNull()
  })
})
