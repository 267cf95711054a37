import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Deferred, Effect, Fiber } from "effect"
import { afterAll, describe, expect, it, vi } from "vitest"
import { allProjections } from "../../projections/all.ts"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import { FileError } from "../../src/platform/files.ts"
import { nextTurn } from "../../src/platform/turn.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { type Market, marketBlock, newMarket } from "../../test/support/market.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { random } from "../../test/support/random.ts"
import { seed } from "../../test/support/seed.ts"
import { opening, sale, sealed } from "../../test/support/small-lane.ts"
import type { Segment } from "../log/segment.ts"
import type { Slice } from "../projection.ts"
import { compact, compactionFloor } from "../store/compaction.ts"
import { digests, openStore } from "../store/store.ts"
import { newFoldSet } from "./fold-set.ts"
import { applySegment, commitBeside, commitPending, loadCore } from "./lane-core.ts"
import { type Wanted, whenFolded, whenStanding } from "./standing.ts"

/** More schedules in the long run. */
const isLong = process.env["SWAPTAPE_LONG"] === "1"
const [FORK_ROUNDS, FORK_STEPS] = isLong ? [40, 25] : [1, 12]
/** Blocks of a log without forks, and how often it is stopped anywhere. */
const [BLOCKS, STOPPED_RUNS] = isLong ? [40, 4] : [10, 1]

/** Rows of a piece, so that small tables have several. */
const PIECE = 40

const TIME = 1_700_000_000

