import { Effect } from "effect"
import { expect, it } from "vitest"
import { candlePage, candlePages, candlesOf } from "../../test/support/lane-candles.ts"
import { plainCandles } from "../../test/support/plain-candles.ts"
import {
  DOLLAR,
  opening,
  openSmallLane,
  openSmallLaneThatKeeps,
  POOL,
  reserves,
  sale,
  sealed,
  TOKEN
} from "../../test/support/small-lane.ts"

/** No pool. */
const NONE = `0x${"99".repeat(20)}`
/** A Monday, so that every time frame has a bucket there. */
const START = 1_699_833_600

/** One trade in each of these minutes. */
const minutes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => {
    const time = START + 60 * (from + i)
    const first = from + i === 0 ? [...opening(time), reserves(time, 10_000, 20_000)] : []
    return [...first, sale(time, 1, 2_000_000 + from + i), sealed(time)]
  }).flat()

const bodies = (frames: ReadonlyArray<{ readonly body: string }> | null) =>
  (frames ?? []).map(({ body }) => JSON.parse(body).candle)

it("gives every candle of the past, page by page, those of one commit on one page", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const first = yield* lane.commit(minutes(0, 450))
    for (let from = 450; from < 500; from += 10) yield* lane.commit(minutes(from, from + 10))
    for (const [tf, count] of Object.entries({ "1m": 500, "5m": 100, "1h": 9, "1d": 1, "1w": 1 })) {
      const all = yield* candlesOf(lane, tf)
      expect(all.length, tf).toBe(count)
      expect(bodies((yield* candlePages(lane, tf, 0, 15)).flat()), tf).toEqual(all)
    }
    const pages = yield* candlePages(lane, "1m", 0, 15)
    expect(pages.map(({ length }) => length)).toEqual([450, 20, 20, 10])
    expect(new Set(pages[0]?.map(({ seq }) => seq))).toEqual(new Set([first]))
    expect(bodies((yield* candlePages(lane, "1m", first, 15)).flat())).toEqual(
      (yield* candlesOf(lane, "1m")).slice(450)
    )
  }).pipe(Effect.scoped, Effect.runPromise))

it("gives a candle of long ago that a commit changed, however old it is", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const since = yield* lane.commit(minutes(0, 1))
    const seq = yield* lane.commit(minutes(1, 501))
    const key = `${TOKEN}:1m`
    const frames = yield* lane.frames(since, new Map([["candles", new Set([key])]]))
    expect(frames.map(frame => [frame.key, frame.seq])).toEqual(Array(500).fill([key, seq]))
    expect(bodies(frames)).toEqual((yield* candlesOf(lane, "1m")).slice(1))
  }).pipe(Effect.scoped, Effect.runPromise))

it("says from where it can resume where one commit changed too many", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const first = yield* lane.commit(minutes(0, 5000))
    expect((yield* candlePage(lane, "1m", 0, 1000)).frames?.length).toBe(5000)
    const many = yield* lane.commit(minutes(5000, 10_001))
    const newest = yield* lane.commit(minutes(10_001, 10_003))
    const refused = { oldestSeq: many, frames: null, complete: true, seq: newest }
    for (const from of [0, first, many - 1]) {
      expect(yield* candlePage(lane, "1m", from, 1000)).toEqual(refused)
    }
    const resumed = yield* candlePage(lane, "1m", many, 1000)
    expect(resumed).toMatchObject({ oldestSeq: many, complete: true, seq: newest })
    expect(bodies(resumed.frames)).toEqual((yield* candlesOf(lane, "1m")).slice(10_001))
    // of other intervals there are few
    const hours = yield* candlePage(lane, "1h", 0, 1000)
    expect(bodies(hours.frames)).toEqual(yield* candlesOf(lane, "1h"))
  }).pipe(Effect.scoped, Effect.runPromise))

it("resumes frames of an hour where minutes left, and says from where others can", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLaneThatKeeps({ raw: 2, minutes: 2 })
    const first = yield* lane.commit(minutes(0, 90))
    const day = 24 * 60
    const kept = yield* lane.commit(minutes(5 * day, 5 * day + 3))
    const refused = { oldestSeq: first, frames: null, complete: true, seq: kept }
    for (const tf of ["1m", "15m"]) {
      expect(yield* candlePage(lane, tf, 0, 1000)).toEqual(refused)
      const resumed = yield* candlePage(lane, tf, first, 1000)
      expect(bodies(resumed.frames)).toEqual(yield* candlesOf(lane, tf))
    }
    for (const tf of ["1h", "1d"]) {
      const all = yield* candlesOf(lane, tf)
      expect(all.length).toBeGreaterThan(1)
      expect(bodies((yield* candlePage(lane, tf, 0, 1000)).frames)).toEqual(all)
    }
  }).pipe(Effect.scoped, Effect.runPromise))

it("gives the candles of a pool as its page has them, of its token alone", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const since = yield* lane.commit(minutes(0, 3))
    yield* lane.commit(minutes(3, 90))
    const asked = { tf: "1m", from: 0, to: null, limit: 1e6, fill: false, ...plainCandles }
    const page = yield* lane.ask("candles", { ...asked, token: null, pool: POOL })
    const key = `pool:${POOL}::1m`
    const keys = [key, `pool:${POOL}:${TOKEN}:1h`, `pool:${POOL}:${DOLLAR}:1h`, `pool:${NONE}::1h`]
    const frames = yield* lane.frames(since, new Map([["candles", new Set(keys)]]))
    expect(bodies(frames.filter(frame => frame.key === key))).toEqual(page.candles.slice(3))
    const [hour] = frames.filter(frame => frame.key === keys[1])
    expect(JSON.parse(hour?.body ?? "{}")).toMatchObject({
      ...{ type: "candle", channel: "candles", token: TOKEN, pool: POOL, tf: "1h" }
    })
    expect(new Set(frames.map(frame => frame.key))).toEqual(new Set(keys.slice(0, 2)))
  }).pipe(Effect.scoped, Effect.runPromise))
