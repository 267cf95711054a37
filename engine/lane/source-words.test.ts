import { expect, it } from "vitest"
import type { HistoryStatus, SourceStatus } from "../../streams/source.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { withSourceWords } from "./source-words.ts"

it("warns of what the source warns of, after what the tables do", () => {
  const { state } = new FakeLane(chainConfig(8453, "base"))
  const source = { ...(state.source as SourceStatus), warnings: ["the chain replaced much"] }
  const status = { ...state, source, warnings: ["one"] }
  expect(withSourceWords(status, { id: 8453 }).warnings).toEqual(["one", "the chain replaced much"])
  expect(withSourceWords({ ...status, source: null }, { id: 8453 }).warnings).toEqual(["one"])
})

it("warns of history that nobody answers, unless blocks of it are told already", () => {
  const { state } = new FakeLane(chainConfig(8453, "base"))
  const history: HistoryStatus = {
    order: "oldest",
    state: "reading",
    ...{ fromBlock: 1, toBlock: 9, doneBlocks: 0, totalBlocks: 9 },
    ...{ blocksPerSecond: null, etaSeconds: null },
    problem: "no block of it could be read for 20 s",
    unread: []
  }
  const warnings = (more: object) =>
    withSourceWords(
      { ...state, source: { ...(state.source as SourceStatus), history: { ...history, ...more } } },
      { id: 8453 }
    ).warnings
  expect(warnings({})).toEqual(["history: no block of it could be read for 20 s"])
  expect(warnings({ problem: null })).toEqual([])
  expect(warnings({ unread: [{ fromBlock: 1, toBlock: 2, reason: "gone" }] })).not.toContain(
    "history: no block of it could be read for 20 s"
  )
})
