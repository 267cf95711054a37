import { afterEach, describe, expect, it } from "vitest"
import { LiveApi, OTHER, TOKEN, TRADES, tradeFrame } from "../../test/support/live-api.ts"
import { unixNow } from "../../test/support/page-market.ts"
import type { WsClient } from "../../test/support/ws-client.ts"

let live: LiveApi
afterEach(() => live.stop())

const price = (token: string, priceUsd: number, type = "price") => ({
  channel: "prices",
  body: `{"type":"${type}","channel":"prices","chain":8453,"token":"${token}","priceUsd":${priceUsd}}`
})

describe("prices", () => {
  it("of a token come as its newest, with how many were skipped", async () => {
    live = await LiveApi.start({ newestMs: 50 })
    const client = await live.greeted()
    client.send({ op: "subscribe", channel: "prices", chain: 8453, token: TOKEN })
    await client.next()
    await client.settled()
    for (const value of [1, 2, 3])
      live.lane.commit(1 + value, [{ ...price(TOKEN, value), key: TOKEN }])
    expect(await client.next()).toEqual({
      type: "price",
      channel: "prices",
      chain: 8453,
      token: TOKEN,
      priceUsd: 3,
      skipped: 2
    })
    live.lane.commit(5, [{ ...price(TOKEN, 4), key: TOKEN }])
    expect(await client.next()).toMatchObject({ priceUsd: 4, skipped: 0 })
  })

  it("of a chain come together, and new tokens by themselves", async () => {
    live = await LiveApi.start({ newestMs: 50 })
    const client = await live.greeted()
    client.send({ op: "subscribe", channel: "prices", chain: "base" })
    expect(await client.next()).toMatchObject({ type: "subscribed", token: null })
    await client.settled()
    const committed = unixNow()
    live.lane.commit(2, [
      { ...price(TOKEN, 1), key: "*" },
      { ...price(OTHER, 5, "new"), key: "*" },
      { ...price(OTHER, 6), key: "*" }
    ])
    live.lane.commit(3, [{ ...price(TOKEN, 2), key: "*" }])
    const [announced, prices] = await client.take(2)
    expect(announced).toMatchObject({ type: "new", token: OTHER, priceUsd: 5 })
    expect(prices).toMatchObject({ type: "prices", chain: 8453, token: null, seq: 3, skipped: 1 })
    expect(prices?.items).toMatchObject([
      { token: OTHER, priceUsd: 6 },
      { token: TOKEN, priceUsd: 2 }
    ])
    expect(prices?.at).toBeGreaterThanOrEqual(committed)
    expect(prices?.at).toBeLessThanOrEqual(Date.now() / 1000)
  })

  it("leave out a reader that lags, and give it the newest once it has caught up", async () => {
    live = await LiveApi.start({ newestMs: 20, maxNewestBufferedBytes: 0 })
    const [lagging, quick] = [await live.greeted(), await live.greeted()]
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
        live.lane.commit(seq, [
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
    live = await LiveApi.start({ newestMs: 20 })
    live.lane.commit(50)
    live.lane.oldestSeq = 40
    const client = await live.greeted()
    client.send({ op: "subscribe", channel: "prices", chain: 8453, token: TOKEN, from: 3 })
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 3 })
    await client.settled()
    live.lane.commit(51, [{ ...price(TOKEN, 1), key: TOKEN }])
    expect(await client.next()).toMatchObject({ priceUsd: 1, skipped: 0 })
  })

  it("missed since a position come as the newest", async () => {
    live = await LiveApi.start({ newestMs: 20 })
    for (const value of [1, 2, 3])
      live.lane.commit(1 + value, [{ ...price(TOKEN, value), key: TOKEN }])
    const client = await live.greeted()
    client.send({ op: "subscribe", channel: "prices", chain: 8453, token: TOKEN, from: 2 })
    await client.next()
    expect(await client.next()).toMatchObject({ priceUsd: 3, skipped: 1 })
  })

  it("begin with the present one, at once and before what is new", async () => {
    live = await LiveApi.start({ newestMs: 20 })
    live.lane.commit(2, [{ ...price(TOKEN, 7), key: TOKEN }])
    live.lane.commit(9)
    const client = await live.greeted()
    client.send({ op: "subscribe", channel: "prices", chain: 8453, token: TOKEN })
    expect(await client.next()).toMatchObject({ type: "subscribed", seq: 9 })
    expect(await client.next()).toMatchObject({ type: "price", priceUsd: 7, skipped: 0 })
    await client.settled()
    live.lane.commit(10, [{ ...price(TOKEN, 8), key: TOKEN }])
    expect(await client.next()).toMatchObject({ type: "price", priceUsd: 8, skipped: 0 })
    live.lane.commit(11, [{ ...price(TOKEN, 9), key: TOKEN }])
    expect(await client.next()).toMatchObject({ type: "price", priceUsd: 9, skipped: 0 })
    expect(client.rest()).toEqual([])
  })

  it("of a chain begin with all present ones, in frames of a thousand at most", async () => {
    live = await LiveApi.start({ newestMs: 20 })
    const tokenAt = (i: number) => `0x${i.toString(16).padStart(40, "0")}`
    const frames = Array.from({ length: 2500 }, (_, i) => ({ ...price(tokenAt(i), i), key: "*" }))
    live.lane.commit(2, frames)
    // a lane never parts the frames of one position
    const { history } = live.lane
    Object.assign(live.lane, {
      history: (channel: string, key: string, from: number) => history(channel, key, from, 1e9)
    })
    const client = await live.greeted()
    client.send({ op: "subscribe", channel: "prices", chain: 8453 })
    await client.next()
    const got = await client.take(3)
    expect(got.map(({ type, items }) => [type, items.length])).toEqual([
      ["prices", 1000],
      ["prices", 1000],
      ["prices", 500]
    ])
    const told = got.flatMap(({ items }) =>
      items.map(({ priceUsd }: { priceUsd: number }) => priceUsd)
    )
    expect(told).toEqual(frames.map((_, i) => i))
  })

  it("that are undone are told as such, beside the price that stands", async () => {
    live = await LiveApi.start({ newestMs: 20 })
    const client = await live.greeted()
    client.send({ op: "subscribe", channel: "prices", chain: 8453 })
    await client.next()
    await client.settled()
    const body = '{"type":"undo","channel":"prices","chain":8453,"seq":5,"toSeq":3}'
    // only the history knows the price that stands
    const { frames, ...notice } = live.lane.store(5, [
      { channel: "prices", key: "*", body, undo: true },
      { ...price(TOKEN, 4), key: "*" }
    ])
    live.lane.tell({ ...notice, frames: frames?.slice(0, 1) ?? null })
    const [undo, prices] = await client.take(2)
    expect(undo).toEqual(JSON.parse(body))
    expect(prices).toMatchObject({ type: "prices", items: [{ token: TOKEN, priceUsd: 4 }] })
    expect(prices?.items.length).toBe(1)
  })

  it("that had not gone out when a notice was lost are told with the present ones", async () => {
    live = await LiveApi.start({ newestMs: 300 })
    const client = await live.greeted()
    client.send({ op: "subscribe", channel: "prices", chain: 8453, token: TOKEN })
    await client.next()
    await client.settled()
    live.lane.commit(5, [{ ...price(TOKEN, 4), key: TOKEN }])
    live.lane.tell({ ...live.lane.store(6), frames: null })
    live.lane.commit(7)
    expect(await client.next()).toMatchObject({ type: "price", token: TOKEN, priceUsd: 4 })
  })
})
