import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { encodeSegment } from "../../streams/codec/segment-codec.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { blocksBatch } from "../../test/support/block-batches.ts"
import { factsHeader, hashHeader, openMessage, openPayload, seal } from "./segment-message.ts"

const batch = blocksBatch(7, 9, 4)
const payload = encodeSegment(batch)
const hash = (digit: string) => `0x${digit.repeat(64)}`

const header = {
  chain: "base",
  firstSeq: 101,
  lastSeq: 115,
  firstBlock: 7,
  firstBlockHash: hash("a"),
  firstParentHash: hash("b"),
  lastBlock: 9,
  lastBlockHash: null,
  lastParentHash: hash("c"),
  lastBlockTime: 1_700_000_009,
  rollbackTo: null,
  continues: false,
  splicing: null,
  previousHash: "d".repeat(64),
  streamSeq: 12
}

const messageOf = (
  headers: { readonly [name: string]: string },
  data: Uint8Array = payload,
  streamSeq = 12
) => ({ streamSeq, data, header: (name: string) => headers[name] ?? "" })

describe("a segment as a message", () => {
  const oneBlock = { ...header, firstBlock: 9, firstBlockHash: null, firstParentHash: hash("c") }
  const variants = [
    header,
    oneBlock,
    { ...header, rollbackTo: 0, continues: true },
    { ...oneBlock, rollbackTo: 99 }
  ]

  it("keeps all that is known of it", () => {
    for (const variant of variants) {
      const sealed = seal(variant, payload)
      const message = messageOf({ [factsHeader]: sealed.facts, [hashHeader]: sealed.header.hash })
      const opened = Result.getOrThrow(openMessage(message))
      expect(opened.header).toEqual({ ...variant, hash: sealed.header.hash })
      expect(sealed.header.hash).toMatch(/^[0-9a-f]{64}$/)
      const segment = Result.getOrThrow(openPayload(opened))
      expect(eventsOf(segment.batch)).toEqual(eventsOf(batch))
      expect(segment.bytes).toBe(payload.length)
    }
  })

  it("has the same hash for the same content, and another for any other", () => {
    const hashes = variants.map(variant => seal(variant, payload).header.hash)
    expect(hashes).toEqual(variants.map(variant => seal(variant, payload).header.hash))
    const others = [
      seal({ ...header, previousHash: "e".repeat(64) }, payload),
      seal(header, payload.subarray(1))
    ]
    expect(new Set([...hashes, ...others.map(other => other.header.hash)]).size).toBe(6)
  })

  it("does not open with any changed character of its facts or its hash", () => {
    const { facts, header: own } = seal(header, payload)
    for (let i = 0; i < facts.length; i++) {
      const changed = facts.slice(0, i) + (facts[i] === "1" ? "2" : "1") + facts.slice(i + 1)
      const message = messageOf({ [factsHeader]: changed, [hashHeader]: own.hash })
      expect(Result.isFailure(openMessage(message))).toBe(true)
    }
    for (const wrong of ["", own.hash.slice(1), own.hash.toUpperCase()]) {
      const message = messageOf({ [factsHeader]: facts, [hashHeader]: wrong })
      expect(Result.isFailure(openMessage(message))).toBe(true)
    }
  })

  it("says what is wrong with a header of another format, and with a wrong count", () => {
    const newer = seal({ ...header, lastBlockTime: -1 }, payload)
    const message = messageOf({ [factsHeader]: newer.facts, [hashHeader]: newer.header.hash })
    expect(Result.getFailure(openMessage(message))).toMatchObject({
      value: expect.stringContaining("cannot be read, it may be newer")
    })
    const more = seal({ ...header, lastSeq: 116 }, payload)
    const opened = openMessage(
      messageOf({ [factsHeader]: more.facts, [hashHeader]: more.header.hash })
    )
    expect(Result.getFailure(openPayload(Result.getOrThrow(opened)))).toMatchObject({
      value: "it holds 15 events, its header says 16"
    })
  })
})
