import { expect, it } from "vitest"
import { type JsonObject, QuoteSeal } from "./quote-seal.ts"

const seal = new QuoteSeal(new Uint8Array(32).fill(7))
const plain = {
  chain: 8453,
  inputMint: "0x01",
  slippageBps: 50,
  outputAmount: "123",
  gasCostUSD: null,
  routePlan: [{ percent: 100, swapInfo: { dex: "a", inputAmount: "5" } }]
}
const quote = { ...plain, quoteId: seal.idOf("quote", plain) }

it("knows a quote as it was given, in whatever order its fields come", () => {
  expect(seal.check("quote", quote)).toEqual({ ok: true, slippageBps: 50 })
  const turned = Object.fromEntries(Object.entries(quote).reverse()) as JsonObject
  expect(seal.check("quote", JSON.parse(JSON.stringify(turned)))).toEqual({
    ok: true,
    slippageBps: 50
  })
})

it("tells the slippage that a quote was given with, also where the echo says another or none", () => {
  const { slippageBps: _, ...without } = quote
  expect(seal.check("quote", without)).toEqual({ ok: true, slippageBps: 50 })
  expect(seal.check("quote", { ...quote, slippageBps: 60 })).toEqual({ ok: true, slippageBps: 50 })
})

it("refuses a quote of which any field was edited, added or left out", () => {
  const [leg] = plain.routePlan
  const edited: ReadonlyArray<JsonObject> = [
    { ...quote, chain: 1 },
    { ...quote, inputMint: "0x02" },
    { ...quote, outputAmount: "124" },
    { ...quote, gasCostUSD: "0" },
    { ...quote, routePlan: [] },
    { ...quote, routePlan: [{ ...leg, percent: 99 } as JsonObject] },
    { ...quote, more: 1 },
    { ...quote, quoteId: quote.quoteId.replace("50", "51") },
    { ...quote, quoteId: `${quote.quoteId}x` },
    { ...quote, quoteId: `${quote.quoteId}.` },
    { ...quote, quoteId: `0${quote.quoteId}` },
    { ...quote, quoteId: ` ${quote.quoteId}` },
    { ...quote, quoteId: "" },
    { ...quote, quoteId: 5 },
    {}
  ]
  for (const one of edited)
    expect(seal.check("quote", one)).toEqual({ ok: false, reason: "edited" })
  const { outputAmount: _, ...less } = quote
  expect(seal.check("quote", less)).toEqual({ ok: false, reason: "edited" })
  // as it was given, by another route
  expect(seal.check("meta-quote", quote)).toEqual({ ok: false, reason: "edited" })
  const other = new QuoteSeal(new Uint8Array(32).fill(8))
  expect(other.check("quote", quote)).toEqual({ ok: false, reason: "edited" })
})
