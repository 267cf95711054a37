/**
 * Decodes any watched log: a table from topic0 to the decoders that claim it, tried in order. A
 * log that none of them takes is refused with the first one's reason.
 */
import { fromHex, toHex } from "../../src/domain/address.ts"
import { ADDRESS_PADDING } from "../../src/domain/ids.ts"
import type { BatchBuilder } from "../batch/builder.ts"
import type { AnyVenueKind, EventDecoder } from "../venue.ts"
import { operationEvents } from "./account-operations/decode.ts"
import type { LogDecoder } from "./log-decoder.ts"
import { positionManagerEvents } from "./position-managers/decode.ts"
import { isAddressWord, type RawLog } from "./raw-log.ts"
import { venueKinds } from "./venue-kinds.ts"

interface Entry {
  readonly topic: Uint8Array
  readonly decoders: ReadonlyArray<EventDecoder>
}

const prefixOf = (bytes: Uint8Array): number =>
  ((bytes[0] as number) << 24) |
  ((bytes[1] as number) << 16) |
  ((bytes[2] as number) << 8) |
  (bytes[3] as number)

const sameTopic = (log: RawLog, topic: Uint8Array): boolean => {
  const { topics } = log
  let odd = 0
  for (let i = 0; i < 32; i++) odd |= (topics[i] as number) ^ (topic[i] as number)
  return odd === 0
}

/** Entries by topic0, open addressing over its first four bytes; mostly empty, so that a log
 *  nobody watches is passed over at the first look. */
const tableOf = (all: ReadonlyArray<EventDecoder>): ReadonlyArray<Entry | null> => {
  const topics = [...new Set(all.map(event => event.topic0))]
  const slots = 2 ** Math.ceil(Math.log2(topics.length * 8 + 1))
  const table = new Array<Entry | null>(slots).fill(null)
  for (const topic0 of topics) {
    const topic = fromHex(topic0)
    let slot = prefixOf(topic) & (slots - 1)
    while (table[slot] !== null) slot = (slot + 1) & (slots - 1)
    table[slot] = { topic, decoders: all.filter(event => event.topic0 === topic0) }
  }
  return table
}

/** The tokens that a log names; none where it is too short for them. */
const tokensIn = (
  log: RawLog,
  { in: where, at }: NonNullable<EventDecoder["tokens"]>
): ReadonlyArray<string> => {
  const bytes = where === "topics" ? log.topics : log.data
  const length = where === "topics" ? log.topicCount * 32 : log.dataLength
  return [at, at + 32]
    .filter(from => from + 32 <= length && isAddressWord(bytes, from))
    .map(from => toHex(bytes.subarray(from + ADDRESS_PADDING, from + 32)))
}

/** The pool that a log names in its first indexed argument; null where it is none. */
const poolIn = ({ topics, topicCount }: RawLog, length: 20 | 32): string | null => {
  if (topicCount < 2) return null
  if (length === 32) return toHex(topics.subarray(32, 64))
  return isAddressWord(topics, 32) ? toHex(topics.subarray(32 + ADDRESS_PADDING, 64)) : null
}

/** Events of contracts that are no pools, tried after those of the venue kinds. */
export const furtherEvents: ReadonlyArray<EventDecoder> = [
  ...positionManagerEvents,
  ...operationEvents
]

/** A decoder of the events of these venue kinds, and of further ones. */
export const makeDecoder = (
  kinds: ReadonlyArray<AnyVenueKind>,
  further: ReadonlyArray<EventDecoder> = []
): LogDecoder => {
  const table = tableOf([...kinds.flatMap(kind => kind.events), ...further])
  const mask = table.length - 1
  const find = (log: RawLog): ReadonlyArray<EventDecoder> | null => {
    if (log.topicCount === 0) return null
    for (let slot = prefixOf(log.topics) & mask; ; slot = (slot + 1) & mask) {
      const entry = table[slot] as Entry | null
      if (entry === null) return null
      if (sameTopic(log, entry.topic)) return entry.decoders
    }
  }
  return {
    watches: log => find(log) !== null,
    tokensOf: log => {
      const named = find(log)?.find(({ tokens }) => tokens !== undefined)?.tokens
      return named === undefined ? [] : tokensIn(log, named)
    },
    poolOf: log => {
      const length = find(log)?.find(({ namesPool }) => namesPool !== undefined)?.namesPool
      return length === undefined ? null : poolIn(log, length)
    },
    decode: (log: RawLog, out: BatchBuilder): string | null => {
      const decoders = find(log)
      if (decoders === null) return "not a watched event"
      let first: string | null = null
      for (const decoder of decoders) {
        const reason = decoder.decode(log, out)
        if (reason === null) return null
        first ??= reason
      }
      return first
    }
  }
}

/** The decoder of everything whose topic0 is worth asking for. */
export const evmDecoder: LogDecoder = makeDecoder(venueKinds, furtherEvents)

/** The topic0 values worth asking a node for. */
export const watchedTopics: ReadonlyArray<string> = [
  ...new Set(
    [...venueKinds.flatMap(kind => kind.events), ...furtherEvents].map(event => event.topic0)
  )
]

/** topic0 values whose emitter is the pool itself. */
export const poolTopics: ReadonlySet<string> = new Set(
  venueKinds.flatMap(kind =>
    kind.events.filter(event => event.emitterIsPool).map(event => event.topic0)
  )
)
