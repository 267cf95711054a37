import { expect, it } from "vitest"
import { isOfOther } from "./block-witness.ts"

const block = { number: 1000, hash: "0x01", time: 1_700_000_000 }
const TIME = 1_700_000_000n

it("knows the answers of another block, of the same second too", () => {
  expect(isOfOther([TIME, 1000n], block)).toBe(false)
  for (const [time, number] of [
    [TIME - 1n, 999n],
    [TIME + 2n, 1001n],
    [TIME, 999n],
    [TIME, 1001n],
    [TIME, 744n],
    [TIME - 1n, 1000n],
    [0n, 0n]
  ]) {
    expect(isOfOther([time as bigint, number as bigint], block)).toBe(true)
  }
})

it("goes by the time alone where contracts are told the numbers of another chain", () => {
  expect(isOfOther([TIME, 22_000_000n], block)).toBe(false)
  expect(isOfOther([TIME + 1n, 22_000_000n], block)).toBe(true)
})

it("is told nothing by a node that runs no code without a contract", () => {
  expect([null, [], [TIME]].map(answer => isOfOther(answer, block))).toEqual([false, false, false])
})
