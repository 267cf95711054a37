/**
 * A segment as a JetStream message. What is known of it stands as JSON in one header, its events
 * are the payload, and a second header holds the sha-256 over both. The facts contain the hash of
 * the segment before, so every hash vouches for the whole log up to its segment.
 */
import { createHash } from "node:crypto"
import { Result, Schema } from "effect"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { decodeSegment } from "../../streams/codec/segment-codec.ts"
import { EVENT_SCHEMA_VERSION } from "../../streams/event.ts"
import type { RawSegment, Segment, SegmentHeader } from "./segment.ts"

/** Names of the headers, beside JetStream's own. */
export const factsHeader = "Tape-Segment"
export const hashHeader = "Tape-Hash"
/** which writer appended it: a random name of one opening of the log, not part of the hash */
export const writerHeader = "Tape-Writer"

/** Version of the facts below; the payload has its own. */
const formatVersion = 1

const Seq = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const NullableHash = Schema.NullOr(Schema.String)
const Hash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

const BlockFacts = Schema.Struct({
  number: Seq,
  hash: NullableHash,
  parentHash: NullableHash
})

/** In the order in which they are written. Absent keys are false or null. */
const Facts = Schema.Struct({
  version: Schema.Literal(formatVersion),
  events: Schema.Struct({ schema: Seq, count: Seq }),
  chain: Schema.String,
  firstSeq: Seq,
  lastSeq: Seq,
  /** absent where it is the last block */
  first: Schema.optionalKey(BlockFacts),
  last: Schema.Struct({ ...BlockFacts.fields, time: Seq }),
  rollbackTo: Schema.optionalKey(Seq),
  continues: Schema.optionalKey(Schema.Literal(true)),
  splicing: Schema.optionalKey(Seq),
  previousHash: Hash
})
type Facts = typeof Facts.Type

const decodeFacts = Schema.decodeUnknownResult(Schema.fromJsonString(Facts))

/** All of a header that is known before the message is stored. */
export type NewHeader = Omit<SegmentHeader, "hash">

const factsOf = (header: NewHeader): Facts => {
  const first = {
    number: header.firstBlock,
    hash: header.firstBlockHash,
    parentHash: header.firstParentHash
  }
  const last = {
    number: header.lastBlock,
    hash: header.lastBlockHash,
    parentHash: header.lastParentHash
  }
  const oneBlock =
    first.number === last.number && first.hash === last.hash && first.parentHash === last.parentHash
  return {
    version: formatVersion,
    events: { schema: EVENT_SCHEMA_VERSION, count: header.lastSeq - header.firstSeq + 1 },
    chain: header.chain,
    firstSeq: header.firstSeq,
    lastSeq: header.lastSeq,
    ...(oneBlock ? {} : { first }),
    last: { ...last, time: header.lastBlockTime },
    ...(header.rollbackTo === null ? {} : { rollbackTo: header.rollbackTo }),
    ...(header.continues ? { continues: true } : {}),
    ...(header.splicing === null ? {} : { splicing: header.splicing }),
    previousHash: header.previousHash
  }
}

const headerOf = (facts: Facts, hash: string, streamSeq: number): SegmentHeader => {
  const { last } = facts
  const first = facts.first ?? last
  return {
    chain: facts.chain,
    firstSeq: facts.firstSeq,
    lastSeq: facts.lastSeq,
    firstBlock: first.number,
    firstBlockHash: first.hash,
    firstParentHash: first.parentHash,
    lastBlock: last.number,
    lastBlockHash: last.hash,
    lastParentHash: last.parentHash,
    lastBlockTime: last.time,
    rollbackTo: facts.rollbackTo ?? null,
    continues: facts.continues ?? false,
    splicing: facts.splicing ?? null,
    previousHash: facts.previousHash,
    hash,
    streamSeq
  }
}

const hashOf = (facts: string, payload: Uint8Array): string =>
  createHash("sha256").update(facts).update("\n").update(payload).digest("hex")

/** A segment ready to be published. */
export interface SealedSegment {
  readonly header: SegmentHeader
  readonly facts: string
  readonly payload: Uint8Array
}

/** Adds the hash to a new segment. */
export const seal = (header: NewHeader, payload: Uint8Array): SealedSegment => {
  const facts = JSON.stringify(factsOf(header))
  return { header: { ...header, hash: hashOf(facts, payload) }, facts, payload }
}

/** What the log needs of a stored message. */
export interface SegmentMessage {
  readonly streamSeq: number
  readonly header: (name: string) => string
  readonly data: Uint8Array
}

/** The segment in a message, or why it is none. Its own hash is checked, its place is not. */
export const openMessage = (message: SegmentMessage): Result.Result<RawSegment, string> => {
  const text = message.header(factsHeader)
  const hash = message.header(hashHeader)
  if (text === "" || hash === "") return Result.fail("it is not a segment of swaptape")
  if (hashOf(text, message.data) !== hash) {
    return Result.fail("its content does not match its own hash")
  }
  const facts = decodeFacts(text)
  if (Result.isFailure(facts)) {
    return Result.fail(`its header cannot be read, it may be newer than this engine: ${text}`)
  }
  const { firstSeq, lastSeq, events } = facts.success
  if (events.count !== lastSeq - firstSeq + 1) {
    return Result.fail(`it counts ${events.count} events from seq ${firstSeq} to ${lastSeq}`)
  }
  return Result.succeed({
    header: headerOf(facts.success, hash, message.streamSeq),
    payload: message.data
  })
}

/** Decodes the events of a segment. */
export const openPayload = ({ header, payload }: RawSegment): Result.Result<Segment, string> => {
  const batch: Result.Result<EventBatch, Error> = decodeSegment(payload)
  if (Result.isFailure(batch)) return Result.fail(`its events: ${batch.failure.message}`)
  const { count } = batch.success
  const expected = header.lastSeq - header.firstSeq + 1
  if (count !== expected)
    return Result.fail(`it holds ${count} events, its header says ${expected}`)
  return Result.succeed({ header, batch: batch.success, bytes: payload.length })
}
