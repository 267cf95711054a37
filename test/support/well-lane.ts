/** A lane in no trouble, and what a part of it may be instead. */
import type { LaneFacts } from "../../engine/lane/lane-health.ts"
import type { LaneStatus } from "../../engine/lane/status.ts"
import type { SourceStatus } from "../../streams/source.ts"
import { chainConfig, FakeLane } from "./fake-lanes.ts"

export const NOW = 1_800_000_000_000
const chain = chainConfig(8453, "base")
const { state } = new FakeLane(chain)
export const status: LaneStatus = {
  ...state,
  source: { ...(state.source as SourceStatus), emittedBlock: 103, headToldMs: NOW },
  blockTime: NOW / 1000 - 2,
  block: 100,
  gaps: []
}
export const source = status.source as SourceStatus

export const well: LaneFacts = {
  status,
  chain: { id: 8453 },
  blockTimeMs: 2000,
  nowMs: NOW,
  laneSilentMs: 0,
  tablesSilentMs: 0,
  sourceSilentMs: 0,
  serverSilentMs: 0,
  sourceFailure: null,
  sourceTroubleMs: 0,
  sourceCalmMs: 100_000,
  sourceLivedMs: 100_000,
  headKnownMs: 100_000,
  unreadMs: 0,
  blockStillMs: 0,
  stuckMs: 0,
  gapMs: 0,
  logProblem: null
}

export const ofSource = (change: Partial<SourceStatus>): LaneFacts => ({
  ...well,
  status: { ...status, source: { ...source, kind: "evm-rpc", description: "node:1", ...change } }
})

export const ofLane = (change: Partial<LaneStatus>): LaneFacts => ({
  ...well,
  status: { ...status, ...change }
})
