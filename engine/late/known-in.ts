/** Pools and tokens that blocks name. */
import type { Event } from "../../streams/event.ts"

/**
 * Returns what a reading knows of blocks that are read again, by their events in the log: facts of
 * these pools and tokens went in when they were new. A pool that one of their own transactions
 * made is new to it, as it was then.
 */
export const knownIn = (events: ReadonlyArray<Event>) => {
  const made = new Set(
    events.flatMap(event => (event.kind === "PoolCreated" && event.tx !== null ? event.pool : []))
  )
  const knownPools = events.flatMap(event =>
    "pool" in event && typeof event.pool === "string" && !made.has(event.pool) ? [event.pool] : []
  )
  const knownTokens = events.flatMap(event => (event.kind === "PoolCreated" ? event.tokens : []))
  return { blocks: [], knownPools, knownTokens }
}
