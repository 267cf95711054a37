import { Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { NATIVE_TOKEN } from "../../test/support/fake-lanes.ts"
import { LiveApi, OTHER, TOKEN, TRADES, tradeFrame } from "../../test/support/live-api.ts"
import { unixNow } from "../../test/support/page-market.ts"
import { type Frame, openSocket } from "../../test/support/ws-client.ts"

let live: LiveApi
afterEach(() => live.stop())

const seqs = (frames: ReadonlyArray<Frame>) => frames.map(({ seq }) => seq)

describe("a connection", () => {
  it("echoes the id of a message in what answers it, and in nothing else", async () => {
    live = await LiveApi.start()
    const client = await live.greeted()
    const ask = async (message: object) => {
      client.send(message)
      const { type, error, id } = await client.next()
      return [error ?? type, id]
    }
    expect(await ask({ ...TRADES, id: "a" })).toEqual(["subscribed", "a"])
    expect(await ask({ ...TRADES, id: 2 })).toEqual(["ALREADY_SUBSCRIBED", 2])
    expect(await ask({ ...TRADES, channel: "x", id: "b" })).toEqual(["INVALID_PARAMS", "b"])
    expect(await ask({ op: "x", id: 3 })).toEqual(["INVALID_PARAMS", 3])
    expect(await ask({ op: "ping", id: {} })).toEqual(["INVALID_PARAMS", undefined])
    expect(await ask({ op: "ping", id: "p" })).toEqual(["pong", "p"])
    expect(await ask({ op: "ping" })).toEqual(["pong", undefined])
    const ahead = { ...TRADES, token: OTHER, from: 99, id: "c" }
    expect(await ask(ahead)).toEqual(["INVALID_PARAMS", "c"])
    live.trade(2)
    expect(await client.next()).not.toHaveProperty("id")
    expect(await ask({ ...TRADES, op: "unsubscribe", id: "d" })).toEqual(["unsubscribed", "d"])
    expect(await ask({ ...TRADES, op: "unsubscribe", id: "e" })).toEqual(["NOT_SUBSCRIBED", "e"])
  })

  it("is greeted with engine, chains, channels and the time between pings", async () => {
    live = await LiveApi.start()
    live.lane.commit(1_000_017)
    const asked = unixNow()
    const client = await live.open()
    const hello = await client.next()
    expect(hello).toEqual({
      type: "hello",
      engine: (await fetch(`${live.api.url}/v1/health`)).headers.get("x-engine"),
      chains: [
        { chain: 8453, key: "base", log: "a1a1a1a1a1a1a1a1", seq: 1_000_017, oldestSeq: 17 },
        { chain: 5042, key: "arc", log: "a1a1a1a1a1a1a1a1", seq: 1, oldestSeq: 0 }
      ],
      channels: ["trades", "candles", "prices", "boards", "status"],
      pingSeconds: 25,
      at: hello.at
    })
    expect(hello.at).toBeGreaterThanOrEqual(asked)
    expect(hello.at).toBeLessThanOrEqual(Date.now() / 1000)
  })

  it("is pinged, and answered when it pings", async () => {
    live = await LiveApi.start({ pingSeconds: 0.1 })
    const client = await live.greeted()
    client.send({ op: "ping" })
    expect(await client.next()).toMatchObject({ type: "pong" })
    await expect.poll(() => client.pings).toBeGreaterThan(1)
  })

  it("is refused with 503 where all are taken, and taken again after one closes", async () => {
    live = await LiveApi.start({ maxConnections: 2 })
    const first = await live.greeted()
    await live.greeted()
    const third = await openSocket(live.api.port)
    expect(third).toMatchObject({ ok: false, status: 503 })
    expect(JSON.parse(third.ok ? "" : third.body)).toEqual({
      error: "LIVE_UNAVAILABLE",
      message: "all 2 connections are taken"
    })
    first.close()
    await expect.poll(() => live.api.counters.sockets).toBe(1)
    await live.greeted()
  })

  it("is told when the server closes", async () => {
    live = await LiveApi.start()
    const client = await live.greeted()
    await live.api.close()
    expect(await client.ended()).toEqual({ code: 1001, reason: "the server is closing" })
  })
})

describe("a subscription", () => {
  it("gets the frames of its topic from its position on, and no others", async () => {
    live = await LiveApi.start()
    live.trade(5)
    const client = await live.greeted()
    client.send(TRADES)
    expect(await client.next()).toEqual({
      type: "subscribed",
      channel: "trades",
      chain: 8453,
      token: TOKEN,
      seq: 5,
      log: "a1a1a1a1a1a1a1a1"
    })
    await client.settled()
    live.trade(6)
    live.trade(7, OTHER)
    live.trade(8)
    expect(seqs(await client.take(2))).toEqual([6, 8])
    await client.settled()
    expect(client.rest()).toEqual([])
  })

  it("names chains by id or key in any case, tokens in any case, the native unit by zero", async () => {
    live = await LiveApi.start()
    const client = await live.greeted()
    client.send({ ...TRADES, chain: "BASE", token: `0x${"Ab".repeat(20)}` })
    expect(await client.next()).toMatchObject({ type: "subscribed", chain: 8453, token: TOKEN })
    client.send({ ...TRADES, token: `0x${"0".repeat(40)}` })
    expect(await client.next()).toMatchObject({ type: "subscribed", token: NATIVE_TOKEN })
    client.send({ ...TRADES, channel: "candles", chain: "5042", tf: "5m" })
    expect(await client.next()).toMatchObject({ channel: "candles", chain: 5042, tf: "5m" })
  })

  it("is of a chain, a token, a pool or a wallet, from an amount on or of all", async () => {
    live = await LiveApi.start()
    const client = await live.greeted()
    const pool = `0x${"Ef".repeat(32)}`
    const asked = [
      {},
      { minUsd: 1000 },
      { token: TOKEN, minUsd: 0.5 },
      { pool },
      { wallet: OTHER, minUsd: 2 },
      { channel: "candles", pool, tf: "1m" },
      { channel: "candles", pool, token: TOKEN, tf: "1h" }
    ]
    for (const words of asked) {
      const { token: _, ...plain } = TRADES
      client.send({ ...plain, ...words })
      const { type, log, seq, ...named } = await client.next()
      const lower = "pool" in words ? { pool: pool.toLowerCase() } : {}
      expect(named).toEqual({ channel: "trades", chain: 8453, ...words, ...lower })
    }
    expect(live.lane.wanted).toEqual([
      "+trades *",
      "+trades *>=1000",
      `+trades ${TOKEN}>=0.5`,
      `+trades pool:${pool.toLowerCase()}`,
      `+trades wallet:${OTHER}>=2`,
      `+candles pool:${pool.toLowerCase()}::1m`,
      `+candles pool:${pool.toLowerCase()}:${TOKEN}:1h`
    ])
  })

  it("tells the lane what is wanted, once for all readers, and when it no longer is", async () => {
    live = await LiveApi.start()
    const [one, two] = [await live.greeted(), await live.greeted()]
    for (const client of [one, two]) {
      client.send(TRADES)
      await client.next()
    }
    one.send({ ...TRADES, channel: "candles", tf: "1m" })
    await one.next()
    expect(live.lane.wanted).toEqual([`+trades ${TOKEN}`, `+candles ${TOKEN}:1m`])
    one.send({ ...TRADES, op: "unsubscribe" })
    expect(await one.next()).toEqual({
      type: "unsubscribed",
      channel: "trades",
      chain: 8453,
      token: TOKEN
    })
    expect(live.lane.wanted.length).toBe(2)
    two.close()
    await expect.poll(() => live.lane.wanted.length).toBe(3)
    expect(live.lane.wanted[2]).toBe(`-trades ${TOKEN}`)
    one.close()
    await expect.poll(() => live.lane.wanted[3]).toBe(`-candles ${TOKEN}:1m`)
  })

  it("ends with unsubscribe and can start again", async () => {
    live = await LiveApi.start()
    const client = await live.greeted()
    client.send(TRADES)
    await client.next()
    client.send({ ...TRADES, op: "unsubscribe" })
    await client.next()
    live.trade(2)
    await client.settled()
    expect(client.rest()).toEqual([])
    client.send(TRADES)
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 2 })
    await client.settled()
    live.trade(3)
    expect(await client.next()).toMatchObject({ seq: 3 })
  })
})

