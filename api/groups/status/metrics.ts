/** Writes lanes and server counters in Prometheus' text format, version 0.0.4. */
import type { LaneTotals } from "../../../engine/lane/lane-totals.ts"
import type { FollowedStream } from "../../../src/platform/follow-stream.ts"
import type { ProcessMemory } from "../../../src/platform/process-memory.ts"
import type { Tally } from "../../agent-meters.ts"
import type { Counters } from "../../counters.ts"
import { BOUNDS_SECONDS, type Histogram } from "../../histogram.ts"
import { type LaneRow, LaneState, SourceState } from "./status.api.ts"

/** A lane's row and the totals of the lane since the process began. */
export interface LaneNumbers extends LaneRow {
  readonly totals: LaneTotals
  /** whether the gate of the chain's status passes; null of a chain without one */
  readonly passesGate: boolean | null
}

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

const STATES = LaneState.literals
const SOURCE_STATES = SourceState.literals

/** Wrong answers by endpoint: one that is asked in two ways stands in the row twice. */
const wrongAnswersOf = ({ chain, source }: LaneNumbers): ReadonlyArray<Sample> => {
  const sums = new Map<string, number>()
  for (const { endpoint, wrongAnswers } of source?.endpoints ?? []) {
    sums.set(endpoint, (sums.get(endpoint) ?? 0) + wrongAnswers)
  }
  return [...sums].map(([endpoint, value]) => ({ labels: { chain, endpoint }, value }))
}

/** Returns the metrics of calls to nodes, by endpoint and method. */
const rpcMetrics = (lanes: ReadonlyArray<LaneNumbers>): ReadonlyArray<string> => {
  const all = lanes.flatMap(({ chain, totals }) =>
    totals.calls.map(({ endpoint, method, calls, errors }) => {
      const labels = { chain, endpoint, method }
      return { labels, calls, errors }
    })
  )
  return [
    metric(
      "rpc_calls_total",
      "counter",
      "calls of nodes, each of a batch counted",
      all.map(({ labels, calls }) => ({ labels, value: calls }))
    ),
    metric(
      "rpc_errors_total",
      "counter",
      "calls that gave an error or no answer",
      all.map(({ labels, errors }) => ({ labels, value: errors }))
    ),
    metric(
      "rpc_wrong_answers_total",
      "counter",
      "answers that were proven wrong",
      lanes.flatMap(wrongAnswersOf)
    )
  ]
}

const secondsOf = (ms: number | null | undefined): number | null =>
  ms === null || ms === undefined ? null : ms / 1000

/** Returns a function that writes a metric with one number for each lane. */
const eachOf =
  (lanes: ReadonlyArray<LaneNumbers>) =>
  (name: string, kind: Kind, help: string, value: (row: LaneNumbers) => number | null) =>
    metric(
      name,
      kind,
      help,
      lanes.map(row => ({ labels: { chain: row.chain }, value: value(row) }))
    )

const LANE_MEMORY =
  "JavaScript objects and buffers of the lane's own thread; not what DuckDB holds for it (buffers of " +
  "up to 3/32 of LANE_MEMORY_MB) nor what its source and its log have in threads of their own: " +
  "process_resident_bytes counts all of it"

/** Returns what became of logs that were read, and what the chain's status makes of it. */
const decodeMetrics = (lanes: ReadonlyArray<LaneNumbers>): ReadonlyArray<string> => {
  const quarantined = lanes.flatMap(({ chain, totals }) =>
    totals.quarantined.map(({ reason, count }) => ({ labels: { chain, reason }, value: count }))
  )
  const checked = lanes.flatMap(({ chain, totals }) =>
    Object.entries(totals.checked ?? {}).map(([verdict, value]) => ({
      labels: { chain, verdict },
      value
    }))
  )
  return [
    metric("lane_quarantined_total", "counter", "logs that were not read", quarantined),
    metric(
      "lane_checked_swaps_total",
      "counter",
      "swaps read of nodes, by what balances of their vaults say: ok, bad (quarantined), unchecked",
      checked
    ),
    eachOf(lanes)("lane_gate", "gauge", "1 while the gate of the chain's status passes", row =>
      row.passesGate === null ? null : Number(row.passesGate)
    )
  ]
}

