/** Server-sent events: the same frames as the socket's, and readers that come back by themselves. */
import { afterEach, describe, expect, it } from "vitest"
import { LiveApi, OTHER, TOKEN, tradeFrame } from "../../test/support/live-api.ts"

let live: LiveApi
afterEach(() => live.stop())

const LOG = "a1a1a1a1a1a1a1a1"
const TRADES = `trades,chain=base,token=${TOKEN}`
const PRICES = `prices,chain=base,token=${TOKEN}`
const priceFrame = (priceUsd: number) => ({
  channel: "prices",
  key: TOKEN,
  body: JSON.stringify({ type: "price", channel: "prices", chain: 8453, token: TOKEN, priceUsd })
})
const topic = { channel: "trades", chain: 8453, token: TOKEN }

describe("a stream", () => {
  it("begins with hello and goes on with the frames of its topics", async () => {
    live = await LiveApi.start()
    live.trade(5)
    const client = await live.stream([TRADES])
    expect(client.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "access-control-allow-origin": "*",
      "x-ratelimit-limit": "300"
    })
    expect(await client.next()).toMatchObject({ type: "hello", pingSeconds: 25 })
    expect(await client.next()).toEqual({ type: "subscribed", ...topic, seq: 5, log: LOG })
    live.trade(6)
    live.trade(7, OTHER)
    live.trade(8)
    expect((await client.take(2)).map(({ seq }) => seq)).toEqual([6, 8])
    expect(client.lastEventId).toBe(`8@${LOG}`)
    expect(client.retryMs).toBe(1000)
  })

  it("goes on at its last event's id in each topic, without hole or repeat", async () => {
    live = await LiveApi.start({ newestMs: 5 })
    const topics = [TRADES, PRICES, `trades,chain=base,token=${OTHER}`]
    const client = await live.stream(topics)
    await client.take(4)
    live.lane.commit(2, [tradeFrame(2), priceFrame(1), tradeFrame(2, OTHER)])
    await client.take(3)
    expect(client.lastEventId).toBe([2, 2, 2].map(seq => `${seq}@${LOG}`).join(","))
    client.close()
    live.trade(3)
    live.trade(4, OTHER)
    const again = await live.stream(topics, client.lastEventId)
    const frames = await again.take(6)
    const told = frames.slice(1).map(({ type, seq }) => `${type} ${seq}`)
    const begun = ["subscribed 2", "subscribed 2", "subscribed 2"]
    expect(told.sort()).toEqual([...begun, "trade 3", "trade 4"])
  })

  it("names no position between the frames of one", async () => {
    live = await LiveApi.start()
    const client = await live.stream([`candles,chain=base,token=${TOKEN},tf=1m`])
    await client.take(2)
    const body = (n: number) => `{"type":"candle","seq":2,"n":${n}}`
    const frames = [1, 2].map(n => ({ channel: "candles", key: `${TOKEN}:1m`, body: body(n) }))
    const ids: Array<string> = []
    const { push } = client.frames
    client.frames.push = frame => {
      ids.push(client.lastEventId)
      return push.call(client.frames, frame)
    }
    live.lane.commit(2, frames)
    await client.take(2)
    expect(ids).toEqual([`1@${LOG}`, `1@${LOG}`])
    expect(client.lastEventId).toBe(`2@${LOG}`)
  })

  it("is told by heartbeats where quiet topics stand", async () => {
    live = await LiveApi.start({ pingSeconds: 0.05 })
    const client = await live.stream([TRADES])
    await client.take(2)
    live.trade(9, OTHER)
    await expect.poll(() => client.lastEventId).toBe(`9@${LOG}`)
    await expect.poll(() => client.beats).toBeGreaterThan(1)
  })

  it("tells which topic cannot be resumed, and goes on with the others", async () => {
    live = await LiveApi.start()
    live.lane.commit(50)
    live.lane.oldestSeq = 40
    const client = await live.stream([`${TRADES},from=3`, `trades,chain=base,token=${OTHER}`])
    const told = (await client.take(3)).slice(1)
    expect(told.find(({ type }) => type === "error")).toMatchObject({
      ...topic,
      error: "RESUME_TOO_OLD",
      oldestSeq: 40
    })
    live.trade(51, OTHER)
    expect(await client.next()).toMatchObject({ type: "trade", token: OTHER, seq: 51 })
  })

  it("ends when the server closes", async () => {
    live = await LiveApi.start()
    const client = await live.stream([TRADES])
    await live.api.close()
    await client.ended()
    expect(live.api.counters.streams).toBe(0)
  })
})

