import { describe, expect, it } from "vitest"
import { mergeCandles, putCandle, replaceFrom } from "./candle-list.js"

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
