/** Raw logs out of hex, and the events of what a source emitted. */
import { Effect, Exit, Stream } from "effect"
import { fromHex } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { Event } from "../../streams/event.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { MAX_LOG_DATA, newRawLog, type RawLog } from "../../streams/evm/raw-log.ts"
import { isClaim } from "../../streams/pool-venue.ts"
import type { LogTail, Source, SourceError } from "../../streams/source.ts"
import { testChain } from "./chain-config.ts"
import type { FakeLog } from "./fake-logs.ts"

export const rawLog = (log: FakeLog, logIndex: number): RawLog => {
  const raw = newRawLog()
  raw.address.set(fromHex(log.address))
  raw.topicCount = log.topics.length
  log.topics.forEach((topic, i) => {
    raw.topics.set(fromHex(topic), i * 32)
  })
  raw.data = fromHex(log.data).subarray(0, MAX_LOG_DATA)
  raw.dataLength = raw.data.length
  raw.logIndex = logIndex
  return raw
}

export const emptyTail: LogTail = { blocks: [], knownPools: [], knownTokens: [] }

/** Everything a source emits until it ends, and the error it ended with. */
export const drain = async (source: Source, tail: LogTail = emptyTail) => {
  const batches: Array<EventBatch> = []
  const exit = await Effect.runPromiseExit(
    Stream.runForEach(source.batches(tail), batch => Effect.sync(() => batches.push(batch)))
  )
  const error = Exit.findErrorOption(exit)
  return {
    batches,
    events: batches.flatMap(eventsOf),
    error: error._tag === "Some" ? (error.value as SourceError) : null
  }
}

/** Counts of events by kind. */
export const countKinds = (events: ReadonlyArray<Event>): { readonly [kind: string]: number } => {
  const counts: { [kind: string]: number } = {}
  for (const { kind } of events) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** What a log holds after its rollbacks: the events that were not undone. */
export const effective = (events: ReadonlyArray<Event>): ReadonlyArray<Event> => {
  let kept: Array<Event> = []
  for (const event of events) {
    if (event.kind === "Rollback") kept = kept.filter(one => one.block.number <= event.toBlock)
    else kept.push(event)
  }
  return kept
}

/** The tail of a log that holds these events; pools that are only claimed are not known. */
export const tailOf = (events: ReadonlyArray<Event>, chain: ChainConfig = testChain): LogTail => {
  const kept = effective(events)
  const pools = kept.flatMap(event =>
    event.kind === "PoolCreated" && !isClaim(chain, event.source, event.factory, event.venueKind)
      ? [event.pool]
      : []
  )
  const tokens = kept.flatMap(event => (event.kind === "TokenSeen" ? [event.token] : []))
  return {
    blocks: kept.flatMap(({ kind, block }) =>
      kind === "BlockSealed" ? [{ number: block.number, hash: block.hash, time: block.time }] : []
    ),
    knownPools: [...new Set(pools)],
    knownTokens: [...new Set(tokens)],
    pinned: kept.flatMap(event =>
      event.kind === "TokenPinned" ? [{ address: event.token, block: event.block.number }] : []
    )
  }
}
