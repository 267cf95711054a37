/** What the server counts about itself since start; `/metrics` shows it. */
import { Context } from "effect"
import { AgentMeters } from "./agent-meters.ts"
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
  /** readers closed because they read too slowly */
  slowClosed: number
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
  slowClosed: 0,
  disk,
  routes: new RouteMeters(),
  agents: new AgentMeters()
})
