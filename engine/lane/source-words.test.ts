import { expect, it } from "vitest"
import type { SourceStatus } from "../../streams/source.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { withSourceWords } from "./source-words.ts"

it("warns of what the source warns of, after what the tables do", () => {
  const { state } = new FakeLane(chainConfig(8453, "base"))
  const source = { ...(state.source as SourceStatus), warnings: ["the chain replaced much"] }
  const status = { ...state, source, warnings: ["one"] }
  expect(withSourceWords(status, { id: 8453 }).warnings).toEqual(["one", "the chain replaced much"])
  expect(withSourceWords({ ...status, source: null }, { id: 8453 }).warnings).toEqual(["one"])
})
