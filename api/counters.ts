/** What the server counts about itself since start; `/metrics` shows it. */
import { Context } from "effect"
import { AgentMeters } from "./agent-meters.ts"
import { Histogram } from "./histogram.ts"
import { RouteMeters } from "./route-meters.ts"

export interface Counters {
  requests: number
  cacheHits: number
  /** refused with 429 */
  limited: number
  /** requests in the application now */
  active: number
  /** live sockets open now */
  sockets: number
  /** streams of events open now */
  streams: number
  /** frames published, once each, whatever the number of readers */
  framesPublished: number
  /** frames that readers were sent, each to each, and their bytes */
  framesSent: number
  frameBytesSent: number
  /** from when the first print of a commit was read from the log until its frames were sent */
  readonly frameSeconds: Histogram
  /** readers closed because they read too slowly */
  slowClosed: number
  /** by how much the serving thread was held up: in all, and the longest time at once */
  heldUpSeconds: number
  longestHeldUpSeconds: number
  /** what the data folder takes of its disk; null where it is not known */
  readonly disk: () => { readonly usedBytes: number; readonly freeBytes: number } | null
  /** answers by declared route */
  readonly routes: RouteMeters
  /** what agents ask by MCP */
  readonly agents: AgentMeters
}

export class ServerCounters extends Context.Service<ServerCounters, Counters>()(
  "swaptape/api/ServerCounters"
) {}

export const newCounters = (disk: Counters["disk"] = () => null): Counters => ({
  requests: 0,
  cacheHits: 0,
  limited: 0,
  active: 0,
  sockets: 0,
  streams: 0,
  framesPublished: 0,
  framesSent: 0,
  frameBytesSent: 0,
  frameSeconds: new Histogram(),
  slowClosed: 0,
  heldUpSeconds: 0,
  longestHeldUpSeconds: 0,
  disk,
  routes: new RouteMeters(),
  agents: new AgentMeters()
})

/** Counts a frame that so many readers were sent. */
export const sentFrame = (counters: Counters, frame: string | Uint8Array, readers = 1): void => {
  counters.framesSent += readers
  counters.frameBytesSent += Buffer.byteLength(frame) * readers
}
