import { describe, expect, it } from "vitest"
import {
  firstChoice,
  NATIVE,
  nativeOf,
  orderOf,
  readSlippage,
  slippageText,
  turned,
  withToken
} from "./swap-order.js"

const [WETH, USDC, TOKEN] = ["aa", "bb", "cc"].map(byte => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string
]
const base = {
  ...{ id: 8453, key: "base", name: "Base", hasKeyedTape: true, explorer: null },
  native: { symbol: "ETH", decimals: 18 },
  nativeToken: WETH,
  anchors: [
    { address: USDC, kind: "usd" },
    { address: WETH, kind: "native" }
  ]
} as const
const arc = { ...base, id: 5042, key: "arc", anchors: [{ address: USDC, kind: "usd" }] } as const
const usual = { amount: "", slippageBps: 50 }

describe("what a swap begins with", () => {
  it("buys the token on show with the native unit, or with the first anchor", () => {
    expect(firstChoice(base, TOKEN)).toEqual({ pay: NATIVE, receive: TOKEN, ...usual })
    expect(firstChoice(base, USDC)).toEqual({ pay: NATIVE, receive: USDC, ...usual })
    expect(firstChoice(base, WETH)).toEqual({ pay: USDC, receive: WETH, ...usual })
    expect(firstChoice(arc, TOKEN)).toEqual({ pay: USDC, receive: TOKEN, ...usual })
    expect(firstChoice(arc, USDC)).toBeNull()
  })

  it("has the native unit where it is no token itself", () => {
    expect(nativeOf(base)).toMatchObject({ address: NATIVE, symbol: "ETH", decimals: 18 })
    expect(nativeOf(arc)).toBeNull()
  })
})

describe("a choice", () => {
  const choice = { pay: USDC, receive: TOKEN, amount: "12.5", slippageBps: 100 }

  it("keeps the amount with the token it is of", () => {
    expect(withToken(choice, "receive", WETH)).toEqual({ ...choice, receive: WETH })
    expect(withToken(choice, "pay", WETH)).toEqual({ ...choice, pay: WETH, amount: "" })
    expect(turned(choice)).toEqual({ ...choice, pay: TOKEN, receive: USDC, amount: "" })
    expect(withToken(choice, "pay", TOKEN)).toEqual(turned(choice))
  })

  it("becomes an order in raw units", () => {
    expect(orderOf(base, choice, 6)).toEqual({
      ok: true,
      order: {
        ...{ chain: 8453, inputMint: USDC, outputMint: TOKEN },
        ...{ amount: "12500000", slippageBps: 100 }
      }
    })
    expect(orderOf(base, { ...choice, amount: " " }, 6)).toBeNull()
    expect(orderOf(base, choice, 0)).toEqual({
      ok: false,
      problem: "This token has 0 decimals, and no more."
    })
  })

  it("reads slippage as percent", () => {
    const texts = ["0.5", "50", "0.01", "1.25", "3", "0", "50.01", "0.001", "", "x", "-1", "1e1"]
    expect(texts.map(readSlippage)).toEqual([
      ...[50, 5000, 1, 125, 300, null, null],
      ...[null, null, null, null, null]
    ])
    expect([50, 5000, 1, 125].map(slippageText)).toEqual(["0.5", "50", "0.01", "1.25"])
  })
})
