/** Anybody can log that it made a pool: whose word counts. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { openQueries } from "../../engine/runner/queries.ts"
import { accountOf } from "../../engine/store/sql.ts"
import { openStore } from "../../engine/store/store.ts"
import { hexIds } from "../../src/domain/ids.ts"
import type { Event } from "../../streams/event.ts"
import type { EventMeaning } from "../../streams/venue-laws.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { withUses } from "../all.ts"
import { tapeOutput } from "../tape/output.ts"

const dir = mkdtempSync(join(tmpdir(), "claimed-pools-"))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
let files = 0

const address = (byte: string): string => `0x${byte.repeat(20)}`
const POOL = address("d1")
const [LISTED, FORK, LIAR] = [address("33"), address("f0"), address("ff")]
const [WETH, USDC] = [address("11"), address("22")]

const created = (
  factory: string,
  tokens: ReadonlyArray<string>,
  source = "log",
  venueKind = "uniswap-v2"
): EventMeaning => ({
  ...{ kind: "PoolCreated", pool: POOL, venueKind, factory, tokens },
  ...{ fee: null, tickSpacing: null, source }
})

const own = [WETH, USDC]
const told = (factory: string, venue: string) => ({
  ...{ factory, venue, isTurned: false, known: [POOL] }
})
/** told by nobody but an unlisted factory: a source must ask the pool itself */
const claimed = (factory: string, venue: string) => ({ ...told(factory, venue), known: [] })

/** What a source must know of the log, by a process that starts on these tables. */
const knownIn = (file: string, log: MemoryLog) =>
  Effect.gen(function* () {
    const folds = newFoldSet(testChain, withUses(tapeOutput))
    const store = yield* openStore(file, folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read)
    const queries = yield* openQueries(store, testChain, folds, core)
    const answer = yield* queries.answer({ name: "known", params: {} })
    return answer.ok ? JSON.parse(new TextDecoder().decode(answer.body)).knownPools : answer
  }).pipe(Effect.scoped)

/** The pool's row after these events, a block each, and the pools known after a restart. */
const after = async (meanings: ReadonlyArray<EventMeaning>) => {
  const [file, log] = [join(dir, `${files++}.duckdb`), new MemoryLog()]
  const row = await Effect.runPromise(rowAfter(meanings, file, log))
  return { ...row, known: await Effect.runPromise(knownIn(file, log)) }
}

const rowAfter = (meanings: ReadonlyArray<EventMeaning>, file: string, log: MemoryLog) =>
  Effect.gen(function* () {
    const folds = newFoldSet(testChain, withUses(tapeOutput))
    const store = yield* openStore(file, folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read)
    for (const [number, meaning] of meanings.entries()) {
      const block = { number, time: 1_700_000_000 + number, hash: null, parentHash: null }
      const tx = { hash: `0x${"ab".repeat(32)}`, index: 0, from: null, to: null }
      yield* applySegment(core, log.append([{ ...meaning, block, tx, logIndex: 0 } as Event]))
    }
    yield* commitPending(core)
    const [row = {}] = yield* store.writer.rows(`
      SELECT * FROM (SELECT * FROM pools UNION ALL SELECT * FROM pools_tail)
      QUALIFY row_number() OVER (PARTITION BY pool ORDER BY seq DESC) = 1`)
    const factory = accountOf(hexIds, row, "factory")
    return { factory, venue: row["venue"], isTurned: Number(row["token0"]) > Number(row["token1"]) }
  }).pipe(Effect.scoped)

it("keeps what a listed factory told of its pool, whoever claims it later", async () => {
  const listed = created(LISTED, own)
  expect(await after([listed])).toEqual(told(LISTED, "uniswap_v2"))
  expect(await after([listed, created(LIAR, [USDC, WETH])])).toEqual(told(LISTED, "uniswap_v2"))
  const otherShape = created(LIAR, [USDC, WETH], "log", "uniswap-v3")
  expect(await after([listed, otherShape])).toEqual(told(LISTED, "uniswap_v2"))
})

it("believes a listed factory and the pool itself against an earlier claim", async () => {
  const claim = created(LIAR, own)
  expect(await after([claim])).toEqual(claimed(LIAR, "v2fork_ffffffff"))
  expect(await after([claim, created(LISTED, own)])).toEqual(told(LISTED, "uniswap_v2"))
  expect(await after([claim, created(FORK, own, "call")])).toEqual(told(FORK, "v2fork_f0f0f0f0"))
})

it("keeps the first of several claims, and what the pool itself told", async () => {
  const claims = [created(FORK, own), created(LIAR, [USDC, WETH])]
  expect(await after(claims)).toEqual(claimed(FORK, "v2fork_f0f0f0f0"))
  const asked = [created(FORK, own, "call"), created(LIAR, [USDC, WETH])]
  expect(await after(asked)).toEqual(told(FORK, "v2fork_f0f0f0f0"))
})
