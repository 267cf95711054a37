import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { Problem } from "../../client/retry.js"
import { QuoteFeed } from "./quote-feed.js"
import type { Quote, SwapOrder } from "./types.d.ts"

const orderOf = (amount: string): SwapOrder => ({
  ...{ chain: 8453, inputMint: "0xa", outputMint: "0xb", amount, slippageBps: 50 }
})

/** What a quote of an amount is, for these tests: its order's amount, at a position. */
const quoteOf = (amount: string, seq: number): Quote => ({
  ...{ chain: 8453, inputMint: "0xa", outputMint: "0xb", inputAmount: amount, outputAmount: "9" },
  ...{ otherAmountThreshold: "8", slippageBps: 50, priceImpactPct: "0", routePlan: [] },
  ...{ routerLegs: null, gasEstimate: "0", gasCostUSD: null, blockNumber: 1, seq, expiresAt: 0 }
})

const LIFE_MS = 30_000

const startFeed = () => {
  const asked: Array<{
    readonly amount: string
    readonly signal: AbortSignal
    readonly give: (quote: Quote) => void
    readonly fail: (problem: Problem) => void
  }> = []
  const told: Array<string> = []
  const hidden = { is: false }
  const feed = new QuoteFeed({
    load: (order, signal) =>
      new Promise((resolve, reject) => {
        asked.push({
          amount: order.amount,
          signal,
          give: quote => resolve({ quote, lifeMs: LIFE_MS }),
          fail: reject
        })
      }),
    onChange: ({ order, quote, isExpired, problem }) =>
      told.push(
        [order?.amount, quote?.inputAmount, quote?.seq, isExpired && "expired", problem?.code]
          .map(each => each || "-")
          .join(" ")
      ),
    isHidden: () => hidden.is
  })
  return { feed, asked, told, hidden }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe("quotes of an order", () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it("are asked once nothing was typed for a moment", async () => {
    const { feed, asked, told } = startFeed()
    for (const amount of ["1", "12", "123"]) {
      feed.ask(orderOf(amount))
      await pass(100)
    }
    expect(asked).toHaveLength(0)
    await pass(150)
    expect(asked.map(({ amount }) => amount)).toEqual(["123"])
    feed.ask(orderOf("123"))
    asked[0]?.give(quoteOf("123", 7))
    await pass(0)
    expect(told).toEqual(["1 - - - -", "12 - - - -", "123 - - - -", "123 123 7 - -"])
    feed.ask(null)
  })

  it("are dropped where another order is wanted by then", async () => {
    const { feed, asked, told } = startFeed()
    feed.ask(orderOf("1"))
    await pass(250)
    feed.ask(orderOf("2"))
    await pass(250)
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false])
    asked[1]?.give(quoteOf("2", 7))
    asked[0]?.give(quoteOf("1", 9))
    await pass(0)
    feed.ask(null)
    expect(told).toEqual(["1 - - - -", "2 - - - -", "2 2 7 - -", "- - - - -"])
  })

  it("are asked again before they expire, and when the chain has moved on", async () => {
    const { feed, asked } = startFeed()
    feed.moved(7)
    feed.ask(orderOf("1"))
    await pass(250)
    asked[0]?.give(quoteOf("1", 7))
    await pass(24_500)
    expect(asked).toHaveLength(1)
    await pass(750)
    expect(asked).toHaveLength(2)
    asked[1]?.give(quoteOf("1", 7))
    await pass(0)
    feed.moved(8)
    await pass(4500)
    expect(asked).toHaveLength(2)
    await pass(750)
    expect(asked).toHaveLength(3)
    feed.ask(null)
  })

  it("are not asked again while nobody looks, or a wallet is being asked", async () => {
    const { feed, asked, told, hidden } = startFeed()
    feed.ask(orderOf("1"))
    await pass(250)
    asked[0]?.give(quoteOf("1", 7))
    await pass(0)
    feed.moved(8)
    hidden.is = true
    await pass(20_000)
    hidden.is = false
    feed.hold(true)
    await pass(20_000)
    expect(asked).toHaveLength(1)
    expect(told.at(-1)).toBe("1 1 7 expired -")
    feed.hold(false)
    await pass(250)
    expect(asked).toHaveLength(2)
    feed.ask(null)
  })

  it("go on after a failure, but not after a refusal of the order itself", async () => {
    const { feed, asked, told } = startFeed()
    feed.ask(orderOf("1"))
    await pass(250)
    asked[0]?.fail(new Problem("NOT_READY", "not yet", { status: 503 }))
    await pass(1000)
    expect(told.at(-1)).toBe("1 - - - NOT_READY")
    asked[1]?.give(quoteOf("1", 7))
    await pass(0)
    expect(told.at(-1)).toBe("1 1 7 - -")
    feed.again()
    await pass(250)
    asked[2]?.fail(new Problem("INVALID_PARAMS", "no", { status: 400 }))
    await pass(60_000)
    expect(asked).toHaveLength(3)
    expect(told.slice(-2)).toEqual(["1 1 7 - INVALID_PARAMS", "1 1 7 expired INVALID_PARAMS"])
  })
})
