/** The ledger against a map of bigints: wherever it is folded to, after forks and restarts. */

import { Effect } from "effect"
import { expect, it } from "vitest"
import type { Segment } from "../../engine/log/segment.ts"
import type { Slice } from "../../engine/projection.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { openQueries } from "../../engine/runner/queries.ts"
import { digests, openStore } from "../../engine/store/store.ts"
import type { Address } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import type { Event } from "../../streams/event.ts"
import { WHOLE } from "../../test/support/asked-holders.ts"
import { testChain } from "../../test/support/chain-config.ts"
import {
  type HolderTruth,
  ledgerOf,
  NOBODY,
  newTruth,
  observe
} from "../../test/support/holder-truth.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { type Random, random, seed } from "../../test/support/seed.ts"
import { withUses } from "../all.ts"
import { holdersProjection } from "./projection.ts"

const STEPS = process.env["SWAPTAPE_LONG"] === "1" ? 200 : 18

const address = (byte: string) => `0x${byte.repeat(20)}` as Address
const hashOf = (number: number, branch: number) =>
  `0x${(number * 1_000 + branch).toString(16).padStart(64, "0")}`

const TOKENS = [address("a1"), address("a2"), address("a3")]
const MANAGER = address("44")
const DEAD = `0x${"0".repeat(36)}dead`
const POOLS = [address("b1"), address("b2"), address("b3")]
const WALLETS = Array.from({ length: 30 }, (_, i) => address((0xc0 + i).toString(16)))

const chain: ChainConfig = {
  ...testChain,
  venues: [...testChain.venues, { id: "uniswap_v4", kind: "uniswap-v4", factory: MANAGER }]
}

const transfer = (r: Random): object => {
  const everybody = [...WALLETS, ...POOLS, MANAGER, DEAD, NOBODY]
  const [from, to] = [r.pick(everybody), r.boolean(0.05) ? NOBODY : r.pick(everybody)]
  const amount = r.boolean(0.1) ? 0n : r.bits(r.pick([3, 8, 64, 255, 256]))
  const source = r.boolean(0.3) ? NOBODY : from
  return { kind: "TransferSeen", token: r.pick(TOKENS), from: source, to, amount, wrap: null }
}

const supplyFact = (r: Random, truth: HolderTruth): object => {
  const token = r.pick(TOKENS)
  const { minted, burned, kept } = ledgerOf(truth, token)
  const supply = r.pick([minted + kept - burned, minted + kept, r.bits(100)])
  const totalSupply = supply < 0n || supply >= 2n ** 256n ? null : supply
  const names = { symbol: null, name: null, decimals: r.pick([null, 6, 18]) }
  return { kind: "TokenSeen", token, ...names, totalSupply, source: "call" }
}

const mark = (r: Random, number: number): object => {
  const token = r.pick(TOKENS)
  const fromBlock = r.integer(1, number)
  const reach = r.pick(["creation", "genesis", "floor", "part"])
  return r.boolean()
    ? { kind: "TokenPinned", token }
    : {
        kind: "TransfersFilled",
        token,
        fromBlock,
        toBlock: number,
        reach,
        grade: r.pick(["root", "range", null])
      }
}

const pool = (r: Random): object => ({
  ...{ kind: "PoolCreated", pool: r.pick(POOLS), venueKind: "uniswap-v2" },
  ...{ factory: testChain.venues[0]?.factory, tokens: [r.pick(TOKENS), address("22")] },
  ...{ fee: 3000, tickSpacing: null, source: "log" }
})