const laneMetrics = (lanes: ReadonlyArray<LaneNumbers>): ReadonlyArray<string> => {
  const each = eachOf(lanes)
  const states = lanes.flatMap(({ chain, state }) =>
    STATES.map(each => ({ labels: { chain, state: each }, value: each === state ? 1 : 0 }))
  )
  const sources = lanes.flatMap(({ chain, source }) =>
    source === null
      ? []
      : SOURCE_STATES.map(state => ({
          labels: { chain, state },
          value: state === source.state ? 1 : 0
        }))
  )
  return [
    each("lane_ok", "gauge", "1 while the lane is well", row => (row.ok ? 1 : 0)),
    metric("lane_state", "gauge", "1 for the state the lane is in", states),
    metric("source_state", "gauge", "1 for the state the source is in", sources),
    ...rpcMetrics(lanes),
    each("lane_seq", "gauge", "log position that answers stand at", row => row.seq),
    each("lane_log_seq", "gauge", "newest log position", row => row.logSeq),
    each("lane_block", "gauge", "block that answers stand at", row => row.block),
    each(
      "lane_lag_events",
      "gauge",
      "log positions that answers do not stand at yet",
      row => row.lag.events
    ),
    each("lane_lag_blocks", "gauge", "blocks behind the source", row => row.lag.blocks),
    each("lane_lag_seconds", "gauge", "age of the newest block", row => row.lag.seconds),
    each("lane_events_total", "counter", "events folded", row => row.totals.events),
    each("lane_swaps_total", "counter", "swaps folded", row => row.totals.swaps),
    each("lane_rollbacks_total", "counter", "reorganisations", row => row.totals.reorgs),
    each(
      "lane_last_reorg_depth",
      "gauge",
      "blocks that the last reorganisation replaced",
      row => row.source?.lastReorgDepth ?? null
    ),
    each(
      "lane_last_reorg_recovery_ms",
      "gauge",
      "from when it was found until the new branch was as far as the old one",
      row => row.source?.lastReorgRecoveryMs ?? null
    ),
    each("lane_queries_waiting", "gauge", "queries that wait", row => row.totals.waiting),
    each("lane_gaps", "gauge", "open gaps", row =>
      row.assurance === null ? null : row.gaps.length
    ),
    each("lane_memory_bytes", "gauge", LANE_MEMORY, row => row.memoryBytes),
    each("lane_source_retries_total", "counter", "retries", row => row.totals.retries),
    each(
      "log_checked_bytes",
      "gauge",
      "bytes of the log that this pass found whole",
      row => row.totals.logCheck?.bytes ?? null
    ),
    each(
      "log_checked_seq",
      "gauge",
      "log position up to which this pass found it whole",
      row => row.totals.logCheck?.seq ?? null
    ),
    each("log_whole_time_seconds", "gauge", "when all of the log was found whole", row =>
      secondsOf(row.totals.logCheck?.wholeAtMs)
    ),
    ...decodeMetrics(lanes)
  ]
}

/** Returns one histogram: what each of its parts took, with the labels of the part. */
const histogram = (
  name: string,
  help: string,
  parts: ReadonlyArray<{ readonly labels: Sample["labels"]; readonly took: Histogram }>
): string => {
  const lines = parts.flatMap(({ labels, took }) => {
    let within = 0
    const buckets = took.buckets.map((count, i) => {
      within += count
      const le = String(BOUNDS_SECONDS[i] ?? "+Inf")
      return `swaptape_${name}_bucket${labelText({ ...labels, le })} ${within}\n`
    })
    return [
      ...buckets,
      `swaptape_${name}_sum${labelText(labels)} ${took.seconds}\n`,
      `swaptape_${name}_count${labelText(labels)} ${took.count}\n`
    ]
  })
  const head = `# HELP swaptape_${name} ${help}\n# TYPE swaptape_${name} histogram\n`
  return head + lines.join("")
}

/** Returns what the process takes, and what of it the thread does that serves. */
const memoryMetrics = (memory: ProcessMemory): ReadonlyArray<string> => [
  metric(
    "process_resident_bytes",
    "gauge",
    "memory of the engine's process that is in RAM, of all its threads, of DuckDB and of freed memory " +
      "that is yet to be given back; nats-server and simulated chains are other processes",
    [{ value: memory.residentBytes }]
  ),
  metric(
    "serving_memory_bytes",
    "gauge",
    "memory of the serving thread: heap_used by its objects of the heap_total that V8 holds for them, " +
      "and external, its buffers",
    [
      { labels: { kind: "heap_used" }, value: memory.heapUsedBytes },
      { labels: { kind: "heap_total" }, value: memory.heapTotalBytes },
      { labels: { kind: "external" }, value: memory.externalBytes }
    ]
  )
]

