/** Finds out what blocks tell of pools and tokens nobody knows yet, before they are written. */
import { Effect } from "effect"
import { ZERO_ADDRESS } from "../../../src/domain/address.ts"
import { BatchBuilder } from "../../batch/builder.ts"
import { evmDecoder, poolTopics } from "../../evm/decoder.ts"
import { newRawLog, type RawLog } from "../../evm/raw-log.ts"
import { venueKinds } from "../../evm/venue-kinds.ts"
import { nativeFact, type PoolFact, type TokenFact } from "../../facts.ts"
import { forgetOldest } from "../../forget-oldest.ts"
import {
  decodedAs,
  kindNamed,
  kindOfPool,
  venueOfOneContract,
  venueOfPool
} from "../../pool-venue.ts"
import type { AnyVenueKind } from "../../venue.ts"
import type { WireBlock } from "./block-proof.ts"
import { foreignPools } from "./foreign-pools.ts"
import { readPools, readTokens, type UnknownPool } from "./read-facts.ts"
import { refreshTokens } from "./refresh-tokens.ts"
import { fillRawLog, type LaneError, type RpcLane } from "./rpc-lane.ts"
import { tradedOf } from "./traded.ts"
import type { WireLog } from "./wire.ts"

/** The kinds whose pools emit a topic themselves: more than one where layouts differ. */
const kindsOfTopic: ReadonlyMap<string, ReadonlyArray<AnyVenueKind>> = new Map(
  [...poolTopics].map(topic => [
    topic,
    venueKinds.filter(kind =>
      kind.events.some(event => event.emitterIsPool && event.topic0 === topic)
    )
  ])
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

const isTold = (lane: RpcLane, pool: string): boolean =>
  lane.facts.pool(pool) !== null || lane.facts.reads.tokensOf(pool) !== null

/** The kind of a pool that a log names, if the contract is the chain's that holds pools of it. */
const holderKind = (lane: RpcLane, { address, topics }: WireLog): AnyVenueKind | undefined =>
  venueKinds.find(
    kind =>
      venueOfOneContract(lane.chain, kind.kind)?.factory === address &&
      kind.events.some(event => event.namesPool !== undefined && event.topic0 === topics[0])
  )

/** The pool of a log of which something is to be found out: the one that its holder names, else who
 *  logged it. */
const poolOfLog = (lane: RpcLane, log: WireLog, raw: RawLog): UnknownPool | null => {
  const named = evmDecoder.poolOf?.(raw) ?? null
  const address = named ?? log.address
  if (lane.silent.has(address) || isTold(lane, address)) return null
  const kind = named === null ? kindOf(log.topics[0] ?? "", raw) : holderKind(lane, log)
  if (kind === undefined) return null
  return { address, kind, ...(named !== null && { holder: log.address }) }
}

interface Unknown {
  readonly pools: Map<string, UnknownPool>
  readonly tokens: Set<string>
  /** pools that the log knows, and of which nothing is told since the start */
  readonly forgotten: Map<string, UnknownPool>
  /** all that was decoded, and the log of each of its swaps */
  readonly scratch: BatchBuilder
  readonly swaps: ReadonlyArray<WireLog>
}

/**
 * Tokens of the pools whose creation was decoded into `scratch`. Whose maker the chain's list does
 * not have is asked itself all the same.
 */
const addCreated = (lane: RpcLane, unknown: Unknown): void => {
  const { columns, ids, batch } = unknown.scratch
  const { pool, tokens, factory, venueKind } = columns.PoolCreated
  for (let row = 0; row < pool.count; row++) {
    const created = ids.text(pool.get(row)) as string
    const own = tokens.get(row).map(ref => ids.text(ref) as string)
    const kind = batch.syms[venueKind.get(row)] as string
    if (venueOfPool(lane.chain, ids.text(factory.get(row)), kind) !== null) {
      unknown.pools.delete(created)
      lane.facts.reads.created(created, own)
    }
    for (const token of own) {
      if (!lane.writer.knowsToken(token) && lane.facts.token(token) === null) {
        unknown.tokens.add(token)
      }
    }
  }
}

const unknownOf = (lane: RpcLane, blocks: ReadonlyArray<WireBlock>): Unknown => {
  const scratch = new BatchBuilder()
  const swaps: Array<WireLog> = []
  const [pools, tokens, forgotten] = [new Map(), new Set<string>(), new Map()]
  const unknown: Unknown = { pools, tokens, forgotten, scratch, swaps }
  const { pool: swapped } = scratch.columns.SwapExecuted
  const raw = newRawLog()
  for (const { logs } of blocks) {
    for (const log of logs) {
      if (evmDecoder.decode(fillRawLog(log, raw), scratch) !== null) continue
      while (swaps.length < swapped.count) swaps.push(log)
      const pool = poolOfLog(lane, log, raw)
      if (pool === null) continue
      const list = lane.writer.knowsPool(pool.address) ? forgotten : pools
      const before = list.get(pool.address)?.kind
      if (before === undefined || decodedAs(pool.kind.kind) === before.kind)
        list.set(pool.address, pool)
    }
  }
  addCreated(lane, unknown)
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
 * another one of them, that kind's own calls are what describes the pool. A factory of the list
 * that denies the pool is not its factory.
 */
const readByFactory = (
  lane: RpcLane,
  pools: ReadonlyArray<UnknownPool>,
  block: number
): Effect.Effect<ReadonlyArray<PoolFact>, LaneError> =>
  Effect.gen(function* () {
    const read = yield* readPools(lane.endpoints, pools, block)
    const others = read.flatMap(({ pool, factory, venueKind }) => {
      const kind = kindNamed(kindOfPool(lane.chain, factory, venueKind))
      return kind === undefined || kind.kind === venueKind ? [] : [{ address: pool, kind }]
    })
    const again = others.length === 0 ? [] : yield* readPools(lane.endpoints, others, block)
    const corrected = new Map(again.map(fact => [fact.pool, fact]))
    const facts = read.map(fact => corrected.get(fact.pool) ?? fact)
    const foreign = yield* foreignPools(lane.chain, lane.endpoints, facts, block)
    return foreign.size === 0
      ? facts
      : read.map((fact, i) =>
          foreign.has(fact.pool) ? { ...fact, factory: null } : (facts[i] as PoolFact)
        )
  })

/** An anchor that does not answer is what the chain's list says: prices start from it. */
const withAnchor = (lane: RpcLane, fact: TokenFact): TokenFact => {
  const anchor = lane.chain.anchors.find(({ address }) => address === fact.token)
  if (fact.decimals !== null || anchor === undefined) return fact
  const { symbol, name = null, decimals } = anchor
  return { ...fact, symbol, name, decimals, source: "registry" }
}

/** Pools of before the start whose tokens are asked for at once. */
const POOLS_RECALLED = 8

/** Finds out which tokens known pools have, so that these are read again when they trade. */
const recall = (
  lane: RpcLane,
  blocks: ReadonlyArray<WireBlock>,
  pools: ReadonlyArray<UnknownPool>
): Effect.Effect<void, LaneError> | null =>
  pools.length === 0
    ? null
    : Effect.map(
        readByFactory(lane, pools, blocks[blocks.length - 1]?.header.number ?? 0),
        facts => {
          for (const fact of facts) lane.facts.addPool(fact)
          for (const { address } of pools) {
            if (lane.facts.pool(address) === null) lane.facts.reads.created(address, [])
          }
        }
      )

const readUnknown = (
  lane: RpcLane,
  blocks: ReadonlyArray<WireBlock>,
  { pools, tokens }: Unknown
): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    if (pools.size === 0 && tokens.size === 0) return
    const header = blocks[blocks.length - 1]?.header
    const newest = header?.number ?? 0
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
      lane.facts.reads.read(fact.token, header?.time ?? 0, fact.decimals !== null)
      lane.facts.addToken(withAnchor(lane, fact))
    }
    lane.writer.factsChanged()
  })

/** Reads the facts of every pool and token that these blocks mention for the first time. */
export const learnFacts = (
  lane: RpcLane,
  blocks: ReadonlyArray<WireBlock>
): Effect.Effect<void, LaneError> =>
  Effect.gen(function* () {
    // What was read for the blocks before these stands in the log.
    lane.facts.trim(lane.mostFacts)
    forgetOldest(lane.silent, lane.mostFacts)
    const unknown = unknownOf(lane, blocks)
    yield* readUnknown(lane, blocks, unknown)
    yield* refreshTokens(lane, blocks, {
      ...tradedOf(lane, unknown.scratch, unknown.swaps),
      forgotten: recall(lane, blocks, [...unknown.forgotten.values()].slice(0, POOLS_RECALLED))
    })
  })
