/** What the progress of history says where nobody answers. */
import { expect, it } from "vitest"
import { HistoryProgress } from "./history-progress.ts"

it("says that reading stands still, until a block is read or a part begins", () => {
  const progress = new HistoryProgress("oldest", { fromBlock: 1, toBlock: 100 }, 100)
  progress.begins(0)
  const still = "no block of it could be read for 20 s: what is asked for is not answered"
  expect(progress.status(19_999).problem).toBeNull()
  expect(progress.status(20_000).problem).toBe(still)
  progress.at(7, 21_000)
  expect(progress.status(40_999).problem).toBeNull()
  // the same number is no block more
  progress.at(7, 40_999)
  expect(progress.status(41_000).problem).toBe(still)
  progress.begins(41_000)
  expect(progress.status(60_999).problem).toBeNull()
  expect(progress.status(61_000).problem).toBe(still)
  progress.problem = "the node refused it"
  expect(progress.status(61_000).problem).toBe("the node refused it")
  progress.problem = null
  progress.pauses()
  progress.state = "placing"
  expect(progress.status(90_000).problem).toBeNull()
  // nor where the next try is waited for
  progress.state = "reading"
  expect(progress.status(90_000).problem).toBeNull()
})
