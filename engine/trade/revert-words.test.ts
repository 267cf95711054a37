import { encodeErrorResult, parseAbi } from "viem"
import { expect, it } from "vitest"
import { revertWords } from "./revert-words.ts"

const abi = parseAbi([
  "error Error(string message)",
  "error TransferFailed(address token, bytes data)"
])

it("shows of a contract's words what is fit to be shown", () => {
  const told = (message: string) =>
    revertWords(encodeErrorResult({ abi, errorName: "Error", args: [message] }))
  expect(told("TradingNotOpen")).toBe("TradingNotOpen")
  expect(told("a\nb\u202ec\u0000")).toBe("a b c ")
  expect(told("x".repeat(400_000))).toBe("x".repeat(200))
  const args = [`0x${"aa".repeat(20)}`, `0x${"11".repeat(9000)}`] as const
  const failed = revertWords(encodeErrorResult({ abi, errorName: "TransferFailed", args }))
  expect([failed.slice(0, 15), failed.length]).toEqual(["TransferFailed(", 200])
})
