import { Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane, NATIVE_TOKEN } from "../../test/support/fake-lanes.ts"
import { openSocket, type WsClient } from "../../test/support/ws-client.ts"
import type { LiveLimits } from "./live-socket.ts"

const TOKEN = `0x${"ab".repeat(20)}`
const OTHER = `0x${"cd".repeat(20)}`
const TRADES = { op: "subscribe", channel: "trades", chain: 8453, token: TOKEN }

let lane: FakeLane
let api: TestApi
let clients: Array<WsClient> = []

const start = async (live: Partial<LiveLimits> = {}) => {
  lane = new FakeLane(chainConfig(8453, "base"))
  api = await startApi([lane, new FakeLane(chainConfig(5042, "arc"))], { live })
}

afterEach(async () => {
  for (const client of clients) client.close()
  clients = []
  await api.close()
})

const open = async (): Promise<WsClient> => {
  const upgrade = await openSocket(api.port)
  if (!upgrade.ok) throw new Error(`no upgrade: ${upgrade.status} ${upgrade.body}`)
  clients.push(upgrade.client)
  return upgrade.client
}

/** An open socket past its hello. */
const greeted = async (): Promise<WsClient> => {
  const client = await open()
  await client.next()
  return client
}

const tradeFrame = (seq: number, token = TOKEN, extra = "") => ({
  channel: "trades",
  key: token,
  body: `{"type":"trade","channel":"trades","chain":8453,"token":"${token}","seq":${seq}${extra}}`
})

const commitTrade = (seq: number, token = TOKEN) => lane.commit(seq, [tradeFrame(seq, token)])

const seqs = (frames: ReadonlyArray<{ readonly seq: number }>) => frames.map(({ seq }) => seq)

/** Turns of the event loop, enough for whatever was sent to arrive on this machine. */
const settle = () => new Promise(resolve => setTimeout(resolve, 60))

describe("a connection", () => {
  it("is greeted with engine, chains, channels and the time between pings", async () => {
    await start()
    lane.commit(17)
    const client = await open()
    const hello = await client.next()
    expect(hello).toEqual({
      type: "hello",
      engine: (await fetch(`${api.url}/v1/health`)).headers.get("x-engine"),
      chains: [
        { chain: 8453, key: "base", seq: 17 },
        { chain: 5042, key: "arc", seq: 1 }
      ],
      channels: ["trades", "candles", "prices"],
      pingSeconds: 25,
      at: hello.at
    })
    expect(Math.abs(hello.at - Date.now() / 1000)).toBeLessThan(5)
  })

  it("is pinged, and answered when it pings", async () => {
    await start({ pingSeconds: 0.1 })
    const client = await greeted()
    client.send({ op: "ping" })
    expect(await client.next()).toMatchObject({ type: "pong" })
    await expect.poll(() => client.pings).toBeGreaterThan(1)
  })

  it("is refused with 503 where all are taken, and taken again after one closes", async () => {
    await start({ maxConnections: 2 })
    const first = await greeted()
    await greeted()
    const third = await openSocket(api.port)
    expect(third).toMatchObject({ ok: false, status: 503 })
    expect(JSON.parse(third.ok ? "" : third.body)).toEqual({
      error: "LIVE_UNAVAILABLE",
      message: "all 2 connections are taken"
    })
    first.close()
    await expect.poll(() => api.counters.sockets).toBe(1)
    await greeted()
  })

  it("is told when the server closes", async () => {
    await start()
    const client = await greeted()
    await api.close()
    expect(await client.ended()).toEqual({ code: 1001, reason: "the server is closing" })
    await start()
  })
})

