import { describe, expect, it } from "vitest"
import { Problem } from "../../client/retry.js"
import { NO_ROUTE_REASONS } from "../../engine/trade/no-route.ts"
import { Simulation } from "../groups/trade/swap.api.ts"
import {
  causeWords,
  impactGrade,
  impactText,
  noRouteWords,
  problemWords,
  walletWords,
  warningsOf
} from "./swap-words.js"
import type { Quote } from "./types.d.ts"

const leg = {
  percent: 100,
  swapInfo: {
    ...{ dex: "uniswap_v2", pool: "0x1", inputMint: "0xa", outputMint: "0xb" },
    ...{ inputAmount: "1", outputAmount: "2", adapter: "0x1", extraData: "0x" }
  }
}
const quote = (more: Partial<Quote>): Quote => ({
  ...{ chain: 8453, inputMint: "0xa", outputMint: "0xb", inputAmount: "1", outputAmount: "9" },
  ...{ otherAmountThreshold: "8", slippageBps: 50, priceImpactPct: "0", routePlan: [leg] },
  ...{ routerLegs: "0x", gasEstimate: "0", gasCostUSD: null, blockNumber: 1, seq: 1, expiresAt: 0 },
  ...more
})

describe("words", () => {
  it("are there for every reason for which a quote has no route", () => {
    expect(noRouteWords(quote({}))).toBeNull()
    const words = NO_ROUTE_REASONS.map(noRouteReason =>
      noRouteWords(quote({ routePlan: [], noRouteReason }))
    )
    expect(new Set(words).size).toBe(NO_ROUTE_REASONS.length)
    expect(words.filter(text => text?.startsWith("No route:"))).toEqual([])
    expect(noRouteWords(quote({ routePlan: [], noRouteReason: "new-one" as "thin" }))).toBe(
      "No route: new-one"
    )
  })

  it("are there for every cause of a revert", () => {
    const { cause } = Simulation.fields
    const causes = cause.members[0].literals
    const told = causes.map(each =>
      causeWords({ ok: false, outputAmount: null, revert: "x\u202e<b>", cause: each, assumed: [] })
    )
    expect(new Set(told).size).toBe(causes.length)
    expect(told.filter(text => text.startsWith("It would fail"))).toEqual(["It would fail: x<b>"])
  })

  it("warn of what an order does to the price", () => {
    const impacts = ["0", "0.004", "1.236", "3", "14.665241"]
    const quotes = impacts.map(priceImpactPct => quote({ priceImpactPct }))
    expect(quotes.map(impactText)).toEqual([
      "0.00 %",
      "below 0.01 %",
      "1.24 %",
      "3.00 %",
      "14.67 %"
    ])
    expect(quotes.map(impactGrade)).toEqual(["plain", "plain", "plain", "warn", "severe"])
    expect(warningsOf(quote({ priceImpactPct: "3", warnings: ["old\u0007 block"] }))).toEqual([
      "The order moves the price: it gets 3.00 % less than a small one would.",
      "old block"
    ])
  })

  it("say what a wallet's refusal means, whatever it throws", () => {
    expect(walletWords({ code: 4001 }, "Base")).toBe("The wallet refused. Nothing was sent.")
    expect(walletWords({ code: 4902 }, "Base")).toBe(
      "The wallet does not know Base. Add it there first."
    )
    expect(walletWords({ code: -32002 }, "Base")).toBe(
      "The wallet still asks you something. Answer it there first."
    )
    expect(walletWords(new Error("out of\ngas"), "Base")).toBe("The wallet says: out of gas")
    expect(walletWords(null, "Base")).toBe("The wallet says: null")
    expect(walletWords("no", "Base")).toBe("The wallet says: no")
    for (const wordless of [{}, Object.create(null), { message: 7 }]) {
      expect(walletWords(wordless, "Base")).toBe("The wallet says: no reason")
    }
  })

  it("say why there is no quote", () => {
    expect(problemWords(new Problem("QUOTE_EXPIRED", "x"))).toBe(
      "The quote has expired. A new one is being fetched."
    )
    expect(problemWords(new Problem("NOT_ENABLED", "this server runs no router"))).toBe(
      "this server runs no router."
    )
  })
})
