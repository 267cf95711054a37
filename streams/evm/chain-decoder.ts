/**
 * The decoder of one chain: what a log alone cannot tell follows from the chain's venues. Pools
 * that are created get the kind of their factory; and where one contract logs for all pools, only
 * those contracts are believed that the chain's list has, for anybody can log the id of a pool.
 * Transfers are watched of the chain's position managers and of pinned tokens only, wraps of its
 * wrapped native token where that is pinned, operations of accounts of its entry points only.
 */
import { fromHex } from "../../src/domain/address.ts"
import {
  type ChainConfig,
  type ChainVenue,
  entryPointsOf,
  wrappedNativeOf
} from "../../src/domain/chain.ts"
import type { BatchBuilder } from "../batch/builder.ts"
import { NONE } from "../batch/id-table.ts"
import { decodedAs, kindOfPool, venueOfPool } from "../pool-venue.ts"
import type { AnyVenueKind, EventDecoder } from "../venue.ts"
import { operationEnds, operationsBegun } from "./account-operations/decode.ts"
import { furtherEvents, makeDecoder } from "./decoder.ts"
import type { LogDecoder, OperationLog } from "./log-decoder.ts"
import type { PinnedTokens } from "./pinned-tokens.ts"
import { positionTransfer } from "./position-managers/decode.ts"
import type { RawLog } from "./raw-log.ts"
import { rejection } from "./rejection.ts"
import { tokenTransfer, wrapEvents, wrappedTransfer } from "./token-transfers/decode.ts"
import { venueKinds } from "./venue-kinds.ts"

const startsWith = (bytes: Uint8Array, start: Uint8Array): boolean => {
  for (let i = 0; i < start.length; i++) if (bytes[i] !== start[i]) return false
  return true
}

const isOneOf = (addresses: ReadonlyArray<Uint8Array>, address: Uint8Array): boolean =>
  addresses.some(one => startsWith(address, one))

const onlyFrom = (
  addresses: ReadonlyArray<Uint8Array>,
  { decode, ...event }: EventDecoder
): EventDecoder => ({
  ...event,
  decode: (log, out) => (isOneOf(addresses, log.address) ? decode(log, out) : rejection.emitter)
})

/** Says whether the emitter is one of these to whoever decodes what emitters tell of pools. */
const knowing = (
  factories: ReadonlyArray<Uint8Array>,
  { decode, ...event }: EventDecoder
): EventDecoder => ({
  ...event,
  decode: (log, out) => decode(log, out, isOneOf(factories, log.address))
})

const believing = (chain: ChainConfig, kind: AnyVenueKind): AnyVenueKind => {
  const isMaker = (venue: ChainVenue) => decodedAs(venue.kind) === decodedAs(kind.kind)
  const factories = chain.venues.filter(isMaker).map(venue => fromHex(venue.factory))
  const known = chain.venues.filter(venue => venue.kind === kind.kind)
  const addresses = known.map(venue => fromHex(venue.factory))
  const isBound = (event: EventDecoder) => kind.oneContract === "all" || event.fromFactory === true
  const events = kind.events.map(event => {
    if (isBound(event)) return onlyFrom(addresses, event)
    return event.emitterIsPool ? event : knowing(factories, event)
  })
  return { ...kind, events }
}

/** Who made the pool of the newest `PoolCreated`, and the kind told of it. */
const newestCreated = (out: BatchBuilder) => {
  const { factory, venueKind } = out.columns.PoolCreated
  const row = factory.count - 1
  const maker = factory.get(row)
  const told = out.batch.syms[venueKind.get(row)] as string
  return { row, maker: maker === NONE ? null : out.ids.text(maker), told }
}

/** Gives the newest `PoolCreated` the kind of its factory. */
const correctKind = (chain: ChainConfig, out: BatchBuilder): void => {
  const { row, maker, told } = newestCreated(out)
  const kind = kindOfPool(chain, maker, told)
  if (kind !== told) out.columns.PoolCreated.venueKind.values[row] = out.sym(kind)
}

/** The chain's contracts that hold positions as tokens, in lower case, each once. */
export const positionManagersOf = ({ venues }: ChainConfig): ReadonlyArray<string> => [
  ...new Set(venues.flatMap(({ positionManager }) => positionManager?.toLowerCase() ?? []))
]

