import { afterEach, describe, expect, it } from "vitest"
import { eventually } from "../../test/support/engine.ts"
import { LiveApi, TOKEN, TRADES, tradeFrame } from "../../test/support/live-api.ts"
import type { Frame } from "../../test/support/ws-client.ts"

let live: LiveApi
afterEach(() => live.stop())

const seqs = (frames: ReadonlyArray<Frame>) => frames.map(({ seq }) => seq)

describe("a slow reader", () => {
  const padding = `,"padding":"${"x".repeat(50_000)}"`

  it("of trades is closed with a reason, without a hole before it", async () => {
    live = await LiveApi.start()
    const slow = await live.greeted()
    const quick = await live.greeted()
    for (const client of [slow, quick]) {
      client.send(TRADES)
      await client.next()
    }
    slow.pause()
    let seq = 1
    while (live.api.counters.slowClosed === 0 && seq < 1000) {
      seq++
      live.lane.commit(seq, [tradeFrame(seq, TOKEN, padding)])
      await new Promise(resolve => setTimeout(resolve, 1))
    }
    expect(live.api.counters.slowClosed).toBe(1)
    slow.resume()
    const { code, reason } = await slow.ended()
    expect([code, reason]).toEqual([4008, "slow reader: resume from the last seq you have"])
    expect(seqs(slow.rest())).toEqual(Array.from({ length: slow.rest().length }, (_, i) => i + 2))
    expect(seqs(await quick.take(seq - 1)).at(-1)).toBe(seq)
    expect(quick.closed).toBeNull()
  })

  it("keeps its place until it has taken the rest, and is cut where it takes too long", async () => {
    live = await LiveApi.start({ lingerMs: 200 })
    const slow = await live.greeted()
    slow.send(TRADES)
    await slow.next()
    slow.pause()
    let seq = 1
    while (live.api.counters.slowClosed === 0 && seq < 1000) {
      seq++
      live.lane.commit(seq, [tradeFrame(seq, TOKEN, padding)])
    }
    expect([live.api.counters.slowClosed, live.api.counters.sockets]).toEqual([1, 1])
    // it does not read, so it cannot have what was sent last
    await eventually("the cut", () => live.api.counters.sockets === 0)
    slow.resume()
    expect((await slow.ended()).code).toBe(1006)
    expect(seqs(slow.rest())).toEqual(Array.from({ length: slow.rest().length }, (_, i) => i + 2))
  })

  it("of a stream of events is cut, and goes on without a hole", async () => {
    live = await LiveApi.start()
    const topics = [`trades,chain=base,token=${TOKEN}`]
    const slow = await live.stream(topics)
    await slow.take(2)
    slow.pause()
    let seq = 1
    while (live.api.counters.slowClosed === 0 && seq < 1000) {
      seq++
      live.lane.commit(seq, [tradeFrame(seq, TOKEN, padding)])
      await new Promise(resolve => setTimeout(resolve, 1))
    }
    expect([live.api.counters.slowClosed, live.api.counters.streams]).toEqual([1, 0])
    slow.resume()
    await slow.ended()
    const again = await live.stream(topics, slow.lastEventId)
    await again.take(2)
    const before = slow.frames.slice(2)
    const after = await again.take(seq - 1 - before.length)
    expect(seqs([...before, ...after])).toEqual(Array.from({ length: seq - 1 }, (_, i) => i + 2))
  })

  it("of a stream of events gets all once it reads again, where that is not too much", async () => {
    live = await LiveApi.start({ maxBufferedBytes: 1e9 })
    const slow = await live.stream([`trades,chain=base,token=${TOKEN}`])
    await slow.take(2)
    slow.pause()
    for (let seq = 2; seq <= 400; seq++) live.lane.commit(seq, [tradeFrame(seq, TOKEN, padding)])
    slow.resume()
    expect(seqs(await slow.take(399))).toEqual(Array.from({ length: 399 }, (_, i) => i + 2))
  })

  it("of the past is waited for, then goes on without a hole", async () => {
    live = await LiveApi.start()
    for (let seq = 2; seq <= 400; seq++) live.lane.commit(seq, [tradeFrame(seq, TOKEN, padding)])
    // Pages of ten: 20 MB in all, far more than a socket holds.
    const { history } = live.lane
    let pages = 0
    Object.assign(live.lane, {
      history: (channel: string, key: string, from: number) => {
        pages++
        return history(channel, key, from, 10)
      }
    })
    const slow = await live.greeted()
    slow.send({ ...TRADES, from: 1 })
    await slow.next()
    slow.pause()
    await eventually("the socket is full", () => pages > 3)
    live.trade(401)
    expect(pages).toBeLessThan(40)
    slow.resume()
    expect(seqs(await slow.take(400))).toEqual(Array.from({ length: 400 }, (_, i) => i + 2))
    expect(slow.closed).toBeNull()
  })
})
