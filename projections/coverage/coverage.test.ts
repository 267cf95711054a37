import { join } from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { wordWarning } from "../../engine/late/word-runs.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { digests, openStore } from "../../engine/store/store.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { openLaneWith, sealed, undo } from "../../test/support/small-lane.ts"
import { coverage } from "./projection.ts"

const START = 1_699_930_800

const known = (block: number, grade: string): Event =>
  ({ ...sealed(START + block), grade }) as Event

/** Returns the runs of words as the status shows them after each commit. */
const read = (commits: ReadonlyArray<ReadonlyArray<Event>>) =>
  Effect.gen(function* () {
    const lane = yield* openLaneWith(coverage)
    const told: Array<unknown> = []
    for (const events of commits) {
      yield* lane.commit(events)
      const { assurance, words } = yield* lane.ask("counters", {})
      told.push({ assurance, words })
    }
    return told
  }).pipe(Effect.scoped, Effect.runPromise)

const run = (grade: string, from: number, to: number, blocks: number) => ({
  ...{ grade, fromBlock: START + from, toBlock: START + to, blocks }
})

it("tells which blocks are somebody's word, and no more of them after a rollback", async () => {
  const told = await read([
    [known(1, "root"), known(2, "bloom"), known(3, "unproven")],
    [known(4, "second"), known(5, "root")],
    [known(10, "logs"), known(20, "root"), known(30, "logs"), known(95, "logs")],
    [undo(START + 10, 6), known(11, "root"), known(12, "logs"), known(90, "range")],
    [undo(START + 3, 3), known(4, "root")]
  ])
  const compared = run("second", 4, 4, 1)
  expect(told).toEqual([
    { assurance: "proven", words: [] },
    { assurance: "compared", words: [compared] },
    { assurance: "word", words: [compared, run("logs", 10, 30, 2), run("logs", 95, 95, 1)] },
    { assurance: "word", words: [compared, run("logs", 10, 12, 2), run("range", 90, 90, 1)] },
    { assurance: "proven", words: [] }
  ])
})

it("knows from a block's proof on how the chain hashes headers and receipts", async () => {
  const told = await Effect.gen(function* () {
    const lane = yield* openLaneWith(coverage)
    const each: Array<unknown> = []
    for (const events of [
      [known(-1, "unproven"), known(0, "second"), known(1, "receipts")],
      [known(2, "bloom")],
      [known(3, "root")],
      [undo(START + 2, 4), known(3, "logs")],
      [proven(4, [3, 3], 1, "logs")]
    ]) {
      yield* lane.commit(events)
      each.push((yield* lane.ask("marks", {})).fits)
    }
    return each
  }).pipe(Effect.scoped, Effect.runPromise)
  const [none, header, both] = [
    { headers: false, receipts: false },
    { headers: true, receipts: false },
    { headers: true, receipts: true }
  ]
  expect(told).toEqual([none, header, both, header, both])
})

const proven = (
  block: number,
  [from, to]: readonly [number, number],
  blocks: number,
  was: string,
  grade = "root"
): Event =>
  ({
    ...sealed(START + block),
    ...{ kind: "BlocksProven", fromBlock: START + from, toBlock: START + to },
    ...{ blocks, was, grade }
  }) as Event

it("tells no more of blocks that were proven since, and again where that is undone", async () => {
  const told = await read([
    [known(1, "logs"), known(2, "range"), known(3, "logs"), known(4, "logs"), known(200, "logs")],
    [proven(201, [3, 4], 2, "logs"), known(201, "root")],
    [proven(202, [2, 2], 1, "range", "second"), known(202, "logs")],
    [proven(203, [1, 1], 1, "logs"), proven(203, [200, 202], 2, "logs"), known(203, "root")],
    [proven(204, [2, 2], 1, "second"), known(204, "root")],
    [undo(START + 201, 7), known(202, "root")]
  ])
  const range = run("range", 2, 2, 1)
  const afterFirst = [run("logs", 1, 2, 1), range, run("logs", 200, 200, 1)]
  expect(told).toEqual([
    { assurance: "word", words: [run("logs", 1, 4, 3), range, run("logs", 200, 200, 1)] },
    { assurance: "word", words: afterFirst },
    {
      assurance: "word",
      words: [run("logs", 1, 2, 1), run("second", 2, 2, 1), run("logs", 200, 202, 2)]
    },
    { assurance: "compared", words: [run("second", 2, 2, 1)] },
    { assurance: "proven", words: [] },
    { assurance: "word", words: afterFirst }
  ])
})

