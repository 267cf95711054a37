/** What stands in the log of a data folder that no engine works on, and what should. */

import type { Event, EventKind } from "../../streams/event.ts"
import { eventToJson } from "../../streams/event-objects.ts"
import type { FakeChain } from "./fake-chain.ts"
import { allEvents, startLogServer } from "./log-server.ts"
import { gapsOf, loggedOf, truthLogs } from "./rpc-source.ts"

/** All events of a chain's log, read with every check the log has. */
export const logOf = async (dataDir: string, chain: string): Promise<ReadonlyArray<Event>> => {
  const server = await startLogServer(dataDir)
  try {
    return await server.run(allEvents(chain))
  } finally {
    await server.stop()
  }
}

const lines = (events: ReadonlyArray<Event>): ReadonlyArray<string> =>
  events.map(event => eventToJson(event, 0))

/**
 * How a log differs from the chain it was made of; null where it tells the chain exactly. Not looked
 * at are events of kinds that a log has only of what was asked of it.
 */
export const differenceFrom = (
  chain: FakeChain,
  events: ReadonlyArray<Event>,
  except: ReadonlyArray<EventKind> = []
): string | null => {
  const gaps = gapsOf(events)
  if (gaps.length > 0) return `blocks ${gaps} are declared unproven`
  const told = lines(loggedOf(events).filter(({ kind }) => !except.includes(kind)))
  const truth = lines(truthLogs(chain))
  const at = truth.findIndex((line, i) => line !== told[i])
  if (at >= 0) return `log ${at} should be ${truth[at]}, but is ${told[at]}`
  return told.length === truth.length ? null : `${told.length} logs instead of ${truth.length}`
}