describe("resuming", () => {
  it("gives what was missed, then what is new", async () => {
    live = await LiveApi.start()
    for (const seq of [2, 3, 4, 5]) live.trade(seq)
    const client = await live.greeted()
    client.send({ ...TRADES, from: 3 })
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 3 })
    await client.settled()
    live.trade(6)
    expect(seqs(await client.take(3))).toEqual([4, 5, 6])
  })

  it("has no hole and no repeat where commits come while the past is read", async () => {
    live = await LiveApi.start()
    for (let seq = 2; seq <= 2500; seq++) live.trade(seq)
    let newest = 2500
    const commitSome = Effect.sync(() => {
      for (let i = 0; i < 7; i++) live.trade(++newest)
    })
    // Before and after the lane takes its reading, on every page.
    live.lane.beforeHistory = () => Effect.andThen(commitSome, Effect.sleep(5))
    const client = await live.greeted()
    client.send({ ...TRADES, from: 100 })
    for (let i = 0; i < 20; i++) {
      live.trade(++newest)
      await new Promise(resolve => setTimeout(resolve, 2))
    }
    await client.settled()
    live.trade(++newest)
    expect((await client.next()).type).toBe("subscribed")
    const frames = await client.take(newest - 100)
    expect(seqs(frames)).toEqual(Array.from({ length: newest - 100 }, (_, i) => 101 + i))
    await client.settled()
    expect(client.rest()).toEqual([])
  })

  it("has no hole where the lane learns late that frames are wanted", async () => {
    live = await LiveApi.start()
    const client = await live.greeted()
    // A commit made before the lane has heard of the subscription carries no frames of it.
    live.lane.beforeHistory = () =>
      Effect.sync(() => {
        live.lane.past.push({ ...tradeFrame(2), seq: 2 })
        live.lane.commit(2)
      })
    client.send(TRADES)
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 1 })
    expect(await client.next()).toMatchObject({ type: "trade", seq: 2 })
  })

  it("sends the candles of one position in pieces that a reader can take", async () => {
    live = await LiveApi.start()
    const key = `${TOKEN}:1m`
    const body = (n: number) =>
      `{"type":"candle","channel":"candles","chain":8453,"token":"${TOKEN}","tf":"1m","seq":2,"at":${n}}`
    const frames = Array.from({ length: 4321 }, (_, n) => ({
      ...{ channel: "candles", key, body: body(n) }
    }))
    live.lane.commit(2, frames)
    const { history } = live.lane
    Object.assign(live.lane, {
      history: (channel: string, of: string, from: number) => history(channel, of, from, 1e9)
    })
    const client = await live.greeted()
    client.send({ ...TRADES, channel: "candles", tf: "1m", from: 1 })
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 1 })
    const got = await client.take(4321)
    expect(got.map(({ at }) => at)).toEqual(frames.map((_, n) => n))
  })

  it("says from where it can resume where the asked is too old", async () => {
    live = await LiveApi.start()
    live.lane.commit(50)
    live.lane.oldestSeq = 40
    const client = await live.greeted()
    client.send({ ...TRADES, from: 39 })
    expect(await client.next()).toEqual({
      type: "error",
      error: "RESUME_TOO_OLD",
      message: "frames after 39 are gone; the oldest position to resume from is 40",
      oldestSeq: 40,
      log: "a1a1a1a1a1a1a1a1",
      channel: "trades",
      chain: 8453,
      token: TOKEN
    })
    client.send({ ...TRADES, from: 40 })
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 40 })
  })

  it("refuses a position ahead of the log", async () => {
    live = await LiveApi.start()
    const client = await live.greeted()
    client.send({ ...TRADES, from: 2 })
    expect(await client.next()).toMatchObject({
      error: "INVALID_PARAMS",
      message: "from 2 is ahead of the log, which ends at 1"
    })
  })

  it("goes on from a position that another node has told and this one is yet to read", async () => {
    live = await LiveApi.start()
    const client = await live.greeted()
    client.send({ ...TRADES, from: 3 })
    const stream = await live.stream([`trades,chain=base,token=${TOKEN},from=3`])
    await stream.next()
    await client.settled()
    for (const seq of [2, 3, 4]) live.trade(seq)
    for (const reader of [client, stream]) {
      const frames = await reader.take(2)
      expect(frames.map(({ type, seq }) => [type, seq])).toEqual([
        ["subscribed", 3],
        ["trade", 4]
      ])
    }
  })
})

