/**
 * The decoder of one chain: what a log alone cannot tell follows from the chain's venues. Pools
 * that are created get the kind of their factory; and where one contract logs for all pools, only
 * those contracts are believed that the chain's list has, for anybody can log the id of a pool.
 * Transfers are watched of the chain's position managers only, operations of accounts of its entry
 * points only.
 */
import { fromHex } from "../../src/domain/address.ts"
import { type ChainConfig, entryPointsOf } from "../../src/domain/chain.ts"
import type { BatchBuilder } from "../batch/builder.ts"
import { NONE } from "../batch/id-table.ts"
import { kindOfPool } from "../pool-venue.ts"
import type { RawLog } from "../raw-log.ts"
import type { LogDecoder, OperationLog } from "../tape-writer.ts"
import type { AnyVenueKind, EventDecoder } from "../venue.ts"
import { operationEnds, operationsBegun } from "./account-operations/decode.ts"
import { furtherEvents, makeDecoder } from "./decoder.ts"
import { positionTransfer } from "./position-managers/decode.ts"
import { rejection } from "./rejection.ts"
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

const believing = (chain: ChainConfig, kind: AnyVenueKind): AnyVenueKind => {
  const known = chain.venues.filter(venue => venue.kind === kind.kind)
  const addresses = known.map(venue => fromHex(venue.factory))
  const isBound = (event: EventDecoder) => kind.singleton === true || event.fromFactory === true
  const events = kind.events.map(event => (isBound(event) ? onlyFrom(addresses, event) : event))
  return { ...kind, events }
}

/** Gives the newest `PoolCreated` the kind of its factory. */
const correctKind = (chain: ChainConfig, out: BatchBuilder): void => {
  const { factory, venueKind } = out.columns.PoolCreated
  const row = factory.count - 1
  const maker = factory.get(row)
  const told = out.batch.syms[venueKind.get(row)] as string
  const kind = kindOfPool(chain, maker === NONE ? null : out.ids.text(maker), told)
  if (kind !== told) venueKind.values[row] = out.sym(kind)
}

/** Whether a log is a token's transfer that one of the chain's position managers tells. */
const transferOf = (chain: ChainConfig): ((log: RawLog) => boolean) => {
  const topic = fromHex(positionTransfer.topic0)
  const managers = chain.venues.flatMap(({ positionManager }) =>
    positionManager === undefined ? [] : [fromHex(positionManager)]
  )
  return ({ topicCount, topics, address }) =>
    topicCount === 4 && startsWith(topics, topic) && isOneOf(managers, address)
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

/** The decoder of all events, for logs of this chain. */
export const chainDecoder = (chain: ChainConfig): LogDecoder => {
  const kinds = venueKinds.map(kind => believing(chain, kind))
  const decoder = makeDecoder(kinds, furtherEvents)
  const isTransfer = transferOf(chain)
  return {
    watches: log => decoder.watches(log) || isTransfer(log),
    operation: operationOf(chain),
    decode: (log: RawLog, out: BatchBuilder): string | null => {
      if (isTransfer(log)) return positionTransfer.decode(log, out)
      const { pool } = out.columns.PoolCreated
      const before = pool.count
      const reason = decoder.decode(log, out)
      if (pool.count > before) correctKind(chain, out)
      return reason
    }
  }
}
