import { expect, it } from "vitest"
import { nearPath } from "./near-path.ts"

const DECLARED = [
  "/v1/candles",
  "/v1/candles/proof",
  "/v1/arc/token/:address",
  "/v1/arc/token/:address/trades",
  "/v1/chains/:chain/tokens",
  "/v1/quote"
]

it("finds the path of which one segment is mistyped, with the parameters that were given", () => {
  expect(nearPath("/v1/candle", DECLARED)).toBe("/v1/candles")
  expect(nearPath("/v1/candles/prof", DECLARED)).toBe("/v1/candles/proof")
  const address = `0x${"ab".repeat(20)}`
  expect(nearPath(`/v1/arc/token/${address}/trade`, DECLARED)).toBe(
    `/v1/arc/token/${address}/trades`
  )
  expect(nearPath("/v1/chains/base/token", DECLARED)).toBe("/v1/chains/base/tokens")
  expect(nearPath("/v2/candles", DECLARED)).toBe("/v1/candles")
})

it("finds none where two are, or none is near", () => {
  expect(nearPath("/v2/candle", DECLARED)).toBeUndefined()
  expect(nearPath("/v1/nope", DECLARED)).toBeUndefined()
  expect(nearPath("/v1/lp/token/0xab", DECLARED)).toBeUndefined()
  expect(nearPath("/v1", DECLARED)).toBeUndefined()
  expect(nearPath("/", DECLARED)).toBeUndefined()
})