describe("refusals", () => {
  it("answer what is malformed and keep the connection", async () => {
    live = await LiveApi.start()
    const client = await live.greeted()
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
      [{ ...TRADES, pool: OTHER }, "INVALID_PARAMS", "one of token, pool and wallet"],
      [{ ...TRADES, token: undefined, pool: "0x" }, "BAD_ADDRESS", "pool"],
      [{ ...TRADES, token: undefined, wallet: "0x" }, "BAD_ADDRESS", "wallet"],
      [{ ...TRADES, minUsd: -1 }, "INVALID_PARAMS", "minUsd"],
      [{ ...TRADES, tf: "1m" }, "INVALID_PARAMS", "takes no tf"],
      [{ ...TRADES, channel: "candles", token: undefined }, "INVALID_PARAMS", "token or pool"],
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
    live = await LiveApi.start({ maxChannels: 2 })
    const client = await live.greeted()
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
    live = await LiveApi.start()
    live.lane.state = { ...live.lane.state, state: "starting", seq: 0 }
    const client = await live.greeted()
    client.send(TRADES)
    expect(await client.next()).toMatchObject({ error: "NOT_READY" })
    live.lane.state = { ...live.lane.state, state: "live", seq: 1 }
    const gone = { _tag: "LaneUnavailable", chain: "base", message: "its worker is gone" }
    Object.assign(live.lane, { history: () => Effect.fail(gone) })
    client.send(TRADES)
    expect(await client.next()).toMatchObject({
      error: "CHAIN_DATA_UNAVAILABLE",
      message: "its worker is gone"
    })
    expect(live.lane.wanted.at(-1)).toBe(`-trades ${TOKEN}`)
  })

  it("close a client that sends too much or too fast", async () => {
    live = await LiveApi.start()
    for (const bytes of [4096, 70_000, 1_000_000]) {
      const big = await live.greeted()
      big.send({ op: "ping", padding: "x".repeat(bytes) })
      expect(await big.ended()).toEqual({ code: 1009, reason: "a message may have 4096 bytes" })
    }
    const fast = await live.greeted()
    for (let i = 0; i < 60; i++) fast.send({ op: "ping" })
    expect(await fast.ended()).toEqual({ code: 4029, reason: "too many messages a second" })
  })
})