const dir = mkdtempSync(join(tmpdir(), "lane-core-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

let files = 0
const newFile = () => join(dir, `${files++}.duckdb`)

type Store = readonly [Parameters<typeof digests>[0], Parameters<typeof digests>[1]]

/** Digests of the rows with their positions. */
const exact = (...store: Store) => digests(...store, true, PIECE)
/** Digests of what the rows mean, wherever they stand in the log. */
const meaning = (...store: Store) => digests(...store, false)
const both = (...store: Store) => Effect.all({ exact: exact(...store), meaning: meaning(...store) })

/**
 * Applies the segments after the committed position in groups, of which those of an odd size are
 * committed while the next is folded; compacts beside if asked. What a look at the tables finds of a
 * run that reaches the log's end; null of another.
 */
const run = <A>(
  log: MemoryLog,
  file: string,
  sizes: ReadonlyArray<number>,
  look: (...store: Store) => Effect.Effect<A, DuckDbError>,
  threads = 2,
  finalityDepth: number | null = null
) =>
  Effect.gen(function* () {
    const folds = newFoldSet(testChain, allProjections)
    const store = yield* openStore(file, folds.tables, { threads })
    const core = yield* loadCore(store, folds, log.read)
    let at = core.committed.streamSeq
    for (const size of sizes) {
      for (const segment of log.segments.slice(at, at + size)) yield* applySegment(core, segment)
      const upkeep = Effect.gen(function* () {
        const floor = finalityDepth === null ? null : yield* compactionFloor(store, finalityDepth)
        if (floor !== null) yield* compact(store, floor, { minTailRows: 1, pieceRows: PIECE })
      })
      const beside = Effect.gen(function* () {
        if (!(yield* core.upkeep.isUnderWay)) yield* core.upkeep.begin(upkeep)
      })
      if (size % 2 === 1) yield* commitBeside(core, { after: beside })
      else yield* Effect.andThen(commitPending(core), beside)
      at += size
    }
    yield* core.writing.ended
    yield* core.upkeep.ended
    const isEnd = at >= log.segments.length
    return isEnd ? yield* look(store.writer, folds.tables) : null
  }).pipe(Effect.scoped, Effect.runPromise)

const usd = testChain.anchors[0]?.address ?? ""
const native = testChain.anchors[1]?.address ?? ""

/** Every third block is told more than an hour too early, as by a node whose clock is wrong. */
const toldEarly = (events: ReadonlyArray<Event>): ReadonlyArray<Event> =>
  events.map(event => {
    const { block } = event
    return block.number % 3 > 0 ? event : { ...event, block: { ...block, time: block.time - 4000 } }
  })

const linearLog = (name: string, blocks: number, swaps: number): MemoryLog => {
  const market = newMarket(name, usd, native)
  const log = new MemoryLog()
  const known = new Set<string>()
  let parent: string | null = null
  for (let number = 1; number <= blocks; number++) {
    const events: ReadonlyArray<Event> = marketBlock(
      name,
      market,
      "main",
      number,
      parent,
      swaps,
      known
    )
    parent = events[0]?.block.hash ?? null
    log.append(toldEarly(events))
  }
  return log
}

describe("lane core", () => {
  it("gives the same tables for any batch sizes, at 1 and 4 threads, stopped anywhere", async () => {
    const log = linearLog(`${seed}/linear`, BLOCKS, 12)
    const reference = await run(log, newFile(), [BLOCKS], exact, 1)
    expect(Number(reference?.find(t => t.name === "tape")?.rows)).toBe(BLOCKS * 12)
    expect(await run(log, newFile(), Array(BLOCKS).fill(1), exact, 4)).toEqual(reference)
    const r = random(`${seed}/sizes`)
    for (let round = 0; round < STOPPED_RUNS; round++) {
      const file = newFile()
      let left = BLOCKS
      let result = reference
      while (left > 0) {
        // never all of them at once
        const sizes = Array.from({ length: 1 + r.int(2) }, () => 1 + r.int(9))
        result = await run(log, file, sizes, exact, 1 + r.int(4))
        left -= sizes.reduce((a, b) => a + b, 0)
      }
      expect(result).toEqual(reference)
    }
  })

  it("ends equal to a fresh replay of the final chain after any forks", async () => {
    for (let round = 0; round < FORK_ROUNDS; round++) {
      const r = random(`${seed}/forks/${round}`)
      const { log, final } = forkedLog(`${seed}/${round}`, r)
      const file = newFile()
      let left = log.segments.length
      let result = await run(log, file, [], both)
      while (left > 0) {
        const sizes = Array.from({ length: 1 + r.int(4) }, () => 1 + r.int(5))
        result = await run(log, file, sizes, both, 2, round % 2 === 0 ? 3 : null)
        left -= sizes.reduce((a, b) => a + b, 0)
      }
      const fresh = await run(final, newFile(), [final.segments.length], meaning)
      expect(result?.meaning, `round ${round}`).toEqual(fresh)
      const rebuilt = await run(log, newFile(), [log.segments.length], exact)
      expect(rebuilt, `round ${round}`).toEqual(result?.exact)
    }
  }, 600_000)
})

describe("a commit while more is folded", () => {
  /** A core with its first segments folded, and what those saw who waited for a commit. */
  const begun = (log: MemoryLog, count: number) =>
    Effect.gen(function* () {
      const folds = newFoldSet(testChain, allProjections)
      const store = yield* openStore(newFile(), folds.tables, { threads: 2 })
      const core = yield* loadCore(store, folds, log.read)
      for (const segment of log.segments.slice(0, count)) yield* applySegment(core, segment)
      const seen: Array<number | null> = []
      const look = () => seen.push(core.pending === null && core.sealed === null ? at() : null)
      const at = () => core.committed.seq
      return { core, seen, look }
    })

  it("lets those look who wait, once it is durable", () =>
    Effect.gen(function* () {
      const log = linearLog("behind/look", 3, 4)
      const { core, seen, look } = yield* begun(log, 2)
      yield* commitBeside(core, { after: Effect.void })
      core.waiting.push({ look, wanted: "tables" })
      expect(core.committed.seq).toBe(0)
      yield* core.writing.ended
      expect(seen).toEqual([log.segments[1]?.header.lastSeq])
    }).pipe(Effect.scoped, Effect.runPromise))

  it("lets those look after each segment who want no tables, and nobody within one", () =>
    Effect.gen(function* () {
      const log = linearLog("standing/look", 3, 4)
      const { core } = yield* begun(log, 1)
      const seen: Array<unknown> = []
      const look = (wanted: Wanted) => {
        const { seq } = core.folded
        seen.push([wanted, core.committed.seq, seq])
      }
      const wait = () => {
        for (const wanted of ["tables", "folds"] as const) {
          Effect.runFork(whenStanding(core, wanted, () => look(wanted)))
        }
      }
      const [first = 0, second = 0, third = 0] = log.segments.map(({ header }) => header.lastSeq)
      wait()
      expect(seen.splice(0)).toEqual([["folds", 0, first]])
      const [, two, three] = log.segments as [Segment, Segment, Segment]
      // asked within the next segment, as its first slice is folded
      const { apply } = core.folds
      Object.assign(core.folds, {
        apply: (slice: Slice) => {
          apply(slice)
          wait()
        }
      })
      yield* applySegment(core, two)
      Object.assign(core.folds, { apply })
      expect(seen.splice(0)).toEqual([["folds", 0, second]])
      // what is being written while more is folded is as true as what is written
      yield* commitBeside(core, { after: Effect.void })
      wait()
      expect(seen.splice(0)).toEqual([["folds", 0, second]])
      yield* core.writing.ended
      expect(seen.splice(0)).toEqual([1, 2, 3].map(() => ["tables", second, second]))
      yield* applySegment(core, three)
      wait()
      expect(seen.splice(0)).toEqual([["folds", second, third]])
      yield* commitPending(core)
      expect(seen).toEqual([["tables", third, third]])
    }).pipe(Effect.scoped, Effect.runPromise))

  it("lets those look who want no tables while rows of a large block wait for DuckDB", () =>
    Effect.gen(function* () {
      const log = new MemoryLog()
      const trades = Array.from({ length: 9000 }, (_, i) => sale(TIME, 1, 2_000_000, 2 + i))
      const segment = log.append([...opening(TIME), ...trades, sealed(TIME)])
      const { core } = yield* begun(new MemoryLog(), 0)
      const [asked, gate] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const { writer } = core.store
      const held = Effect.andThen(Deferred.succeed(asked, undefined), Deferred.await(gate))
      const append: typeof writer.append = (...rows) => Effect.andThen(held, writer.append(...rows))
      Object.assign(core.store, { writer: { ...writer, append } })
      const applied = yield* Effect.forkChild(applySegment(core, segment))
      yield* Deferred.await(asked)
      expect(yield* whenStanding(core, "folds", ({ seq }) => seq)).toBe(log.end.seq)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(applied)
    }).pipe(Effect.scoped, Effect.runPromise))

  it("folds on where whoever looked waits for more each time", () =>
    Effect.gen(function* () {
      const log = linearLog("standing/again", 4, 4)
      const { core } = yield* begun(log, 1)
      const seen: Array<number> = []
      const again = Effect.forever(
        Effect.andThen(
          whenFolded(core),
          Effect.sync(() => seen.push((core.pending ?? core.committed).seq))
        )
      )
      yield* Effect.forkScoped(again)
      yield* nextTurn
      for (const segment of log.segments.slice(1)) yield* applySegment(core, segment)
      expect(seen).toEqual(log.segments.slice(1).map(({ header }) => header.lastSeq))
    }).pipe(Effect.scoped, Effect.runPromise))

  it("lets nobody look at tables once more is folded, until that is committed too", () =>
    Effect.gen(function* () {
      const log = linearLog("behind/folded", 3, 4)
      const { core, seen, look } = yield* begun(log, 2)
      yield* commitBeside(core, { after: Effect.void })
      core.waiting.push({ look, wanted: "tables" })
      for (const segment of log.segments.slice(2)) yield* applySegment(core, segment)
      yield* core.writing.ended
      expect(core.committed.seq).toBe(log.segments[1]?.header.lastSeq)
      expect(seen).toEqual([])
      yield* commitPending(core)
      expect(seen).toEqual([log.end.seq])
    }).pipe(Effect.scoped, Effect.runPromise))

  it("lets those look who want a position once it is durable, however far the folds are", () =>
    Effect.gen(function* () {
      const log = linearLog("behind/position", 4, 4)
      const { core } = yield* begun(log, 2)
      const [, second = 0, third = 0] = log.segments.map(({ header }) => header.lastSeq)
      const seen: Array<unknown> = []
      const wait = (wanted: number) => {
        const look = () => seen.push([wanted, core.committed.seq, core.folded.seq])
        Effect.runFork(whenStanding(core, wanted, look))
      }
      wait(second)
      expect([core.isCommitAwaited, core.isStandAwaited]).toEqual([true, false])
      yield* commitBeside(core, { after: Effect.void })
      // the commit under way brings it
      expect(core.isCommitAwaited).toBe(false)
      yield* applySegment(core, log.segments[2] as Segment)
      wait(third)
      expect([core.isCommitAwaited, core.isStandAwaited]).toEqual([true, false])
      yield* core.writing.ended
      expect(seen.splice(0)).toEqual([[second, second, third]])
      yield* commitBeside(core, { after: Effect.void })
      yield* applySegment(core, log.segments[3] as Segment)
      yield* core.writing.ended
      expect(seen.splice(0)).toEqual([[third, third, log.end.seq]])
      wait(third)
      expect(seen).toEqual([[third, third, log.end.seq]])
      expect(core.pending?.seq).toBe(log.end.seq)
    }).pipe(Effect.scoped, Effect.runPromise))

  it("lets readers go on while a rollback waits for upkeep", () =>
    Effect.gen(function* () {
      const { log } = forkedLog(`${seed}/kept`, random(`${seed}/kept`))
      const { core } = yield* begun(log, 0)
      const kept: Array<boolean> = []
      const { readers } = core.store
      vi.spyOn(readers, "without").mockImplementation(rollback =>
        Effect.suspend(() => {
          kept.push(core.upkeep.isOpen)
          return rollback
        })
      )
      for (const segment of log.segments) {
        if (!(yield* core.upkeep.isUnderWay)) yield* core.upkeep.begin(Effect.sleep("2 millis"))
        yield* applySegment(core, segment)
      }
      const rollbacks = log.segments.filter(({ header }) => header.rollbackTo !== null)
      expect(rollbacks.length).toBeGreaterThan(0)
      expect(kept).toEqual(rollbacks.map(() => false))
    }).pipe(Effect.scoped, Effect.runPromise))

  it("fails whoever writes next where its upkeep fails", () =>
    Effect.gen(function* () {
      const log = linearLog("behind/failed", 3, 4)
      const { core } = yield* begun(log, 2)
      const full = new FileError({ message: "the disk is full" })
      yield* commitBeside(core, { after: Effect.fail(full) })
      for (const segment of log.segments.slice(2)) yield* applySegment(core, segment)
      const failure = yield* Effect.flip(commitPending(core))
      expect(failure.message).toBe("the disk is full")
    }).pipe(Effect.scoped, Effect.runPromise))
})

interface Sealed {
  readonly events: ReadonlyArray<Event>
  readonly lastSeq: number
  readonly known: ReadonlySet<string>
}

/** Random forks: nested, consecutive, empty, down to the genesis. */
const forkedLog = (name: string, r: ReturnType<typeof random>) => {
  const market: Market = newMarket(name, usd, native, 4)
  const log = new MemoryLog()
  let chain: Array<Sealed> = []
  let branch = 0
  const extend = (rollback: Event | null): void => {
    const parent = chain[chain.length - 1]
    const known = new Set(parent?.known ?? [])
    const number = chain.length + 1
    const parentHash = parent?.events[0]?.block.hash ?? null
    const swaps = r.pick([0, 1, 3, 6])
    const told = marketBlock(name, market, `b${branch}`, number, parentHash, swaps, known)
    const events = toldEarly(told)
    log.append(rollback === null ? events : [rollback, ...events])
    chain.push({ events, lastSeq: log.end.seq, known })
  }
  for (let step = 0; step < FORK_STEPS; step++) {
    if (r.int(4) > 0 || chain.length === 0) {
      extend(null)
      continue
    }
    const depth = 1 + r.int(Math.min(chain.length, r.pick([1, 2, 6, 30])))
    const fromBlock = chain.length
    chain = chain.slice(0, chain.length - depth)
    branch++
    const tip = chain[chain.length - 1]
    const block = tip?.events[0]?.block ?? { number: 0, time: 0, hash: null, parentHash: null }
    const rollback: Event = {
      kind: "Rollback",
      block,
      tx: null,
      logIndex: 0,
      toSeq: tip?.lastSeq ?? 0,
      toBlock: block.number,
      toHash: block.hash,
      fromBlock,
      reason: "reorg"
    }
    if (r.int(3) === 0) log.append([rollback])
    else extend(rollback)
  }
  const final = new MemoryLog()
  for (const sealed of chain) final.append(sealed.events)
  return { log, final }
}
