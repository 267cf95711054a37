/** Laws of decoding, over the events of a venue kind or of a folder that is none. */
import { toEventSelector } from "viem"
import { describe, expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import { evmDecoder, makeDecoder } from "../../streams/evm/decoder.ts"
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
      expect(decoder.tokensOf?.(raw), event.abi).toEqual(named)
    }
  }
}

export const eventLaws = (under: EventsUnderLaw): void => {
  const { events, laws } = under
  describe(`${laws.kind}: events`, () => {
    it("names each event by the hash of its signature", () => {
      for (const { abi, topic0 } of events) expect(topic0).toBe(toEventSelector(abi))
      expect(new Set(events.map(event => event.abi)).size).toBe(events.length)
      expect(Object.keys(laws.meanings).sort()).toEqual(events.map(({ abi }) => abi).sort())
    })

    it("gives back what was encoded", () => {
      const chance = random(`${laws.kind} round trip`)
      for (const event of events) {
        const abi = abiEvent(event.abi)
        for (let i = 0; i < 300 * SHARE; i++) {
          const args = randomArgs(chance, abi)
          const meanings = listed(laws.meanings[event.abi]?.(args, EMITTER) ?? null)
          const decoded = decodeAll(event.decode, rawLogOf(encodeLog(abi, args, EMITTER), i))
          if (meanings === null) expect(typeof decoded, event.abi).toBe("string")
          else expect(decoded, event.abi).toEqual(meanings.map(at(i)))
        }
      }
    })

    it("says where its logs name the tokens of a swap", () => {
      saysWhereTokensAre(random(`${laws.kind} tokens`), events)
    })

    it("takes exactly the logs that encode what they say, and is never thrown", () => {
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
        if (!isSound) expect(typeof result, JSON.stringify(candidate)).toBe("string")
        else expect((result as ReadonlyArray<Event>).map(meaningOf)).toEqual(meaning)
      }
      expect(Math.min(taken.yes, taken.no)).toBeGreaterThan(150 * SHARE)
    })

    it("does not read beyond a log's own bytes", () => {
      const chance = random(`${laws.kind} leftovers`)
      for (let i = 0; i < 500 * SHARE; i++) {
        const { event, log } = randomEvent(chance, events)
        const raw = rawLogOf(log)
        const used = raw.data
        raw.data = new Uint8Array(4096).fill(chance.integer(0, 255))
        raw.data.set(used)
        raw.topics.fill(0xff, raw.topicCount * 32)
        const meaning = referenceMeaning(under, event, log)
        const decoded = decodeAll(event.decode, raw)
        if (meaning === null) expect(typeof decoded).toBe("string")
        else expect((decoded as ReadonlyArray<Event>).map(meaningOf)).toEqual(meaning)
        if (raw.dataLength >= 32) {
          raw.dataLength -= 32
          expect(typeof decodeAll(evmDecoder.decode, raw)).toBe("string")
        }
      }
    })
  })
}
