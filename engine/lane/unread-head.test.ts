/** What is said of a lane that has no block yet, or has heard of none. */
import { expect, it } from "vitest"
import type { SourceStatus } from "../../streams/source.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { healthOf, type LaneFacts } from "./lane-health.ts"

const { state: status } = new FakeLane(chainConfig(8453, "base"))

const problemOf = (block: number | null, source: Partial<SourceStatus>, unreadMs = 0) => {
  const calm = { laneSilentMs: 0, tablesSilentMs: 0, sourceSilentMs: 0, serverSilentMs: 0 }
  const facts: LaneFacts = {
    ...{
      ...calm,
      chain: { id: 8453 },
      blockTimeMs: 2000,
      nowMs: 1_800_000_000_000,
      logProblem: null
    },
    ...{ sourceFailure: null, sourceTroubleMs: 0, sourceCalmMs: 100_000, sourceLivedMs: 100_000 },
    headKnownMs: 100_000,
    ...{ unreadMs, blockStillMs: 0, stuckMs: 0, gapMs: 0 },
    status: {
      ...{ ...status, block, blockTime: block === null ? null : 1_799_999_999, gaps: [] },
      source: { ...(status.source as SourceStatus), kind: "evm-rpc", endpoints: [], ...source }
    }
  }
  return healthOf(facts).problem
}

it("names no block where there is none", () => {
  const advice = "check RPC_8453 and that the node runs; it is asked again until it answers"
  const live = { state: "live", emittedBlock: null } as const
  expect(problemOf(null, { ...live, headBlock: 104 }, 4500)).toBe(
    `block 104 is there, and none could be read for 5 s; ${advice}`
  )
  expect(problemOf(null, { ...live, headBlock: null }, 4500)).toBe(
    `a newer block is there, and none could be read for 5 s; ${advice}`
  )
  const reading = "the chain's history is being read:"
  const history = { state: "backfill" } as const
  expect(problemOf(100, { ...history, headBlock: 189 })).toBe(`${reading} block 100 of 189`)
  expect(problemOf(null, { ...history, headBlock: 189 })).toBe(
    `${reading} no block is there yet, and the newest is 189`
  )
  expect(problemOf(100, { ...history, headBlock: null })).toBe(
    `${reading} block 100, and the newest is not known yet`
  )
  expect(problemOf(null, { ...history, headBlock: null })).toBe(
    `${reading} no block is there yet, and the newest is not known yet`
  )
})