describe("a subscription", () => {
  it("gets the frames of its topic from its position on, and no others", async () => {
    await start()
    commitTrade(5)
    const client = await greeted()
    client.send(TRADES)
    expect(await client.next()).toEqual({
      type: "subscribed",
      channel: "trades",
      chain: 8453,
      token: TOKEN,
      seq: 5
    })
    await settle()
    commitTrade(6)
    commitTrade(7, OTHER)
    commitTrade(8)
    expect(seqs(await client.take(2))).toEqual([6, 8])
    await settle()
    expect(client.rest()).toEqual([])
  })

  it("names chains by id or key in any case, tokens in any case, the native unit by zero", async () => {
    await start()
    const client = await greeted()
    client.send({ ...TRADES, chain: "BASE", token: `0x${"Ab".repeat(20)}` })
    expect(await client.next()).toMatchObject({ type: "subscribed", chain: 8453, token: TOKEN })
    client.send({ ...TRADES, token: `0x${"0".repeat(40)}` })
    expect(await client.next()).toMatchObject({ type: "subscribed", token: NATIVE_TOKEN })
    client.send({ ...TRADES, channel: "candles", chain: "5042", tf: "5m" })
    expect(await client.next()).toMatchObject({ channel: "candles", chain: 5042, tf: "5m" })
  })

  it("tells the lane what is wanted, once for all readers, and when it no longer is", async () => {
    await start()
    const [one, two] = [await greeted(), await greeted()]
    for (const client of [one, two]) {
      client.send(TRADES)
      await client.next()
    }
    one.send({ ...TRADES, channel: "candles", tf: "1m" })
    await one.next()
    expect(lane.wanted).toEqual([`+trades ${TOKEN}`, `+candles ${TOKEN}:1m`])
    one.send({ ...TRADES, op: "unsubscribe" })
    expect(await one.next()).toEqual({
      type: "unsubscribed",
      channel: "trades",
      chain: 8453,
      token: TOKEN
    })
    expect(lane.wanted.length).toBe(2)
    two.close()
    await expect.poll(() => lane.wanted.length).toBe(3)
    expect(lane.wanted[2]).toBe(`-trades ${TOKEN}`)
    one.close()
    await expect.poll(() => lane.wanted[3]).toBe(`-candles ${TOKEN}:1m`)
  })

  it("ends with unsubscribe and can start again", async () => {
    await start()
    const client = await greeted()
    client.send(TRADES)
    await client.next()
    client.send({ ...TRADES, op: "unsubscribe" })
    await client.next()
    commitTrade(2)
    await settle()
    expect(client.rest()).toEqual([])
    client.send(TRADES)
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 2 })
    await settle()
    commitTrade(3)
    expect(await client.next()).toMatchObject({ seq: 3 })
  })
})

describe("resuming", () => {
  it("gives what was missed, then what is new", async () => {
    await start()
    for (const seq of [2, 3, 4, 5]) commitTrade(seq)
    const client = await greeted()
    client.send({ ...TRADES, from: 3 })
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 3 })
    await settle()
    commitTrade(6)
    expect(seqs(await client.take(3))).toEqual([4, 5, 6])
  })

  it("has no hole and no repeat where commits come while the past is read", async () => {
    await start()
    for (let seq = 2; seq <= 2500; seq++) commitTrade(seq)
    let newest = 2500
    const commitSome = Effect.sync(() => {
      for (let i = 0; i < 7; i++) commitTrade(++newest)
    })
    // Before and after the lane takes its reading, on every page.
    lane.beforeHistory = () => Effect.andThen(commitSome, Effect.sleep(5))
    const client = await greeted()
    client.send({ ...TRADES, from: 100 })
    for (let i = 0; i < 20; i++) {
      commitTrade(++newest)
      await new Promise(resolve => setTimeout(resolve, 2))
    }
    await settle()
    commitTrade(++newest)
    expect((await client.next()).type).toBe("subscribed")
    const frames = await client.take(newest - 100)
    expect(seqs(frames)).toEqual(Array.from({ length: newest - 100 }, (_, i) => 101 + i))
    await settle()
    expect(client.rest()).toEqual([])
  })

  it("has no hole where the lane learns late that frames are wanted", async () => {
    await start()
    const client = await greeted()
    // A commit made before the lane has heard of the subscription carries no frames of it.
    lane.beforeHistory = () =>
      Effect.sync(() => {
        lane.past.push({ ...tradeFrame(2), seq: 2 })
        lane.commit(2)
      })
    client.send(TRADES)
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 1 })
    expect(await client.next()).toMatchObject({ type: "trade", seq: 2 })
  })

  it("says from where it can resume where the asked is too old", async () => {
    await start()
    lane.commit(50)
    lane.oldestSeq = 40
    const client = await greeted()
    client.send({ ...TRADES, from: 39 })
    expect(await client.next()).toEqual({
      type: "error",
      error: "RESUME_TOO_OLD",
      message: "frames after 39 are gone; the oldest position to resume from is 40",
      oldestSeq: 40,
      channel: "trades",
      chain: 8453,
      token: TOKEN
    })
    client.send({ ...TRADES, from: 40 })
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 40 })
  })

  it("refuses a position ahead of the log", async () => {
    await start()
    const client = await greeted()
    client.send({ ...TRADES, from: 2 })
    expect(await client.next()).toMatchObject({
      error: "INVALID_PARAMS",
      message: "from 2 is ahead of the log, which ends at 1"
    })
  })
})