/** Returns how long answers took and what they were, of each requested route. */
const routeMetrics = ({ routes }: Counters): ReadonlyArray<string> => {
  const parts = routes.all.flatMap(({ route, classes }) =>
    classes.flatMap((took, digit) =>
      took === null ? [] : [{ labels: { route, class: `${digit}xx` }, took }]
    )
  )
  const bytes = routes.all.map(({ route, sentBytes: value }) => ({ labels: { route }, value }))
  return [
    histogram("http_seconds", "how long answers took, by their status", parts),
    metric("http_sent_bytes_total", "counter", "bytes of bodies, as sent", bytes)
  ]
}

/** Returns calls of the MCP server's tools, of those that were called. */
const agentMetrics = ({ agents }: Counters): ReadonlyArray<string> => {
  const samplesOf = (value: keyof Tally): ReadonlyArray<Sample> =>
    [...agents.tools].map(([tool, tally]) => ({ labels: { tool }, value: tally[value] }))
  return [
    metric("mcp_calls_total", "counter", "calls of tools by agents", samplesOf("calls")),
    metric("mcp_errors_total", "counter", "calls whose result is an error", samplesOf("errors"))
  ]
}

/** Returns what the live streams are and do. */
const liveMetrics = (counters: Counters): ReadonlyArray<string> => {
  const one = (name: string, kind: Kind, help: string, value: number) =>
    metric(`live_${name}`, kind, help, [{ value }])
  return [
    one("sockets", "gauge", "live sockets open", counters.sockets),
    one("streams", "gauge", "streams of events open", counters.streams),
    one("frames_total", "counter", "frames published", counters.framesPublished),
    one("sent_frames_total", "counter", "frames sent, each to each reader", counters.framesSent),
    one("sent_bytes_total", "counter", "their bytes", counters.frameBytesSent),
    histogram("live_frame_seconds", "from a print's read in the log to its frame's sending", [
      { labels: {}, took: counters.frameSeconds }
    ]),
    one("slow_closed_total", "counter", "slow readers closed", counters.slowClosed)
  ]
}

/** Of a stream that lacks none, but does not say any more what was read, only the second tells. */
const streamMetrics = (streams: ReadonlyArray<FollowedStream>): ReadonlyArray<string> => [
  metric(
    "stream_lost_messages",
    "gauge",
    "messages of a shared stream that were read and are gone",
    streams.map(({ stream, lost }) => ({ labels: { stream }, value: lost }))
  ),
  metric(
    "stream_ok",
    "gauge",
    "1 where a shared stream holds what was read of it",
    streams.map(({ stream, problem }) => ({
      labels: { stream },
      value: problem === null ? 1 : 0
    }))
  )
]

/** Returns the page of metrics. An unknown number is left out, not shown as 0. */
export const metricsText = (
  lanes: ReadonlyArray<LaneNumbers>,
  streams: ReadonlyArray<FollowedStream>,
  counters: Counters,
  memory: ProcessMemory,
  uptimeSeconds: number
): string => {
  const one = (name: string, kind: Kind, help: string, value: number) =>
    metric(name, kind, help, [{ value }])
  const disk = counters.disk()
  const ofDisk = (name: string, help: string, value: number | undefined) =>
    metric(name, "gauge", help, [{ value: value ?? null }])
  return [
    ...laneMetrics(lanes),
    ...streamMetrics(streams),
    ...memoryMetrics(memory),
    ofDisk("disk_used_bytes", "taken by the data folder", disk?.usedBytes),
    ofDisk("disk_free_bytes", "free where the data folder is", disk?.freeBytes),
    ...routeMetrics(counters),
    ...agentMetrics(counters),
    one("http_requests_total", "counter", "requests received", counters.requests),
    one("http_cache_hits_total", "counter", "answered from the cache", counters.cacheHits),
    one("http_limited_total", "counter", "refused with 429", counters.limited),
    one("http_active", "gauge", "requests under way", counters.active),
    ...liveMetrics(counters),
    one(
      "serving_held_up_seconds_total",
      "counter",
      "time by which looks of the serving thread at the clock, ten a second, came late",
      counters.heldUpSeconds
    ),
    one(
      "serving_held_up_longest_seconds",
      "gauge",
      "the latest of them since start",
      counters.longestHeldUpSeconds
    ),
    one("uptime_seconds", "gauge", "seconds since start", uptimeSeconds)
  ].join("")
}
