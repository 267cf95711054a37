/** Laws of decoding, over the events of a venue kind or of a folder that is none. */
import { toEventSelector } from "viem"
import { describe, expect, it } from "vitest"
import { toHex } from "../../src/domain/address.ts"
import type { Event } from "../../streams/event.ts"
import { evmDecoder, makeDecoder } from "../../streams/evm/decoder.ts"
import type { RawLog } from "../../streams/evm/raw-log.ts"
import type { EventDecoder } from "../../streams/venue.ts"
import type { EventMeaning } from "../../streams/venue-laws.ts"
import { abiEvent, damaged, encodeLog, randomArgs, reencodeLog } from "./abi-logs.ts"
import { decodeAll } from "./decode-one.ts"
import { type HexLog, rawLogOf } from "./raw-logs.ts"
import { type Random, random } from "./seed.ts"
import { type EventsUnderLaw, listed, meaningOf, referenceMeaning, viemArgs } from "./venue-laws.ts"

/** Of the random rounds, without `npm run test:long`. */
export const SHARE = process.env["SWAPTAPE_LONG"] === "1" ? 1 : 0.2

const EMITTER = `0x${"ee".repeat(20)}`

const ZERO_HASH = `0x${"00".repeat(32)}`
/** the open builder's block and transaction */
const place = {
  block: { number: 1, time: 1, hash: ZERO_HASH, parentHash: ZERO_HASH },
  tx: { hash: ZERO_HASH, index: 0, from: null, to: null }
}

const sameLog = (a: HexLog, b: HexLog): boolean =>
  a.data === b.data && a.topics.join() === b.topics.join()

/** The event at a log's place in the open builder's block and transaction. */
const at =
  (logIndex: number) =>
  (meaning: EventMeaning): Event =>
    ({ ...place, ...meaning, logIndex }) as Event

const randomEvent = (chance: Random, events: ReadonlyArray<EventDecoder>) => {
  const event = chance.pick(events)
  const abi = abiEvent(event.abi)
  return { event, abi, log: encodeLog(abi, randomArgs(chance, abi), EMITTER) }
}

/** Where a log names two tokens one after the other, as an `EventDecoder` says it; null: nowhere. */
const placeOf = (
  { topics, topicCount, data, dataLength }: RawLog,
  tokens: ReadonlyArray<string | null>
): string | null => {
  const parts = [
    { where: "topics", bytes: topics, length: topicCount * 32 },
    { where: "data", bytes: data, length: dataLength }
  ]
  for (const { where, bytes, length } of parts) {
    for (let at = 0; at + 64 <= length; at += 32) {
      const named = [at, at + 32].map(from => toHex(bytes.subarray(from + 12, from + 32)))
      if (named.join() === tokens.join()) return `tokens: { in: "${where}", at: ${at} }`
    }
  }
  return null
}

/** What to write beside the decoder of a log that names these tokens; none: it names no tokens. */
const toWrite = (raw: RawLog, named: ReadonlyArray<string | null>): string => {
  if (named.length === 0)
    return "decode pushes no token0 and token1 with the swap: leave `tokens` out"
  const place = placeOf(raw, named)
  return place === null
    ? "the log does not have the tokens that decode pushes in two words one after the other: push " +
        "NONE as token0 and token1, and leave `tokens` out"
    : `decode pushes the tokens that the log names: write ${place} beside it`
}

/** The tokens that a log's own bytes name are those that its swaps tell. */
const saysWhereTokensAre = (chance: Random, events: ReadonlyArray<EventDecoder>): void => {
  const decoder = makeDecoder([], events)
  for (const event of events) {
    const abi = abiEvent(event.abi)
    for (let i = 0; i < 20; i++) {
      const raw = rawLogOf(encodeLog(abi, randomArgs(chance, abi), EMITTER))
      const decoded = decodeAll(event.decode, raw)
      if (typeof decoded === "string") continue
      const named = decoded.flatMap(one =>
        one.kind === "SwapExecuted" && one.token0 !== null ? [one.token0, one.token1] : []
      )
      const of = `"${event.abi}" in decode.ts: ${toWrite(raw, named)}`
      expect(decoder.tokensOf?.(raw), of).toEqual(named)
    }
  }
}

/** Who says what a log of the event means. */
const saying = ({ kind }: EventsUnderLaw["laws"], { abi }: EventDecoder): string =>
  `"${abi}": the meaning in ${kind}.laws.ts`

