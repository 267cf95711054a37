/** Finds out what blocks tell of pools and tokens nobody knows yet, before they are written. */
import { Effect } from "effect"
import { toHex } from "../../../src/domain/address.ts"
import { BatchBuilder } from "../../batch/builder.ts"
import { evmDecoder } from "../../evm/decoder.ts"
import { venueKinds } from "../../evm/venue-kinds.ts"
import type { PoolFact } from "../../facts.ts"
import { newRawLog } from "../../raw-log.ts"
import type { AnyVenueKind } from "../../venue.ts"
import type { WireBlock } from "./block-proof.ts"
import { readPools, readTokens, type UnknownPool } from "./read-facts.ts"
import { fillRawLog, type LaneError, type RpcLane } from "./rpc-lane.ts"

/** The kind whose pools emit a topic themselves. */
const kindOfTopic: ReadonlyMap<string, AnyVenueKind> = new Map(
  venueKinds.flatMap(kind =>
    kind.events.filter(event => event.emitterIsPool).map(event => [event.topic0, kind] as const)
  )
)

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
      const kind = kindOfTopic.get(log.topics[0] ?? "")
      if (kind === undefined || lane.silent.has(address) || lane.writer.knowsPool(address)) continue
      if (lane.facts.pool(address) === null) unknown.pools.set(address, { address, kind })
    }
  }
  addCreated(lane, scratch, unknown)
  return unknown
}

/** A V2 fork's contracts do not tell their fee; the registry does, by factory. */
const withVenueFee = (lane: RpcLane, fact: PoolFact): PoolFact => {
  const venue = lane.chain.venues.find(one => one.factory === fact.factory)
  if (fact.fee !== null || venue?.feeBps === undefined) return fact
  return { ...fact, fee: Math.round(venue.feeBps * 100) }
}

/** Reads the facts of every pool and token that these blocks mention for the first time. */
export const learnFacts = (
  lane: RpcLane,
  blocks: ReadonlyArray<WireBlock>
): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    const { pools, tokens } = unknownOf(lane, blocks)
    if (pools.size === 0 && tokens.size === 0) return
    const newest = blocks[blocks.length - 1]?.header.number ?? 0
    const read = yield* readPools(lane.endpoints, [...pools.values()], newest)
    for (const fact of read) {
      lane.facts.addPool(withVenueFee(lane, fact))
      pools.delete(fact.pool)
      for (const token of fact.tokens) {
        if (!lane.writer.knowsToken(token) && lane.facts.token(token) === null) tokens.add(token)
      }
    }
    for (const address of pools.keys()) lane.silent.add(address)
    for (const fact of yield* readTokens(lane.endpoints, [...tokens], newest)) {
      lane.facts.addToken(fact)
    }
    lane.writer.factsChanged()
  })