it("holds the same rows however often it was started again, and after a rollback", async () => {
  const log = new MemoryLog()
  for (const events of [
    [known(1, "logs"), known(2, "range"), known(100, "second")],
    [proven(101, [1, 1], 1, "logs"), proven(101, [2, 2], 1, "range", "second"), known(101, "root")],
    [known(102, "second"), known(103, "logs")],
    [proven(104, [103, 103], 1, "logs"), known(104, "root")],
    [known(105, "range"), known(106, "logs"), known(107, "root")],
    [undo(START + 106, 14), known(107, "second")]
  ]) {
    log.append(events)
  }
  const folder = temporaryFolder()
  const follow = (name: string, count: number) =>
    Effect.gen(function* () {
      const folds = newFoldSet(testChain, [coverage])
      const store = yield* openStore(join(folder.path, name), folds.tables, { threads: 1 })
      const core = yield* loadCore(store, folds, log.read)
      const at = core.committed.streamSeq
      for (const segment of log.segments.slice(at, at + count)) {
        yield* Effect.andThen(applySegment(core, segment), commitPending(core))
      }
      return yield* digests(store.writer, folds.tables)
    }).pipe(Effect.scoped, Effect.runPromise)
  for (const _ of log.segments) await follow("stopped.duckdb", 1)
  const [stopped, whole] = [await follow("stopped.duckdb", 0), await follow("whole.duckdb", 9)]
  folder.remove()
  expect(stopped).toEqual(whole)
  expect(whole.find(({ name }) => name === "words")?.rows).toBe("6")
})

it("leaves no word untold, however many runs are compared since", async () => {
  const old = [1, 2, 3].map(place => known(place * 100, "logs"))
  const later = Array.from({ length: 120 }, (_, i) => known(1000 + i * 100, "second"))
  const [told] = (await read([[...old, ...later]])) as [{ words: ReadonlyArray<unknown> }]
  expect(told.words.slice(0, 3)).toEqual([100, 200, 300].map(at => run("logs", at, at, 1)))
  expect(told.words.slice(3, 5)).toEqual([
    run("second", 1000, 7900, 70),
    run("second", 8000, 8000, 1)
  ])
  expect(told.words).toHaveLength(3 + 51)
})

it("warns of one node's word from its first block on, and not of a file's", () => {
  expect(wordWarning([run("second", 1, 9, 9), run("file", 1, 9, 9)])).toEqual([])
  const [text] = wordWarning([run("second", 0, 0, 1), run("logs", 7, 7, 1)])
  expect(text).toContain(`1 block, ${START + 7}, is one node's word`)
  const [many] = wordWarning([run("range", 3, 5, 2), run("logs", 7, 7, 1)])
  expect(many).toContain(`3 blocks of ${START + 3}..${START + 7} are one node's word`)
})

const WHO = `0x${"c1".repeat(20)}`
const NO_BYTES = new Uint8Array(0)
const hashOf = (block: number) => `0x${block.toString(16).padStart(64, "0")}`

const quarantined = (block: number, reason: string): Event =>
  ({
    ...sealed(START + block),
    ...{ kind: "LogQuarantined", address: WHO, topics: NO_BYTES, data: NO_BYTES, reason },
    tx: { hash: hashOf(block), index: 0, from: null, to: null }
  }) as Event

const contradicted = (n: number) => `vaults contradict the swap: vault V gained ${n} more`

it("shows the newest quarantined logs, counted by reason, and those that stand again", async () => {
  const swaps = Array.from({ length: 21 }, (_, n) => quarantined(n, contradicted(n)))
  const [many, back] = await Effect.gen(function* () {
    const lane = yield* openLaneWith(coverage)
    yield* lane.commit(swaps)
    yield* lane.commit([quarantined(70, "short data"), known(71, "root")])
    const before = yield* lane.ask("counters", {})
    yield* lane.commit([undo(START + 3, 4), known(5, "root")])
    return [before, yield* lane.ask("counters", {})]
  }).pipe(Effect.scoped, Effect.runPromise)
  const shown = (block: number, reason = contradicted(block)) => ({
    ...{ block: START + block, time: START + block, tx: hashOf(block), account: WHO, reason }
  })
  expect(many.quarantined).toEqual([
    { reason: "vaults contradict the swap", count: 21 },
    { reason: "short data", count: 1 }
  ])
  const newest = Array.from({ length: 19 }, (_, back) => shown(20 - back))
  expect(many.quarantinedLogs).toEqual([shown(70, "short data"), ...newest])
  expect(back.quarantined).toEqual([{ reason: "vaults contradict the swap", count: 4 }])
  expect(back.quarantinedLogs).toEqual([3, 2, 1, 0].map(block => shown(block)))
})
