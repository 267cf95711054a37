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

it("names a socket that pushes nothing while others tell of heads", () => {
  const board = new StatusBoard("evm-rpc", "a node")
  const [silent, living] = ["silent:1", "living:1"].map(label => board.pushes(label))
  for (let block = 1; block <= 10; block++) {
    expect(board.read().warnings).toEqual([])
    living?.pushed(block)
    silent?.pushed(3)
    board.sawHead(block, 0)
    board.sawHead(block, 0)
  }
  silent?.pushed(3)
  board.sawHead(11, 0)
  const words = "silent:1 pushes no new blocks over its WebSocket: they are asked for instead"
  expect(board.read().warnings).toEqual([words])
  silent?.pushed(12)
  expect(board.read().warnings).toEqual([])
})

it("warns until the log is far enough, of the last three things at most", () => {
  const board = new StatusBoard("evm-rpc", "a node")
  board.warn("first", 50)
  board.warn("second", 30)
  expect(board.read().warnings).toEqual(["first", "second"])
  board.emitted(30, 0, 0)
  expect(board.read().warnings).toEqual(["first"])
  for (const text of ["third", "fourth", "fifth"]) board.warn(text, 50)
  expect(board.read().warnings).toEqual(["third", "fourth", "fifth"])
  board.emitted(50, 0, 0)
  expect(board.read().warnings).toEqual([])
})
