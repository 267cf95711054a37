/** Builds a lane's row for `/v1/status`, `/v1/health/chains` and `/metrics`. */
import { staleAfterMs } from "../../../engine/lane/lane-health.ts"
import type { Lane } from "../../../engine/lane/lanes.ts"
import { shownChain } from "../../../src/domain/shown-chain.ts"
import type { SourceStatus } from "../../../streams/source.ts"
import type { LaneRow } from "./status.api.ts"

const difference = (newest: number | null | undefined, own: number | null): number | null =>
  newest === null || newest === undefined || own === null ? null : Math.max(0, newest - own)

/**
 * Returns what the row says of a source; what it warns of is among the lane's warnings, and what
 * did not fit in the lane's problem.
 */
const sourceOf = (
  {
    warnings: _,
    warned: __,
    disputed: ___,
    unfit: ____,
    headToldMs: _____,
    ...source
  }: SourceStatus,
  state: SourceStatus["state"]
): LaneRow["source"] => ({ ...source, state })

/** Returns a lane's row. `lag` is how far its tables are behind log, chain head and clock. */
export const laneRow = (lane: Lane, nowMs: number): LaneRow => {
  const { counted, ...told } = lane.status()
  // one position for all that the row tells
  const status = { ...told, ...counted }
  const { config } = lane
  const { ok, state, problem, sourceState } = lane.health()
  const { source } = status
  const isAging = status.blockTime !== null && status.state !== "history"
  const ageSeconds = isAging ? nowMs / 1000 - (status.blockTime ?? 0) : null
  return {
    ...status,
    ok,
    state,
    problem,
    // A hung source's own state is outdated, so the lane's health decides.
    source: source === null ? null : sourceOf(source, sourceState ?? source.state),
    id: shownChain(config),
    chain: config.key,
    name: config.name,
    simulated: config.simulated === true,
    log: lane.log(),
    lag: {
      events: Math.max(0, status.logSeq - status.seq),
      blocks: difference(source?.headBlock, status.block),
      seconds: ageSeconds === null ? null : Math.max(0, Math.round(ageSeconds * 10) / 10),
      staleAfterSeconds: staleAfterMs(config.blockTimeMs) / 1000
    },
    venueChecks: config.venueChecks ?? [],
    routerChecks: config.routerChecks ?? []
  }
}