describe("refusals", () => {
  it("answer what is malformed and keep the connection", async () => {
    await start()
    const client = await greeted()
    const cases: ReadonlyArray<readonly [string | object, string, string]> = [
      ["", "INVALID_PARAMS", "neither"],
      ["{", "INVALID_PARAMS", "neither"],
      ["null", "INVALID_PARAMS", "neither"],
      [{ op: "x" }, "INVALID_PARAMS", "neither"],
      [{ op: "subscribe" }, "INVALID_PARAMS", "channel"],
      [{ ...TRADES, channel: "x" }, "INVALID_PARAMS", "channel"],
      [{ ...TRADES, chain: 1.5 }, "INVALID_PARAMS", "chain"],
      [{ ...TRADES, chain: 1 }, "UNSUPPORTED_CHAIN", "chain 1 is not served"],
      [{ ...TRADES, token: "0x" }, "BAD_ADDRESS", "token"],
      [{ ...TRADES, token: undefined }, "INVALID_PARAMS", "token"],
      [{ ...TRADES, from: -1 }, "INVALID_PARAMS", "from"],
      [{ ...TRADES, from: "1" }, "INVALID_PARAMS", "from"],
      [{ ...TRADES, channel: "candles" }, "INVALID_PARAMS", "tf"],
      [{ ...TRADES, channel: "candles", tf: "2m" }, "INVALID_PARAMS", "tf"],
      [{ ...TRADES, op: "unsubscribe" }, "NOT_SUBSCRIBED", "not subscribed"]
    ]
    for (const [message, error, words] of cases) {
      client.send(message)
      const frame = await client.next()
      expect(frame).toMatchObject({ type: "error", error })
      expect(frame.message).toContain(words)
    }
    expect(client.closed).toBeNull()
  })

  it("limit the channels of a connection", async () => {
    await start({ maxChannels: 2 })
    const client = await greeted()
    client.send(TRADES)
    client.send({ ...TRADES, token: OTHER })
    client.send({ op: "subscribe", channel: "prices", chain: 8453 })
    client.send(TRADES)
    const frames = await client.take(4)
    expect(frames.map(({ type, error }) => error ?? type).sort()).toEqual([
      "ALREADY_SUBSCRIBED",
      "TOO_MANY_CHANNELS",
      "subscribed",
      "subscribed"
    ])
  })

  it("say that a chain is not ready or not readable", async () => {
    await start()
    lane.state = { ...lane.state, state: "starting", seq: 0 }
    const client = await greeted()
    client.send(TRADES)
    expect(await client.next()).toMatchObject({ error: "NOT_READY" })
    lane.state = { ...lane.state, state: "live", seq: 1 }
    const gone = { _tag: "LaneUnavailable", chain: "base", message: "its worker is gone" }
    Object.assign(lane, { history: () => Effect.fail(gone) })
    client.send(TRADES)
    expect(await client.next()).toMatchObject({
      error: "CHAIN_DATA_UNAVAILABLE",
      message: "its worker is gone"
    })
    expect(lane.wanted.at(-1)).toBe(`-trades ${TOKEN}`)
  })

  it("close a client that sends too much or too fast", async () => {
    await start()
    const big = await greeted()
    big.send({ op: "ping", padding: "x".repeat(4096) })
    expect(await big.ended()).toEqual({ code: 1009, reason: "a message may have 4096 bytes" })
    const fast = await greeted()
    for (let i = 0; i < 60; i++) fast.send({ op: "ping" })
    expect(await fast.ended()).toEqual({ code: 4029, reason: "too many messages a second" })
  })
})

describe("a slow reader", () => {
  const padding = `,"padding":"${"x".repeat(50_000)}"`

  it("of trades is closed with a reason, without a hole before it", async () => {
    await start()
    const slow = await greeted()
    const quick = await greeted()
    for (const client of [slow, quick]) {
      client.send(TRADES)
      await client.next()
    }
    slow.pause()
    let seq = 1
    while (api.counters.slowClosed === 0 && seq < 1000) {
      seq++
      lane.commit(seq, [tradeFrame(seq, TOKEN, padding)])
      await new Promise(resolve => setTimeout(resolve, 1))
    }
    expect(api.counters.slowClosed).toBe(1)
    slow.resume()
    const { code, reason } = await slow.ended()
    expect([code, reason]).toEqual([4008, "slow reader: resume from the last seq you have"])
    expect(seqs(slow.rest())).toEqual(Array.from({ length: slow.rest().length }, (_, i) => i + 2))
    expect(seqs(await quick.take(seq - 1)).at(-1)).toBe(seq)
    expect(quick.closed).toBeNull()
  })

  it("of the past is waited for, then goes on without a hole", async () => {
    await start()
    for (let seq = 2; seq <= 400; seq++) lane.commit(seq, [tradeFrame(seq, TOKEN, padding)])
    // Pages of ten: 20 MB in all, far more than a socket holds.
    const { history } = lane
    Object.assign(lane, {
      history: (channel: string, key: string, from: number) => history(channel, key, from, 10)
    })
    const slow = await greeted()
    slow.send({ ...TRADES, from: 1 })
    await slow.next()
    slow.pause()
    await new Promise(resolve => setTimeout(resolve, 300))
    commitTrade(401)
    slow.resume()
    expect(seqs(await slow.take(400))).toEqual(Array.from({ length: 400 }, (_, i) => i + 2))
    expect(slow.closed).toBeNull()
  })
})

