/** Computes how fresh and how deep a chain's index is. */
import { isStale as isOld } from "../../../engine/lane/lane-health.ts"
import type { Lane } from "../../../engine/lane/lanes.ts"
import type { LaneStatus } from "../../../engine/lane/status.ts"
import { shownChain } from "../../../src/domain/shown-chain.ts"
import { BACKFILL_GAP } from "../../../streams/source.ts"
import { toldAssurance } from "../told-assurance.ts"
import type { FamilyStatus } from "./boards.api.ts"

/** Returns true where the newest block is too old for the chain's pace; false for a history. */
export const isStale = (lane: Lane, nowSeconds: number): boolean => {
  const { blockTime, state } = lane.status()
  return state !== "history" && isOld(blockTime, lane.config.blockTimeMs, nowSeconds * 1000)
}

/** Returns true where blocks up to the end of the backfilled history are missing or uncounted. */
const lacksHistory = (lane: Lane): boolean => {
  const { source, gaps, assurance } = lane.status()
  // Gaps are not counted yet while `assurance` is null, so there may be some.
  const last = source?.history?.toBlock ?? 0
  return assurance === null || gaps.some(({ fromBlock }) => fromBlock <= last)
}

/** Returns true where no block of the wanted past is left to read or prove. */
export const isBackfilled = (lane: Lane): boolean => {
  const { source, state, gaps, assurance } = lane.status()
  if (state === "history") {
    return assurance !== null && gaps.every(({ reason }) => reason !== BACKFILL_GAP)
  }
  if (lane.config.simulated === true) return assurance !== null && gaps.length === 0
  return source?.history?.state === "done" && !lacksHistory(lane)
}

/** What a lane's parts tell; the router tells the rest. */
export const familyStatus = (
  lane: Lane,
  nowSeconds: number,
  at: LaneStatus["counted"] = lane.status().counted
): Omit<FamilyStatus, "quotes"> => {
  const { config } = lane
  const status = lane.status()
  const { source } = status
  const { seq, block, blockTime } = at
  const { ok, state, problem } = lane.health()
  const head = source?.headBlock ?? null
  return {
    chain: shownChain(config),
    key: config.key,
    ok,
    state,
    problem,
    indexedToBlock: block,
    blockTime,
    blockAgeS:
      blockTime === null || status.state === "history"
        ? null
        : Math.max(0, Math.round((nowSeconds - blockTime) * 10) / 10),
    lagBlocks: head === null || block === null ? null : Math.max(0, head - block),
    seq,
    events: status.events,
    swaps: status.swaps,
    gaps: status.gaps.map(({ fromBlock, toBlock, reason }) => ({ fromBlock, toBlock, reason })),
    assurance: toldAssurance(status),
    backfill:
      source?.history === null || source?.history === undefined
        ? null
        : {
            fromBlock: source.history.fromBlock,
            toBlock: source.history.toBlock,
            complete: source.history.state === "done" && !lacksHistory(lane)
          },
    retentionCutoffDay: status.retentionCutoffDay,
    minutesCutoffDay: status.minutesCutoffDay,
    updatedAt: Math.floor(nowSeconds * 1000)
  }
}
