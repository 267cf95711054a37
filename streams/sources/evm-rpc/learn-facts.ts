/** Finds out what blocks tell of pools and tokens nobody knows yet, before they are written. */
import { Effect } from "effect"
import { toHex, ZERO_ADDRESS } from "../../../src/domain/address.ts"
import { BatchBuilder } from "../../batch/builder.ts"
import { evmDecoder, poolTopics } from "../../evm/decoder.ts"
import { venueKinds } from "../../evm/venue-kinds.ts"
import { nativeFact, type PoolFact } from "../../facts.ts"
import { kindOfPool, shapeOf, venueOfPool } from "../../pool-venue.ts"
import { newRawLog, type RawLog } from "../../raw-log.ts"
import type { AnyVenueKind } from "../../venue.ts"
import type { WireBlock } from "./block-proof.ts"
import { readPools, readTokens, type UnknownPool } from "./read-facts.ts"
import { fillRawLog, type LaneError, type RpcLane } from "./rpc-lane.ts"

/** The kinds whose pools emit a topic themselves: more than one where layouts differ. */
const kindsOfTopic: ReadonlyMap<string, ReadonlyArray<AnyVenueKind>> = new Map(
  [...poolTopics].map(topic => [
    topic,
    venueKinds.filter(kind =>
      kind.events.some(event => event.emitterIsPool && event.topic0 === topic)
    )
  ])
)

const kindsByName: ReadonlyMap<string, AnyVenueKind> = new Map(
  venueKinds.map(kind => [kind.kind, kind])
)

/** The first kind that takes the log as its pool's. */
const kindOf = (topic: string, raw: RawLog): AnyVenueKind | undefined => {
  const kinds = kindsOfTopic.get(topic) ?? []
  if (kinds.length < 2) return kinds[0]
  return kinds.find(kind =>
    kind.events.some(
      event => event.topic0 === topic && event.decode(raw, new BatchBuilder()) === null
    )
  )
}

interface Unknown {
  readonly pools: Map<string, UnknownPool>
  readonly tokens: Set<string>
}

/** Tokens of the pools whose creation was decoded into `scratch`. */
const addCreated = (lane: RpcLane, scratch: BatchBuilder, unknown: Unknown): void => {
  const { pool, tokens } = scratch.columns.PoolCreated
  for (let row = 0; row < pool.count; row++) {
    unknown.pools.delete(toHex(scratch.ids.bytes(pool.get(row))))
    for (const ref of tokens.get(row)) {
      const token = toHex(scratch.ids.bytes(ref))
      if (!lane.writer.knowsToken(token) && lane.facts.token(token) === null) {
        unknown.tokens.add(token)
      }
    }
  }
}

const unknownOf = (lane: RpcLane, blocks: ReadonlyArray<WireBlock>): Unknown => {
  const unknown: Unknown = { pools: new Map(), tokens: new Set() }
  const scratch = new BatchBuilder()
  const raw = newRawLog()
  for (const { logs } of blocks) {
    for (const log of logs) {
      if (evmDecoder.decode(fillRawLog(log, raw), scratch) !== null) continue
      const { address } = log
      if (lane.silent.has(address) || lane.writer.knowsPool(address)) continue
      if (lane.facts.pool(address) !== null) continue
      const kind = kindOf(log.topics[0] ?? "", raw)
      const before = unknown.pools.get(address)?.kind
      if (kind !== undefined && (before === undefined || shapeOf(kind.kind) === before.kind))
        unknown.pools.set(address, { address, kind })
    }
  }
  addCreated(lane, scratch, unknown)
  return unknown
}

/** A V2 fork's contracts do not tell their fee; the registry does, by factory. */
const withVenueFee = (lane: RpcLane, fact: PoolFact): PoolFact => {
  const venue = venueOfPool(lane.chain, fact.factory, fact.venueKind)
  if (fact.fee !== null || venue?.feeBps === undefined) return fact
  return { ...fact, fee: Math.round(venue.feeBps * 100) }
}

/**
 * Facts of the pools. An event tells a shape that several kinds share; where the factory names
 * another one of them, that kind's own calls are what describes the pool.
 */
const readByFactory = (
  lane: RpcLane,
  pools: ReadonlyArray<UnknownPool>,
  block: number
): Effect.Effect<ReadonlyArray<PoolFact>, LaneError> =>
  Effect.gen(function* () {
    const read = yield* readPools(lane.endpoints, pools, block)
    const others = read.flatMap(({ pool, factory, venueKind }) => {
      const kind = kindsByName.get(kindOfPool(lane.chain, factory, venueKind))
      return kind === undefined || kind.kind === venueKind ? [] : [{ address: pool, kind }]
    })
    if (others.length === 0) return read
    const again = yield* readPools(lane.endpoints, others, block)
    const corrected = new Map(again.map(fact => [fact.pool, fact]))
    return read.map(fact => corrected.get(fact.pool) ?? fact)
  })

/** Reads the facts of every pool and token that these blocks mention for the first time. */
export const learnFacts = (
  lane: RpcLane,
  blocks: ReadonlyArray<WireBlock>
): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    const { pools, tokens } = unknownOf(lane, blocks)
    if (pools.size === 0 && tokens.size === 0) return
    const newest = blocks[blocks.length - 1]?.header.number ?? 0
    const read = yield* readByFactory(lane, [...pools.values()], newest)
    for (const fact of read) {
      lane.facts.addPool(withVenueFee(lane, fact))
      pools.delete(fact.pool)
      for (const token of fact.tokens) {
        if (!lane.writer.knowsToken(token) && lane.facts.token(token) === null) tokens.add(token)
      }
    }
    for (const address of pools.keys()) lane.silent.add(address)
    if (tokens.delete(ZERO_ADDRESS)) lane.facts.addToken(nativeFact(lane.chain))
    for (const fact of yield* readTokens(lane.endpoints, [...tokens], newest)) {
      lane.facts.addToken(fact)
    }
    lane.writer.factsChanged()
  })
