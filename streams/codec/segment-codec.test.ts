import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { base58Ids, hexIds } from "../../src/domain/ids.ts"
import { base58Texts, randomEvents } from "../../test/support/random-events.ts"
import { seed } from "../../test/support/seed.ts"
import { EVENT_SCHEMA_VERSION } from "../event.ts"
import { batchOf, eventsOf } from "../event-objects.ts"
import { decodeSegment, encodeSegment } from "./segment-codec.ts"

const roundTrip = (bytes: Uint8Array) => Result.getOrThrow(decodeSegment(bytes))

/** A segment of six events, as it was written before transactions had a table of hashes. */
const VERSION_11 = [
  "CweKXIXMZRKwvEswEmMrXFlwmybqxa8MOeGCDGNmXvEDBv4PY6EbuiyzATM1/+QiRRmfVJyPmM0H33aDOwOAv5Md",
  "g6oAt72VzJwtmn5GFp/jlXefCH+OOiyIT9H9uglFycVU63oY1TzjiEVqkLK2tJ0njlouzG14Bgq7d4zkIjFmlNb+",
  "cfVzrm3KXI3RHQPEPaINDMOC64PPVHdLX4bzctnDLOARy4hOx2FuJod2c6wL27SHFG1kC8ASIPwyj29Frx+AGdEc",
  "Os2lMbXGlJ8a800WvJ3t/cWkyS2wj1a6AA/1sCvAru9LPbx/Yap3v2gCBnJlb3JnAQEAgOqaoYcJAKzJnewFAAAA",
  "AANAAgQJGgBaaARCAwwMAwWwAQYBBAcAAAIApAMLAwAw3jLNB7k+AQQDEAMFggEBAAYDAA8AAgcoQR0XARBvAXN3",
  "RCxC67rSzJkRdSxOQwYS2eOms48V7cV47Rvsv8rE9/M6GYMUFtjyu/0pxkMhOAe1Tt2HfqhBVU89zF/j7LZ2gHTP",
  "p9lkNHAcDwGHdGsFA0wDEsqBw7ShJdi/MyegQqKZOsEDsZTv+kNBLyB0BYu+WMFGSNOx80SBnSjByLArXSEumlbx",
  "/xYtl6Ngn4jumMekWh8h9x34oxr8Tz4CPZIpGGT0ExeJ0wYATwoAH6qpXBBiSSX+xuiR0dQkiuATFCHMekfPOz3Q",
  "AQACIP////8BAAAA0BMbACD/////ewAAAAIAAAADAGgABANoABUBAAAgAAA8T2xC0Kdsn8/YAQwFAwNAAQwHAQAU",
  "EDUtDek0Pgu79WBk4psIhvBeDHKPbDKjdTodKlLaNijFCdMYnzCLawx8RRCC0Bo+oqe+YZgFAx4wZjIxkS2V3aep",
  "YnPmmGaHXW0XGCDsvetkAA=="
].join("")

/** Those events as version 12 wrote them, before segments told how their chain writes identities. */
const VERSION_12 = [
  "DAeKXIXMZRKwvEswEmMrXFlwmybqxa8MOeGCDGNmXvEDBv4PY6EbuiyzATM1/+QiRRmfVJyPmM0H33aDOwOAv5Md",
  "g6oAt72VzJwtmn5GFp/jlXefCH+OOiyIT9H9uglFycVU63oY1TzjiEVqkLK2tJ0njlouzG14Bgq7d4zkIjFmlNb+",
  "cfVzrm3KXI3RHQPEPaINDMOC64PPVHdLX4bzctnDLOARy4hOx2FuJod2c6wL27SHFG1kC8ASIPwyj29Frx+AGdEc",
  "Os2lMbXGlJ8a800WvJ3t/cWkyS2wj1a6AA/1sCvAru9LPbx/Yap3v2gCBnJlb3JnAQEAgOqaoYcJAKzJnewFAAAA",
  "AAMgxD2iDQzDguuDz1R3S1+G83LZwyzgEcuITsdhbiaHdnOsC9u0hxRtZAvAEiD8Mo9vRa8fgBnRHDrNpTG1xpSf",
  "GvNNFryd7f3FpMktsI9WugAP9bArwK7vSz28f2Gqd79oCRoAWmgEQgMMDAMFsAEGAQQHAAACAKQDCwMAMN4yzQe5",
  "PgEEAxADBYIBAQAGAwAPAAIHKEEdFwEQbwFzd0QsQuu60syZEXUsTkMGEtnjprOPFe3FeO0b7L/KxPfzOhmDFBbY",
  "8rv9KcZDITgHtU7dh36oQVVPPcxf4+y2doB0z6fZZDRwHA8Bh3RrBQNMAxLKgcO0oSXYvzMnoEKimTrBA7GU7/pD",
  "QS8gdAWLvljBRkjTsfNEgZ0owciwK10hLppW8f8WLZejYJ+I7pjHpFofIfcd+KMa/E8+Aj2SKRhk9BMXidMGAE8K",
  "AB+qqVwQYkkl/sbokdHUJIrgExQhzHpHzzs90AEAAiD/////AQAAANATGwAg/////3sAAAACAAAAAwBoAAQDaAAV",
  "AQAAIAAAPE9sQtCnbJ/P2AEMBQMDQAEMBwEAFBA1LQ3pND4Lu/VgZOKbCIbwXgxyj2wyo3U6HSpS2jYoxQnTGJ8w",
  "i2sMfEUQgtAaPqKnvmGYBQMeMGYyMZEtld2nqWJz5phmh11tFxgg7L3rZAA="
].join("")