/** What was read of some pinned token's past; null where none is pinned. */
const pastOf = (r: Random, log: MemoryLog, truth: HolderTruth, number: number) => {
  const pinned = TOKENS.filter(token => ledgerOf(truth, token).pinned)
  if (pinned.length === 0) return null
  const block = { number: number - 1, time: 1_000, hash: hashOf(number, 0), parentHash: null }
  const tx = { hash: hashOf(number, 998), index: 0, from: null, to: null }
  const moves = Array.from({ length: r.integer(1, 9) }, (_, logIndex) => {
    const fact: object = { ...transfer(r), token: r.pick(pinned) }
    const event = { block, tx, logIndex, ...fact } as Event
    observe(truth, event)
    return event
  })
  const said = {
    kind: "TransfersFilled",
    token: pinned[0] ?? "",
    reach: "part",
    grade: "root"
  } as const
  const filled = { ...said, fromBlock: block.number, toBlock: block.number }
  log.side.append([...moves, { ...filled, block, tx: null, logIndex: 0 }])
  const { header } = log.side.segments.at(-1) as Segment
  const { firstSeq, lastSeq, hash } = header
  return { kind: "EventsJoined", firstSeq, lastSeq, hash: `0x${hash}` }
}

/** The events of a block, and what is true after it. */
const blockOf = (
  r: Random,
  log: MemoryLog,
  number: number,
  branch: number,
  before: HolderTruth
) => {
  const truth = structuredClone(before)
  const block = { number, time: 1_000 + number, hash: hashOf(number, branch), parentHash: null }
  const tx = { hash: hashOf(number, 999), index: 0, from: null, to: null }
  const events: Array<Event> = []
  const add = (fact: object, inTx = false): void => {
    const event = { block, tx: inTx ? tx : null, logIndex: events.length, ...fact } as Event
    observe(truth, event)
    events.push(event)
  }
  const past = r.boolean(0.4) ? pastOf(r, log, truth, number) : null
  if (r.boolean(0.1)) add({ kind: "TokenUnpinned", token: r.pick(TOKENS) })
  if (r.boolean(0.4)) add(supplyFact(r, truth))
  for (let i = r.integer(0, 12); i > 0; i--) add(transfer(r), true)
  if (r.boolean(0.2)) add(pool(r))
  if (r.boolean(0.3)) add(mark(r, number))
  if (past !== null) add(past)
  add({ kind: "BlockSealed", logs: events.length, grade: "file" })
  return { events, truth }
}

/** A lane in memory. */
const openWorld = (log: MemoryLog, file = ":memory:") =>
  Effect.gen(function* () {
    const folds = newFoldSet(chain, withUses(holdersProjection))
    const store = yield* openStore(file, folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read, log.joined)
    const queries = yield* openQueries(store, chain, folds, core)
    /** queries of what is committed by now, by folds that are made of the tables alone */
    const onTables = Effect.gen(function* () {
      const loaded = newFoldSet(chain, withUses(holdersProjection))
      const at = yield* loadCore(store, loaded, log.read, log.joined)
      return yield* openQueries(store, chain, loaded, at)
    })
    return { core, queries, onTables, folds, store }
  })

type World = Effect.Success<ReturnType<typeof openWorld>>

const asked = TOKENS.flatMap(token => [
  { name: "holders", params: { token, limit: 4, ...WHOLE, reached: 7 } },
  { name: "holders", params: { token, limit: 200, ...WHOLE } }
])

interface Told {
  readonly seq: number
  readonly body: ReturnType<typeof JSON.parse>
}

const answers = (from: World["queries"]): Effect.Effect<ReadonlyArray<Told>, DuckDbError> =>
  Effect.forEach(
    asked,
    request =>
      Effect.map(from.answer(request), answer => ({
        seq: answer.seq,
        body: answer.ok ? JSON.parse(new TextDecoder().decode(answer.body)) : answer.refusal.code
      })),
    { concurrency: "unbounded" }
  )

/** What is true at each position that was ever folded to. */
type Truths = ReadonlyMap<number, HolderTruth>