const price = (token: string, priceUsd: number, type = "price") => ({
  channel: "prices",
  body: `{"type":"${type}","channel":"prices","chain":8453,"token":"${token}","priceUsd":${priceUsd}}`
})

describe("prices", () => {
  it("of a token come as its newest, with how many were skipped", async () => {
    await start({ pricesMs: 50 })
    const client = await greeted()
    client.send({ op: "subscribe", channel: "prices", chain: 8453, token: TOKEN })
    await client.next()
    await settle()
    for (const value of [1, 2, 3]) lane.commit(1 + value, [{ ...price(TOKEN, value), key: TOKEN }])
    expect(await client.next()).toEqual({
      type: "price",
      channel: "prices",
      chain: 8453,
      token: TOKEN,
      priceUsd: 3,
      skipped: 2
    })
    lane.commit(5, [{ ...price(TOKEN, 4), key: TOKEN }])
    expect(await client.next()).toMatchObject({ priceUsd: 4, skipped: 0 })
  })

  it("of a chain come together, and new tokens by themselves", async () => {
    await start({ pricesMs: 50 })
    const client = await greeted()
    client.send({ op: "subscribe", channel: "prices", chain: "base" })
    expect(await client.next()).toMatchObject({ type: "subscribed", token: null })
    await settle()
    lane.commit(2, [
      { ...price(TOKEN, 1), key: "*" },
      { ...price(OTHER, 5, "new"), key: "*" },
      { ...price(OTHER, 6), key: "*" }
    ])
    lane.commit(3, [{ ...price(TOKEN, 2), key: "*" }])
    const [announced, prices] = await client.take(2)
    expect(announced).toMatchObject({ type: "new", token: OTHER, priceUsd: 5 })
    expect(prices).toMatchObject({ type: "prices", chain: 8453, token: null, seq: 3, skipped: 1 })
    expect(prices.items).toMatchObject([
      { token: OTHER, priceUsd: 6 },
      { token: TOKEN, priceUsd: 2 }
    ])
    expect(Math.abs(prices.at - Date.now() / 1000)).toBeLessThan(5)
  })

  it("leave out a reader that lags, and give it the newest once it has caught up", async () => {
    await start({ pricesMs: 20, maxPriceBufferedBytes: 0 })
    const [lagging, quick] = [await greeted(), await greeted()]
    for (const client of [lagging, quick]) {
      client.send({ op: "subscribe", channel: "prices", chain: 8453, token: TOKEN })
      client.send(TRADES)
      await client.take(2)
    }
    lagging.pause()
    const padding = `,"padding":"${"x".repeat(50_000)}"`
    let seq = 1
    let value = 0
    const fillBuffers = async () => {
      while (seq < 100) {
        seq++
        lane.commit(seq, [
          tradeFrame(seq, TOKEN, padding),
          { ...price(TOKEN, ++value), key: TOKEN }
        ])
        await new Promise(resolve => setTimeout(resolve, 2))
      }
    }
    await fillBuffers()
    lagging.resume()
    const pricesOf = (client: WsClient) => client.frames.filter(({ type }) => type === "price")
    for (const client of [lagging, quick]) {
      await expect.poll(() => pricesOf(client).at(-1)?.priceUsd).toBe(value)
      const got = pricesOf(client)
      const skipped = got.reduce((sum, frame) => sum + frame.skipped, 0)
      expect(got.length + skipped).toBe(value)
    }
    expect(pricesOf(lagging).length).toBeLessThan(pricesOf(quick).length)
  })

  it("start at the present where the asked past is gone", async () => {
    await start({ pricesMs: 20 })
    lane.commit(50)
    lane.oldestSeq = 40
    const client = await greeted()
    client.send({ op: "subscribe", channel: "prices", chain: 8453, token: TOKEN, from: 3 })
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 3 })
    await settle()
    lane.commit(51, [{ ...price(TOKEN, 1), key: TOKEN }])
    expect(await client.next()).toMatchObject({ priceUsd: 1, skipped: 0 })
  })

  it("missed since a position come as the newest", async () => {
    await start({ pricesMs: 20 })
    for (const value of [1, 2, 3]) lane.commit(1 + value, [{ ...price(TOKEN, value), key: TOKEN }])
    const client = await greeted()
    client.send({ op: "subscribe", channel: "prices", chain: 8453, token: TOKEN, from: 2 })
    await client.next()
    expect(await client.next()).toMatchObject({ priceUsd: 3, skipped: 1 })
  })
})
