import { describe, expect, it } from "vitest"
import { outcomeOf, sumTrades, type WalletTrade } from "./wallet-positions.ts"

const DAY = 86_400
const USD = 0
const TOKEN = 1

const trade = (over: Partial<WalletTrade>): WalletTrade => ({
  ...{ ts: 10 * DAY, token0: USD, token1: TOKEN, amount0: 100, amount1: 10 },
  ...{ bought0: false, usd: 100e6, unscaled: 0, flags: 0 },
  ...over
})
const sell = { bought0: true }
const sum = (list: ReadonlyArray<WalletTrade>, scale = 10) =>
  sumTrades(
    list,
    token => token !== USD,
    () => scale
  )
const outcome = (list: ReadonlyArray<WalletTrade>, price: number | null) => {
  const position = sum(list).positions.get(TOKEN)
  return position === undefined ? null : outcomeOf(position, price)
}

describe("a position", () => {
  it("is held at its average cost", () => {
    const list = [trade({}), trade({ usd: 300e6 }), trade({ ...sell, amount1: 5, usd: 150e6 })]
    expect(outcome(list, 30)).toEqual({
      ...{ partial: false, held: 15, heldUsd: 450 },
      ...{ realizedUsd: 50, unrealizedUsd: 150 }
    })
  })

  it("is closed where what was sold differs from what was bought in the last digits only", () => {
    const list = [
      trade({ amount1: 0.1 }),
      trade({ amount1: 0.2 }),
      trade({ ...sell, amount1: 0.30000000000000004, usd: 150e6 })
    ]
    for (const all of [list, [...list.slice(0, 2), trade({ ...sell, amount1: 0.3, usd: 150e6 })]]) {
      expect(outcome(all, 1)).toEqual({
        ...{ partial: false, held: 0, heldUsd: 0 },
        ...{ realizedUsd: -50, unrealizedUsd: 0 }
      })
    }
  })

  it("is partial where more was sold than bought", () => {
    expect(outcome([trade({}), trade({ ...sell, amount1: 10.1 })], 1)).toEqual({
      ...{ partial: true, held: 0, heldUsd: 0 },
      ...{ realizedUsd: null, unrealizedUsd: 0 }
    })
  })

  it("has no worth without a price, and no outcome without its cost", () => {
    expect(outcome([trade({})], null)).toMatchObject({ heldUsd: null, unrealizedUsd: null })
    expect(outcome([trade({ usd: null })], 2)).toMatchObject({ heldUsd: 20, unrealizedUsd: null })
    const half = trade({ ...sell, amount1: 5 })
    expect(outcome([trade({ usd: null }), half], 2)).toMatchObject({ realizedUsd: null })
    const unpriced = { ...half, usd: null }
    expect(outcome([trade({}), unpriced], 20)).toMatchObject({
      ...{ realizedUsd: null, heldUsd: 100, unrealizedUsd: 50 }
    })
  })
})

describe("a wallet's swaps", () => {
  it("count once each, for both tokens where none is money", () => {
    const traded = sum([trade({ token0: 2 }), trade({ token1: null }), trade({ usd: null })])
    expect([traded.trades, traded.usd, traded.unpriced]).toEqual([3, 200e6, 1])
    expect(traded.positions.get(2)).toMatchObject({ buys: 0, sells: 1, soldUsd: 100e6, sold: 100 })
    expect(traded.positions.get(TOKEN)).toMatchObject({ buys: 2, unpricedBuys: 1, bought: 20 })
    expect(traded.positions.has(USD)).toBe(false)
  })

  it("are in whole tokens once these can be told", () => {
    const list = [trade({ unscaled: 2, amount1: 100 }), trade({})]
    expect(sum(list).positions.get(TOKEN)?.bought).toBe(20)
    expect(sum([trade({ unscaled: 2 })], Number.NaN).positions.get(TOKEN)?.bought).toBe(10)
  })

  it("have no believed price where they are outliers", () => {
    const traded = sum([trade({ flags: 2 }), trade({ flags: 1 })])
    expect([traded.usd, traded.unpriced]).toEqual([0, 2])
    // of the other side alone: this token's print is believed
    expect(traded.positions.get(TOKEN)).toMatchObject({ unpricedBuys: 1, boughtUsd: 100e6 })
  })

  it("are a bot's from the 3,001st or the 301st token of a UTC day on", () => {
    const many = (count: number, ts: (i: number) => number) =>
      Array.from({ length: count }, (_, i) => trade({ ts: ts(i) }))
    const bot = (list: ReadonlyArray<WalletTrade>) => sum(list).likelyBot
    expect(bot(many(3000, () => 5 * DAY))).toBe(false)
    expect(bot(many(3001, () => 5 * DAY))).toBe(true)
    expect(bot(many(3001, i => (i === 0 ? 5 * DAY - 1 : 5 * DAY)))).toBe(false)
    const tokens = (count: number) =>
      Array.from({ length: count }, (_, i) => trade({ token1: i + 1 }))
    expect([bot(tokens(300)), bot(tokens(301))]).toEqual([false, true])
  })
})
