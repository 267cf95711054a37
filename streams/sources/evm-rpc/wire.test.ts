/** What is no answer of a node, whatever else it tells. */
import { expect, it } from "vitest"
import { readHeader } from "./wire.ts"

const hash = `0x${"ab".repeat(32)}`
const headerOf = (time: number) => ({
  ...{ number: "0x10", hash, parentHash: hash, transactions: [] },
  timestamp: `0x${Math.floor(time).toString(16)}`
})

it("a block is not of the future, but for clocks that differ a little", () => {
  const now = Math.floor(Date.now() / 1000)
  expect(readHeader(headerOf(now + 600))).toMatchObject({ number: 16, time: now + 600 })
  expect(readHeader(headerOf(now + 1_200))).toBeNull()
})