describe("a stream is refused", () => {
  it("with words where what it asks for is wrong", async () => {
    live = await LiveApi.start()
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, number, string, string]> = [
      [[], 400, "INVALID_PARAMS", "topic is required: topic=trades,chain=base,token=0x…"],
      [["trades"], 400, "INVALID_PARAMS", "chain is required: the id or key of a chain"],
      [["trades,base"], 400, "INVALID_PARAMS", 'topic: "base" is no name=value'],
      [["trades,chain=base,chain=arc"], 400, "INVALID_PARAMS", "topic: chain may not stand there"],
      [["trades,op=ping"], 400, "INVALID_PARAMS", "topic: op may not stand there"],
      [
        ["trades,chain=base,tokn=0x"],
        400,
        "INVALID_PARAMS",
        'there is no field "tokn"; did you mean token?'
      ],
      [["trades,chain=base,token=0x"], 400, "BAD_ADDRESS", "token must be 0x and 40 hex digits"],
      [[`trades,chain=x,token=${TOKEN}`], 400, "UNSUPPORTED_CHAIN", "chain x is not served here"],
      [[`${TRADES},tf=1m`], 400, "INVALID_PARAMS", "trades takes no tf, but token"],
      [[TRADES, TRADES], 400, "ALREADY_SUBSCRIBED", "subscribed to it already"]
    ]
    for (const [topics, status, error, message] of cases) {
      const answer = await live.streamAnswer(topics)
      expect(answer).toMatchObject({ ok: false, status })
      const body = JSON.parse(answer.ok ? "{}" : answer.body)
      expect(body.error).toBe(error)
      expect(body.message).toContain(message)
    }
    const odd = await live.streamAnswer([TRADES], "7@a,8@a")
    expect(odd).toMatchObject({ ok: false, status: 400 })
    expect(live.api.counters.streams).toBe(0)
  })

  it("with 503 where all are taken, and taken again after one closes", async () => {
    live = await LiveApi.start({ maxStreams: 1 })
    const first = await live.stream([TRADES])
    const second = await live.streamAnswer([TRADES])
    expect(second).toMatchObject({ ok: false, status: 503 })
    expect(JSON.parse(second.ok ? "" : second.body)).toEqual({
      error: "LIVE_UNAVAILABLE",
      message: "all 1 streams are taken"
    })
    first.close()
    await expect.poll(() => live.api.counters.streams).toBe(0)
    await live.stream([TRADES])
  })

  it("as other paths and methods are", async () => {
    live = await LiveApi.start()
    const url = `${live.api.url}/v1/stream/market?topic=${TRADES}`
    const head = await fetch(url, { method: "HEAD" })
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"])
    const post = await fetch(url, { method: "POST" })
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"])
    const asked = await fetch(url, { method: "OPTIONS" })
    expect(asked.headers.get("access-control-allow-headers")).toContain("last-event-id")
    expect(live.api.counters.streams).toBe(0)
  })
})

it("is read with fetch", async () => {
  live = await LiveApi.start()
  const url = `${live.api.url}/v1/stream/market?topic=${encodeURIComponent(TRADES)}`
  const aborts = new AbortController()
  const response = await fetch(url, { signal: aborts.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  while (!text.includes('"subscribed"')) text += (await reader?.read())?.value ?? ""
  live.trade(2)
  while (!text.includes('"trade"')) text += (await reader?.read())?.value ?? ""
  expect(text.endsWith(`data: ${tradeFrame(2).body}\nid: 2@${LOG}\n\n`)).toBe(true)
  aborts.abort()
  await expect.poll(() => live.api.counters.streams).toBe(0)
})