/** Each event has its topic, its own ABI text, and one meaning in the laws. */
const namesEvents = (under: EventsUnderLaw): void => {
  const { events, laws } = under
  for (const { abi, topic0 } of events) {
    const hash = toEventSelector(abi)
    expect(
      topic0,
      `"${abi}" in decode.ts: write topic0: "${hash}" if the ABI text is the contract's: check the ` +
        "topic against a real log or the deployed contract. A name or a type that is misspelt has " +
        "another hash, and then no log of the chain is this event"
    ).toBe(hash)
  }
  const abis = events.map(({ abi }) => abi)
  const twice = abis.filter((abi, i) => abis.indexOf(abi) < i)
  expect(twice, "events that decode.ts lists twice").toEqual([])
  expect(
    Object.keys(laws.meanings).sort(),
    `meanings of ${laws.kind}.laws.ts are by the ABI texts of decode.ts, word for word, one of ` +
      "each event"
  ).toEqual(abis.sort())
}

/** A damaged log is taken where it still encodes what it says, and refused elsewhere. */
const takesSoundLogs = (under: EventsUnderLaw): void => {
  const { events, laws } = under
  const chance = random(`${laws.kind} damage`)
  const decoder = makeDecoder([], events)
  const taken = { yes: 0, no: 0 }
  for (let i = 0; i < 3000 * SHARE; i++) {
    const { event, abi, log } = randomEvent(chance, events)
    const candidate = damaged(chance, log)
    const result = decodeAll(decoder.decode, rawLogOf(candidate))
    const args = viemArgs(event.abi, candidate)
    const again = args === null ? null : reencodeLog(abi, args, EMITTER)
    const meaning = referenceMeaning(under, event, candidate)
    const isSound = again !== null && sameLog(again, candidate) && meaning !== null
    taken[isSound ? "yes" : "no"]++
    const of = saying(laws, event)
    if (!isSound) {
      const told = `the log is not what its ABI encodes, or ${of} refuses it, and decode takes it`
      expect(typeof result, `${told}: check each word's range. ${JSON.stringify(candidate)}`).toBe(
        "string"
      )
    } else {
      expect(typeof result, `${of} takes the log, and decode refuses it: ${result}`).toBe("object")
      expect((result as ReadonlyArray<Event>).map(meaningOf), of).toEqual(meaning)
    }
  }
  expect(
    Math.min(taken.yes, taken.no),
    `${JSON.stringify(taken)}: of damaged logs too few are taken, or too few refused, to try it`
  ).toBeGreaterThan(150 * SHARE)
}

/** What a log becomes, without its place: what decode makes of it otherwise has laws of its own. */
const meaningsIn = (raw: RawLog, { decode }: EventDecoder): unknown => {
  const decoded = decodeAll(decode, raw)
  return typeof decoded === "string" ? "refused" : decoded.map(meaningOf)
}

/** What stands behind a log's own bytes is another log's. */
const readsOwnBytes = ({ events, laws }: EventsUnderLaw): void => {
  const chance = random(`${laws.kind} leftovers`)
  for (let i = 0; i < 500 * SHARE; i++) {
    const { event, log } = randomEvent(chance, events)
    const raw = rawLogOf(log)
    const used = raw.data
    raw.data = new Uint8Array(4096).fill(chance.integer(0, 255))
    raw.data.set(used)
    raw.topics.fill(0xff, raw.topicCount * 32)
    expect(
      meaningsIn(raw, event),
      `"${event.abi}": with other bytes behind the log's own, decode tells something else than ` +
        "without them: it reads beyond dataLength or topicCount"
    ).toEqual(meaningsIn(rawLogOf(log), event))
    if (raw.dataLength >= 32) {
      raw.dataLength -= 32
      expect(
        typeof decodeAll(evmDecoder.decode, raw),
        `"${event.abi}": a word is missing at the end, and decode takes the log: check dataLength`
      ).toBe("string")
    }
  }
}

export const eventLaws = (under: EventsUnderLaw): void => {
  const { events, laws } = under
  describe(`${laws.kind}: events`, () => {
    it("names each event by the hash of its signature", () => namesEvents(under))

    it("gives back what was encoded", () => {
      const chance = random(`${laws.kind} round trip`)
      for (const event of events) {
        const abi = abiEvent(event.abi)
        for (let i = 0; i < 300 * SHARE; i++) {
          const args = randomArgs(chance, abi)
          const meanings = listed(laws.meanings[event.abi]?.(args, EMITTER) ?? null)
          const decoded = decodeAll(event.decode, rawLogOf(encodeLog(abi, args, EMITTER), i))
          const of = saying(laws, event)
          if (meanings === null) expect(typeof decoded, `${of} refuses the log`).toBe("string")
          else expect(decoded, `${of} has other events`).toEqual(meanings.map(at(i)))
        }
      }
    })

    it("says where its logs name the tokens of a swap", () => {
      saysWhereTokensAre(random(`${laws.kind} tokens`), events)
    })

    it("takes exactly the logs that encode what they say, and is never thrown", () =>
      takesSoundLogs(under))

    it("does not read beyond a log's own bytes", () => readsOwnBytes(under))
  })
}
