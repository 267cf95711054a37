import { afterEach, expect, it } from "vitest"
import { LiveApi, TOKEN, TRADES, tradeFrame } from "../../test/support/live-api.ts"

let live: LiveApi
afterEach(() => live.stop())

it("counts frames by reader with their bytes, and how long they took from the log", async () => {
  live = await LiveApi.start()
  const readers = [await live.greeted(), await live.greeted()]
  for (const reader of readers) {
    reader.send(TRADES)
    await reader.next()
  }
  const stream = await live.stream([`trades,chain=8453,token=${TOKEN}`])
  // hello and subscribed
  await stream.next()
  await stream.next()
  const { counters } = live.api
  const { framesSent, frameBytesSent } = counters
  const frame = tradeFrame(2)
  const notice = live.lane.store(2, [frame])
  live.lane.tell({ ...notice, readAtMs: Date.now() - 400 })
  for (const reader of readers) expect(await reader.next()).toMatchObject({ seq: 2 })
  expect(await stream.next()).toMatchObject({ seq: 2 })
  expect(counters.framesSent - framesSent).toBe(3)
  expect(counters.frameBytesSent - frameBytesSent).toBe(3 * frame.body.length)
  const text = await (await fetch(`${live.api.url}/metrics`)).text()
  const metric = (name: string) =>
    Number(new RegExp(`^swaptape_live_${name} (.*)$`, "m").exec(text)?.[1])
  expect(metric("frames_total")).toBe(1)
  expect(metric("frame_seconds_count")).toBe(1)
  expect(metric('frame_seconds_bucket\\{le="0.1"\\}')).toBe(0)
  expect(metric("frame_seconds_sum")).toBeGreaterThanOrEqual(0.4)
})

it("takes a clock that is ahead for no time at all", async () => {
  live = await LiveApi.start()
  const reader = await live.greeted()
  reader.send(TRADES)
  await reader.next()
  const notice = live.lane.store(2, [tradeFrame(2)])
  live.lane.tell({ ...notice, readAtMs: Date.now() + 3_600_000 })
  await reader.next()
  const { buckets, seconds } = live.api.counters.frameSeconds
  expect([buckets, seconds]).toEqual([[1, 0, 0, 0, 0, 0, 0, 0], 0])
})
