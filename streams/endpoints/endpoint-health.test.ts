import { expect, it } from "vitest"
import { EndpointHealth } from "./endpoint-health.ts"

it("counts what was asked before the last denial of the chain as the same denial", () => {
  const health = new EndpointHealth("node:1")
  // three calls side by side, the first answered at 20: one denial
  health.deniedChain(10, 20)
  health.deniedChain(11, 21)
  health.deniedChain(20, 30)
  expect(health.denials).toBe(1)
  // the one that counted was answered at 20, whatever came later: this is asked after it
  health.deniedChain(21, 40)
  expect(health.denials).toBe(2)
  health.deniedChain(40, 50)
  expect(health.denials).toBe(2)
  health.deniedChain(41, 51)
  expect(health.denials).toBe(3)
})

it("believes that a method is lacking for five minutes", () => {
  const health = new EndpointHealth("node:1")
  health.denies("eth_getBlockReceipts", 1_000)
  health.forgetDenials(300_999)
  expect(health.lacks("eth_getBlockReceipts")).toBe(true)
  expect(health.lacks("eth_getTransactionReceipt")).toBe(false)
  health.forgetDenials(301_000)
  expect(health.lacks("eth_getBlockReceipts")).toBe(false)
})
