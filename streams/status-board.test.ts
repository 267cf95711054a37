import { expect, it } from "vitest"
import { StatusBoard } from "./status-board.ts"

it("tells how long the last reorganisation took, once it is made up for", () => {
  const board = new StatusBoard("evm-rpc", "a node")
  const told = () => {
    const { reorgs, lastReorgDepth, lastReorgRecoveryMs } = board.read()
    return [reorgs, lastReorgDepth, lastReorgRecoveryMs]
  }
  board.reached(12, 50)
  expect(told()).toEqual([0, null, null])
  board.reorged(3, 12, 100)
  board.reached(11, 140)
  expect(told()).toEqual([1, 3, null])
  // another one before the first is made up for
  board.reorged(1, 11, 150)
  board.reached(11, 160)
  expect(told()).toEqual([2, 1, null])
  board.reached(13, 175)
  expect(told()).toEqual([2, 1, 75])
  board.reached(14, 900)
  expect(told()).toEqual([2, 1, 75])
  board.reorged(2, 14, 1000)
  expect(told()).toEqual([3, 2, null])
})