/** Expects each answer to be the truth at its position. */
const expectTruth = (told: ReadonlyArray<Told>, truths: Truths): void => {
  for (const [i, token] of TOKENS.entries()) {
    const { seq, body } = told[i * 2 + 1] as Told
    const known = ledgerOf(truths.get(seq) ?? newTruth(), token)
    if (!known.pinned) {
      expect(["HOLDERS_PENDING", "UNKNOWN_TOKEN"]).toContain(body)
      continue
    }
    const shown = new Map<string, string>(
      body.top.map((row: { holder: string; balance: string }) => [row.holder, row.balance])
    )
    expect(body.supplyFromTransfers).toBe(String(known.minted + known.kept - known.burned))
    expect(body.coverage.logs).toBe(known.logs)
    expect(body.holders).toBe(shown.size)
    shown.delete(NOBODY)
    const positive = [...known.balances].filter(([, balance]) => balance > 0n)
    expect(shown).toEqual(new Map(positive.map(([holder, balance]) => [holder, String(balance)])))
    expect(body.negativeHolders).toBe(
      [...known.balances.values()].filter(balance => balance < 0n).length
    )
    const kinds = new Map(
      body.top.map((row: { holder: string; kind: string }) => [row.holder, row.kind])
    )
    for (const [holder, kind] of kinds) {
      const isPool = holder === MANAGER || truths.get(seq)?.pools.has(String(holder)) === true
      const isBurn = holder === DEAD || holder === NOBODY
      expect(kind).toBe(isBurn ? "burn" : isPool ? "pool" : "wallet")
    }
    const [short] = told.slice(i * 2)
    if (short?.seq === seq) expect(short.body.top).toEqual(body.top.slice(0, 4))
  }
}

interface Standing {
  readonly lastSeq: number
  readonly truth: HolderTruth
  readonly number: number
  readonly hash: string
  readonly events: ReadonlyArray<Event>
}

const rollbackTo = (to: Standing | undefined, from: Standing): Event =>
  ({
    ...{ kind: "Rollback", tx: null, logIndex: 0 },
    block: {
      number: to?.number ?? 0,
      time: 1_000 + (to?.number ?? 0),
      hash: to?.hash ?? null,
      parentHash: null
    },
    ...{ toSeq: to?.lastSeq ?? 0, toBlock: to?.number ?? 0, toHash: to?.hash ?? null },
    ...{ fromBlock: from.number, reason: "reorg" }
  }) as Event

/** What stands in the end and all that was true on the way, of a lane that is asked all the time. */
const live = (log: MemoryLog, r: Random) =>
  Effect.gen(function* () {
    const world = yield* openWorld(log)
    const { core, folds } = world
    let standing: Array<Standing> = []
    const truths = new Map<number, HolderTruth>()
    const within: Array<Promise<ReadonlyArray<Told>>> = []
    const { join } = folds
    // asked after each part of what a segment joins, before the segment itself is folded
    Object.assign(folds, {
      join: (slice: Slice) => {
        join(slice)
        within.push(Effect.runPromise(answers(world.queries)))
      }
    })
    const found = { joining: 0, before: 0 }
    for (let step = 0; step < STEPS; step++) {
      const isFork = standing.length > 3 && r.boolean(0.15)
      const last = standing.at(-1) as Standing
      if (isFork) standing = standing.slice(0, r.integer(0, standing.length - 1))
      const tip = standing.at(-1)
      const number = (tip?.number ?? 0) + 1
      const { events, truth } = blockOf(r, log, number, step, tip?.truth ?? newTruth())
      const segment = log.append(isFork ? [rollbackTo(tip, last), ...events] : events)
      yield* applySegment(core, segment)
      const hash = hashOf(number, step)
      const lastSeq = log.end.seq
      standing.push({ lastSeq, truth, number, hash, events })
      truths.set(lastSeq, truth)
      for (const told of yield* Effect.promise(() => Promise.all(within.splice(0)))) {
        expectTruth(told, truths)
        for (const { seq } of told) found[seq === lastSeq ? "joining" : "before"]++
      }
      const told = yield* answers(world.queries)
      expect(told.map(({ seq }) => seq)).toEqual(asked.map(() => lastSeq))
      expectTruth(told, truths)
      if (!isFork && r.boolean(0.6)) continue
      yield* commitPending(core)
      expect(yield* answers(yield* world.onTables)).toEqual(told)
    }
    yield* commitPending(core)
    return { world, standing, found }
  })