const NOBODY: Pick<PinnedTokens, "size" | "has"> = { size: 0, has: () => false }

/** How to read a transfer that one of the position managers or pinned tokens logs; else null. */
const transfersOf = (
  managers: ReadonlyArray<Uint8Array>,
  pins: Pick<PinnedTokens, "size" | "has">,
  wrapped: string | null
): ((log: RawLog) => EventDecoder | null) => {
  const topic = fromHex(positionTransfer.topic0)
  const native = wrapped === null ? null : fromHex(wrapped)
  const wraps = wrapEvents.map(event => ({ event, topic: fromHex(event.topic0) }))
  return ({ topicCount, topics, address }) => {
    if (topicCount === 2) {
      if (native === null || !startsWith(address, native) || !pins.has(address)) return null
      return wraps.find(wrap => startsWith(topics, wrap.topic))?.event ?? null
    }
    if (topicCount === 4)
      return startsWith(topics, topic) && isOneOf(managers, address) ? positionTransfer : null
    // nearly all logs are somebody's transfers: without pins they cost this one look
    if (topicCount !== 3 || pins.size === 0 || !startsWith(topics, topic)) return null
    if (!pins.has(address)) return null
    return native !== null && startsWith(address, native) ? wrappedTransfer : tokenTransfer
  }
}

/** A decoder of nothing but the transfers of these tokens of a chain. */
export const transferDecoder = (chain: ChainConfig, pins: PinnedTokens): LogDecoder => {
  const transferOf = transfersOf([], pins, wrappedNativeOf(chain))
  return {
    watches: log => transferOf(log) !== null,
    decode: (log, out) => {
      const transfer = transferOf(log)
      return transfer === null ? "not a watched event" : transfer.decode(log, out)
    }
  }
}

/** What a log tells of accounts' operations, and whether one of the chain's entry points does. */
const operationOf = (chain: ChainConfig): ((log: RawLog) => OperationLog | null) => {
  const entryPoints = entryPointsOf(chain).map(fromHex)
  const begin = fromHex(operationsBegun.topic0)
  const ends = operationEnds.map(event => fromHex(event.topic0))
  const firstBytes = new Uint8Array(256)
  for (const topic of [begin, ...ends]) firstBytes[topic[0] as number] = 1
  return ({ topicCount, topics, address }) => {
    // nearly all logs are told apart by their first byte
    if (firstBytes[topics[0] as number] === 0 || topicCount === 0) return null
    const isBegin = startsWith(topics, begin)
    if (!isBegin && !ends.some(topic => startsWith(topics, topic))) return null
    if (!isOneOf(entryPoints, address)) return "foreign"
    return isBegin ? "begin" : "end"
  }
}

/** The decoder of all events, for logs of this chain; `pins` may grow meanwhile. */
export const chainDecoder = (
  chain: ChainConfig,
  pins: Pick<PinnedTokens, "size" | "has"> = NOBODY
): LogDecoder => {
  const kinds = venueKinds.map(kind => believing(chain, kind))
  const decoder = makeDecoder(kinds, furtherEvents)
  const managers = positionManagersOf(chain).map(fromHex)
  const transferOf = transfersOf(managers, pins, wrappedNativeOf(chain))
  const operation = operationOf(chain)
  return {
    watches: log => decoder.watches(log) || transferOf(log) !== null,
    operation: log => {
      const told = operation(log)
      if (told !== null || pins.size === 0) return told
      const transfer = transferOf(log)
      return transfer !== null && transfer !== positionTransfer ? "apart" : null
    },
    ...(decoder.tokensOf && { tokensOf: decoder.tokensOf }),
    ...(decoder.poolOf && { poolOf: decoder.poolOf }),
    isListed: out => {
      const { maker, told } = newestCreated(out)
      return venueOfPool(chain, maker, told) !== null
    },
    decode: (log: RawLog, out: BatchBuilder): string | null => {
      const transfer = transferOf(log)
      if (transfer !== null) return transfer.decode(log, out)
      const { pool } = out.columns.PoolCreated
      const before = pool.count
      const reason = decoder.decode(log, out)
      if (pool.count > before) correctKind(chain, out)
      return reason
    }
  }
}
