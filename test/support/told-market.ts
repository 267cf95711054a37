/** Facts written by hand, served over HTTP by a lane in memory, a part of them at a time. */
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Event } from "../../streams/event.ts"
import { type Body, readerOf, startApi } from "./api-server.ts"
import { get } from "./get.ts"
import { MemoryLane } from "./memory-lane.ts"
import { MemoryLog } from "./memory-log.ts"
import { eventsOf, type Fact, facts, priceChain } from "./price-events.ts"

/** A fact of a transaction that somebody sent. */
export type Sent = Fact & { readonly from?: string }

const sent = (list: ReadonlyArray<Sent>): ReadonlyArray<Event> =>
  eventsOf(list).map((event, i) => {
    const from = list[i]?.from ?? null
    return { ...event, tx: { ...event.tx, from, to: from } } as Event
  })

export interface ToldMarket {
  readonly rows: MemoryLane["rows"]
  /** the body of an answer; any but 200 is an error */
  readonly get: (path: string) => Promise<Body>
  /** its status and its error's code */
  readonly refusal: (path: string) => Promise<readonly [status: number, code: string]>
  /** folds and commits the next of the parts; all are there at first but those */
  readonly next: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Serves what `first` tells on top of the tokens' facts; `later` parts come one by one. */
export const serveFacts = async (
  first: ReadonlyArray<Sent>,
  later: ReadonlyArray<ReadonlyArray<Sent>> = [],
  chain: ChainConfig = priceChain
): Promise<ToldMarket> => {
  const parts = [[...facts, ...first], ...later]
  const events = sent(parts.flat())
  const log = new MemoryLog()
  let at = 0
  for (const { length } of parts) {
    log.append(events.slice(at, at + length))
    at += length
  }
  const lane = new MemoryLane(chain, log)
  await lane.start()
  const next = async () => {
    await lane.fold(1)
    await lane.commit()
  }
  await next()
  const api = await startApi([lane])
  return {
    rows: sql => lane.rows(sql),
    next,
    get: readerOf(api),
    refusal: async path => {
      const { status, text } = await get(`${api.url}/v1${path}`)
      return [status, JSON.parse(text).error] as const
    },
    close: async () => {
      await api.close()
      await lane.close()
    }
  }
}