/** The tables and answers of a lane in the end. */
const endOf = ({ store, folds, queries }: World) =>
  Effect.all({
    tables: digests(store.writer, folds.tables, false),
    told: Effect.map(answers(queries), list => list.map(({ body }) => body))
  })

it("shows what transfers leave, committed or not, while more are joined, and after forks", () =>
  Effect.gen(function* () {
    console.log(`holders: SEED=${seed}`)
    const log = new MemoryLog()
    const { world, standing, found } = yield* live(log, random("holders"))
    // of some the answer waited for what was joined, of others it was of the position before
    expect(Math.min(found.joining, found.before)).toBeGreaterThan(0)
    const final = new MemoryLog(log.side)
    for (const { events } of standing) final.append(events)
    const fresh = yield* openWorld(final)
    for (const segment of final.segments) yield* applySegment(fresh.core, segment)
    yield* commitPending(fresh.core)
    // as after a restart: memory is made of the tables alone
    fresh.folds.reloaded()
    expect(yield* endOf(fresh)).toEqual(yield* endOf(world))
  }).pipe(Effect.scoped, Effect.runPromise))

it("judges a supply only by transfers that it is as new as, once a past is joined", () =>
  Effect.gen(function* () {
    const log = new MemoryLog()
    const { core, queries } = yield* openWorld(log)
    const [token = ""] = TOKENS
    const mint = { kind: "TransferSeen", token, from: NOBODY, to: MANAGER, wrap: null }
    const add = (number: number, ...facts: ReadonlyArray<object>) => {
      const block = { number, time: number, hash: hashOf(number, 0), parentHash: null }
      const tx = { hash: hashOf(number, 999), index: 0, from: null, to: null }
      const sealed = { kind: "BlockSealed", logs: facts.length, grade: "root" }
      const events = [...facts, sealed].map(
        (fact, logIndex) =>
          ({ block, tx: "amount" in fact ? tx : null, logIndex, ...fact }) as Event
      )
      return applySegment(core, log.append(events))
    }
    const read = (totalSupply: bigint) => ({
      ...{ kind: "TokenSeen", token, symbol: null, name: null, decimals: null },
      ...{ totalSupply, source: "call" }
    })
    const judged = Effect.gen(function* () {
      const [, whole] = yield* answers(queries)
      const { supplyMatches, supplyFromTransfers, totalSupply } = whole?.body ?? {}
      return [supplyMatches, supplyFromTransfers, totalSupply]
    })
    yield* add(10, { kind: "TokenPinned", token }, read(50n))
    for (let number = 11; number <= 30; number++) yield* add(number, { ...mint, amount: 1n })
    // the past: fifty units more, made before the token was pinned
    const block = { number: 9, time: 9, hash: hashOf(9, 0), parentHash: null }
    const tx = { hash: hashOf(9, 999), index: 0, from: null, to: null }
    const span = { fromBlock: 1, toBlock: 9, reach: "creation", grade: "root" }
    log.side.append([
      { block, tx, logIndex: 0, ...mint, amount: 50n } as Event,
      { block, tx: null, logIndex: 0, kind: "TransfersFilled", token, ...span } as Event
    ])
    const { firstSeq, lastSeq, hash } = (log.side.segments.at(-1) as Segment).header
    yield* add(
      31,
      { kind: "EventsJoined", firstSeq, lastSeq, hash: `0x${hash}` },
      {
        ...{ kind: "TransfersFilled", token, ...span }
      }
    )
    expect(yield* judged).toEqual([null, "70", "50"])
    yield* add(32, read(60n))
    expect(yield* judged).toEqual([true, "70", "70"])
    yield* add(33, read(75n))
    expect(yield* judged).toEqual([false, "70", "75"])
  }).pipe(Effect.scoped, Effect.runPromise))
