import { describe, expect, it } from "vitest"
import { mergeCandles, putCandle, replaceFrom, summarizeDay } from "./candle-list.js"

const candle = (t: number, c = t, rest = {}) => ({ t, o: c, h: c, l: c, c, v: 1, n: 1, ...rest })
const closes = (candles: ReadonlyArray<{ t: number; c: number }>) =>
  candles.map(({ t, c }) => [t, c])

describe("a list of candles", () => {
  it("merges, the second list's buckets counting", () => {
    const merged = mergeCandles([candle(60), candle(120)], [candle(120, 5), candle(180)])
    expect(closes(merged)).toEqual([
      [60, 60],
      [120, 5],
      [180, 180]
    ])
  })

  it("puts a bucket last, in place of the last, or where it belongs", () => {
    const list = [candle(60), candle(180)]
    expect(closes(putCandle(list, candle(240))).at(-1)).toEqual([240, 240])
    expect(closes(putCandle(list, candle(180, 7)))).toEqual([
      [60, 60],
      [180, 7]
    ])
    expect(putCandle(list, candle(120)).map(({ t }) => t)).toEqual([60, 120, 180])
    expect(putCandle([], candle(60)).map(({ t }) => t)).toEqual([60])
    expect(list.map(({ t }) => t)).toEqual([60, 180])
  })

  it("takes a page read anew as the truth from its start on", () => {
    const list = [candle(60), candle(120), candle(180)]
    const page = { from: 120, candles: [candle(120, 1)] }
    expect(closes(replaceFrom(list, page))).toEqual([
      [60, 60],
      [120, 1]
    ])
  })
})

describe("the last day", () => {
  const now = 200_000
  const start = now - 86_400

  it("is measured from the last close before it", () => {
    const candles = [
      candle(start - 900, 10),
      candle(start - 1, 8),
      candle(start, 9, { h: 12, l: 7, v: 100, n: 3 }),
      candle(now - 900, 11, { v: 50, n: 2 })
    ]
    expect(summarizeDay(candles, now)).toEqual({
      closeBefore: 8,
      since: null,
      high: 12,
      low: 7,
      volumeUsd: 150,
      trades: 5
    })
  })

  it("says since when it is known where the market is younger", () => {
    const { closeBefore, since } = summarizeDay([candle(start + 900)], now)
    expect([closeBefore, since]).toEqual([null, start + 900])
  })

  it("is empty without trades", () => {
    expect(summarizeDay([], now)).toEqual({
      closeBefore: null,
      since: null,
      high: null,
      low: null,
      volumeUsd: 0,
      trades: 0
    })
  })
})
