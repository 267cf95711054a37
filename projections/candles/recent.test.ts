import { expect, it } from "vitest"
import { RecentCandles } from "./recent.ts"
import { type TimeFrame, timeFrames } from "./time-frame.ts"

const minute = timeFrames["1m"] as TimeFrame
const quarter = timeFrames["15m"] as TimeFrame

const row = (t: number, price: number) => Float64Array.of(t, price, price, price, price, 1e6, 1)

const prices = (recent: RecentCandles, token: number, from: number, to: number) =>
  recent.between(minute, token, from, to)?.map(({ c }) => c)

it("shows rows from the commit on", () => {
  const recent = new RecentCandles()
  recent.take("candles_1m", 3, true, row(60, 1), 0)
  expect(prices(recent, 3, 0, 600)).toEqual([])
  recent.commit()
  expect(prices(recent, 3, 0, 600)).toEqual([1])
  recent.take("candles_1m", 3, false, row(60, 2), 0)
  recent.take("candles_1m", 3, false, row(120, 3), 0)
  expect(prices(recent, 3, 0, 600)).toEqual([1])
  recent.commit()
  expect(prices(recent, 3, 0, 600)).toEqual([2, 3])
})

it("knows from when on it holds a token that traded before, or more than it keeps", () => {
  const recent = new RecentCandles()
  recent.take("candles_1m", 0, false, row(1200, 1), 0)
  recent.commit()
  expect(prices(recent, 0, 1199, 6000)).toBeUndefined()
  expect(prices(recent, 0, 1200, 6000)).toEqual([1])
  // one transaction of 3,000 minutes
  for (let i = 1; i <= 3000; i++) {
    recent.take("candles_1m", 0, false, row(1200 + 60 * i, i), 0)
  }
  recent.commit()
  const end = 1200 + 60 * 3001
  const from = end - 60 * 1024
  expect(prices(recent, 0, from, end)).toHaveLength(1024)
  expect(prices(recent, 0, from, from + 60)).toEqual([3000 - 1023])
  expect(prices(recent, 0, 1200, end)).toBeUndefined()
  const wide = recent.between(quarter, 0, end - 900 * 20, end)
  expect(wide).toHaveLength(20)
  expect(wide?.[0]).toEqual({ t: 163_800, o: 2710, h: 2724, l: 2710, c: 2724, v: 15, n: 15 })
  expect(recent.between(quarter, 0, 900, end)).toBeNull()
})

it("forgets the quietest tokens first, those that readers want last", () => {
  // a block of eight rows for each token
  const recent = new RecentCandles(80)
  for (let token = 0; token < 10; token++) {
    recent.take("candles_1m", token, true, row(60 * (token + 1), token), 0)
    recent.commit()
  }
  expect(prices(recent, 0, 0, 60 * 20)).toEqual([0])
  recent.take("candles_1m", 10, true, row(60 * 11, 10), 0)
  recent.commit()
  const held = Array.from({ length: 11 }, (_, token) => prices(recent, token, 0, 60 * 20))
  // 88 rows are too many, 68 are left at most
  expect(held.map(one => one !== undefined)).toEqual([
    ...[true, false, false, false],
    ...[true, true, true, true, true, true, true]
  ])
})
