import { describe, expect, it } from "vitest"
import { testChain } from "../../test/support/chain-config.ts"
import { protectedSymbols, readAs } from "./impostor.ts"
import { rulesOf, washRuleOf } from "./rule-sets.ts"

describe("wash rules", () => {
  const ruleOf = (known: number, knownUsd: number, makers: number) =>
    washRuleOf({ known, knownUsd, makers }, rulesOf(testChain))?.id ?? null

  it("count swaps for each wallet", () => {
    expect(ruleOf(501, 0, 5)).toBe("wash-trades")
    expect(ruleOf(500, 0, 5)).toBeNull()
    expect(ruleOf(599, 0, 6)).toBeNull()
    expect(ruleOf(600, 0, 6)).toBe("wash-trades")
  })

  it("count dollars and swaps for each wallet", () => {
    expect(ruleOf(60, 1_000_000, 2)).toBe("wash-volume")
    expect(ruleOf(60, 999_999, 2)).toBeNull()
    expect(ruleOf(59, 1_000_000, 2)).toBeNull()
    expect(ruleOf(90, 1_499_999, 3)).toBeNull()
  })

  it("say nothing of swaps whose wallets are unknown", () => {
    expect(ruleOf(0, 0, 0)).toBeNull()
  })
})

describe("symbols", () => {
  it("are the same where people read them alike", () => {
    const alike = ["USDC", "usdc", "ＵＳＤＣ", "U S D C", "US\u200bDC", "ÚSDC", "UЅDС", "USD\u0421"]
    expect(alike.map(readAs)).toEqual(alike.map(() => "USDC"))
    expect(["USDCe", "USDC.e", "axlUSDC", "USD₮"].map(readAs)).toEqual([
      "USDCE",
      "USDC.E",
      "AXLUSDC",
      "USDT"
    ])
  })

  it("of anchors and the native unit are protected", () => {
    const found = protectedSymbols(testChain)
    for (const { symbol, address } of testChain.anchors) {
      expect(found.get(readAs(symbol))?.has(address)).toBe(true)
    }
    expect(found.has(readAs(testChain.native.symbol))).toBe(true)
    expect(found.has("PEPE")).toBe(false)
  })
})