const FIRST_TX = "0xc43da20d0cc382eb83cf54774b5f86f372d9c32ce011cb884ec7616e26877673"
const SECOND_TX = "0xac0bdbb487146d640bc01220fc328f6f45af1f8019d11c3acda531b5c6949f1a"
const THIRD_TX = "0xf34d16bc9dedfdc5a4c92db08f56ba000ff5b02bc0aeef4b3dbc7f61aa77bf68"

const fromBase64 = (text: string) => new Uint8Array(Buffer.from(text, "base64"))

describe("segment codec", () => {
  it("gives back every event it was given", () => {
    for (let run = 0; run < 300; run++) {
      const events = randomEvents(seed, run, run % 60)
      const batch = batchOf(events)
      expect(eventsOf(batch)).toEqual(events)
      expect(eventsOf(roundTrip(encodeSegment(batch)))).toEqual(events)
    }
  })

  it("gives the same bytes for the same events", () => {
    const events = randomEvents(seed, 7, 200)
    const bytes = encodeSegment(batchOf(events))
    expect(encodeSegment(roundTrip(bytes))).toEqual(bytes)
  })

  it("answers cut and damaged bytes with a reason, never a crash", () => {
    const bytes = encodeSegment(batchOf(randomEvents(seed, 11, 40)))
    for (let length = 0; length < bytes.length; length++) {
      expect(Result.isFailure(decodeSegment(bytes.slice(0, length)))).toBe(true)
    }
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice()
      damaged[at] = (damaged[at] as number) ^ (1 + ((at * 37) % 255))
      decodeSegment(damaged)
    }
    expect(Result.isFailure(decodeSegment(Uint8Array.of(...bytes, 0)))).toBe(true)
  })

  it("reads what version 11 wrote, which kept hashes of transactions among all hashes", () => {
    const events = eventsOf(roundTrip(fromBase64(VERSION_11)))
    expect(events.map(({ kind, logIndex, tx }) => [kind, logIndex, tx?.index, tx?.hash])).toEqual([
      ["ReservesSynced", 3, undefined, undefined],
      ["ReservesSynced", 969, 26, FIRST_TX],
      ["ReservesSynced", 1230, 71, SECOND_TX],
      ["SwapExecuted", 1001, 71, SECOND_TX],
      ["SwapExecuted", 915, 308, THIRD_TX],
      ["SwapExecuted", 640, undefined, undefined]
    ])
    expect(events[1]).toMatchObject({
      block: { number: 311186339072, time: 1569154220, hash: null },
      tx: {
        from: "0xaf0c39e1820c63665ef10306fe0f63a11bba2cb3",
        to: "0x013335ffe42245199f549c8f98cd07df76833b03"
      },
      pool: "0x80bf931d83aa00b7bd95cc9c2d9a7e46169fe395",
      reserve0: 303581256202547994471751301664008182130828669583n,
      reserve1: 109n
    })
    expect(events[4]).toMatchObject({
      amount1Out: 781743631191406437899338028619277921799120982569n
    })
    const now = encodeSegment(batchOf(events))
    expect(now[0]).toBe(EVENT_SCHEMA_VERSION)
    expect(eventsOf(roundTrip(now))).toEqual(events)
  })

  it("refuses what version 11 cannot have written: a transaction whose hash is an address", () => {
    const bytes = fromBase64(VERSION_11)
    const place = bytes.length
    const refusals = new Set<string>()
    for (let at = 0; at < place; at++) {
      const damaged = bytes.slice()
      damaged[at] = (damaged[at] as number) ^ 1
      const read = decodeSegment(damaged)
      if (Result.isFailure(read)) refusals.add(read.failure.message)
    }
    expect(refusals).toContain("a transaction has no hash")
  })

  it("reads what version 12 wrote, which kept identities of one form alone", () => {
    const before = roundTrip(fromBase64(VERSION_12))
    expect(eventsOf(before)).toEqual(eventsOf(roundTrip(fromBase64(VERSION_11))))
    expect(before.ids.form).toBe(hexIds)
    expect(before.ids.accounts.width).toBe(32)
  })

  it("keeps accounts of 32 bytes and transactions of 64, which the case of letters tells apart", () => {
    for (let run = 0; run < 30; run++) {
      const events = randomEvents(seed, run, 40, base58Texts)
      const batch = batchOf(events)
      expect(batch.ids.form).toBe(base58Ids)
      expect(batch.txs.hash.width).toBe(64)
      expect(eventsOf(batch)).toEqual(events)
      expect(eventsOf(roundTrip(encodeSegment(batch)))).toEqual(events)
    }
  })

  it("refuses identities of a form it does not know", () => {
    const bytes = encodeSegment(batchOf(randomEvents(seed, 3, 3)))
    bytes[1] = 7
    const failure = decodeSegment(bytes)
    expect(Result.isFailure(failure) && failure.failure.message).toBe(
      "form 7 of identities is newer than this engine"
    )
  })

  it("refuses a version it does not know", () => {
    const bytes = encodeSegment(batchOf(randomEvents(seed, 3, 3)))
    bytes[0] = 99
    const failure = decodeSegment(bytes)
    expect(Result.isFailure(failure) && failure.failure.message).toBe(
      "schema version 99 is newer than this engine"
    )
  })
})
