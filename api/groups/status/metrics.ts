/** Lanes and server counters in Prometheus' text format, version 0.0.4. */
import { LANE_STATES } from "../../../engine/lane/protocol.ts"
import type { Counters } from "../../counters.ts"
import type { LaneRow } from "./status.api.ts"

type Kind = "gauge" | "counter"

interface Sample {
  readonly labels?: { readonly [name: string]: string }
  readonly value: number | null
}

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")

const labelText = (labels: Sample["labels"] = {}): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

const metric = (name: string, kind: Kind, help: string, samples: ReadonlyArray<Sample>): string => {
  const known = samples.filter(sample => sample.value !== null)
  const lines = known.map(({ labels, value }) => `swaptape_${name}${labelText(labels)} ${value}\n`)
  return `# HELP swaptape_${name} ${help}\n# TYPE swaptape_${name} ${kind}\n${lines.join("")}`
}

const laneMetrics = (lanes: ReadonlyArray<LaneRow>): ReadonlyArray<string> => {
  const each = (name: string, kind: Kind, help: string, value: (row: LaneRow) => number | null) =>
    metric(
      name,
      kind,
      help,
      lanes.map(row => ({ labels: { chain: row.chain }, value: value(row) }))
    )
  const states = lanes.flatMap(({ chain, state }) =>
    LANE_STATES.map(each => ({ labels: { chain, state: each }, value: each === state ? 1 : 0 }))
  )
  const quarantined = lanes.flatMap(({ chain, quarantined }) =>
    quarantined.map(({ reason, count }) => ({ labels: { chain, reason }, value: count }))
  )
  return [
    metric("lane_state", "gauge", "1 for the state the lane is in", states),
    each("lane_seq", "gauge", "committed log position", row => row.seq),
    each("lane_log_seq", "gauge", "newest log position", row => row.logSeq),
    each("lane_block", "gauge", "newest committed block", row => row.block),
    each("lane_lag_events", "gauge", "log positions not yet committed", row => row.lag.events),
    each("lane_lag_blocks", "gauge", "blocks behind the source", row => row.lag.blocks),
    each("lane_lag_seconds", "gauge", "age of the newest block", row => row.lag.seconds),
    each("lane_events_total", "counter", "events folded", row => row.events),
    each("lane_swaps_total", "counter", "swaps folded", row => row.swaps),
    each("lane_rollbacks_total", "counter", "reorganisations undone", row => row.rollbacks),
    each("lane_gaps", "gauge", "open gaps", row => row.gaps.length),
    each("lane_memory_bytes", "gauge", "resident memory", row => row.memoryBytes),
    each("lane_source_retries_total", "counter", "retries", row => row.source?.retries ?? null),
    metric("lane_quarantined_total", "counter", "logs that did not decode", quarantined)
  ]
}

/** The page of metrics. What is not known is left out, not shown as 0. */
export const metricsText = (
  lanes: ReadonlyArray<LaneRow>,
  counters: Counters,
  uptimeSeconds: number
): string => {
  const one = (name: string, kind: Kind, help: string, value: number) =>
    metric(name, kind, help, [{ value }])
  return [
    ...laneMetrics(lanes),
    one("http_requests_total", "counter", "requests received", counters.requests),
    one("http_cache_hits_total", "counter", "answered from the cache", counters.cacheHits),
    one("http_limited_total", "counter", "refused with 429", counters.limited),
    one("http_active", "gauge", "requests under way", counters.active),
    one("live_sockets", "gauge", "live sockets open", counters.sockets),
    one("live_frames_total", "counter", "frames published", counters.framesPublished),
    one("live_slow_closed_total", "counter", "slow readers closed", counters.slowClosed),
    one("uptime_seconds", "gauge", "seconds since start", uptimeSeconds)
  ].join("")
}
