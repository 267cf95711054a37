import { rmSync } from "node:fs"
import { Effect } from "effect"
import { newFoldSet } from "../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../engine/runner/lane-core.ts"
import { compact } from "../engine/store/compaction.ts"
import { openStore } from "../engine/store/store.ts"
import { allProjections } from "../projections/all.ts"
import { testChain } from "../test/support/chain-config.ts"
import { marketBlock, newMarket } from "../test/support/market.ts"
import { MemoryLog } from "../test/support/memory-log.ts"

const tokens = Number(process.argv[2] ?? 500),
  blocks = Number(process.argv[3] ?? 100)
const market = newMarket(
  "bench",
  testChain.anchors[0]!.address,
  testChain.anchors[1]!.address,
  tokens,
  5000
)
const log = new MemoryLog()
const known = new Set<string>()
let t = performance.now()
for (let n = 1; n <= blocks; n++)
  log.append(marketBlock("bench", market, "m", n * 10, null, 2000, known))
const bytes = log.segments.reduce((a, s) => a + s.bytes, 0)
console.log(
  "generated",
  blocks * 2000,
  "swaps",
  bytes / (blocks * 2000),
  "bytes/swap",
  performance.now() - t
)
rmSync("/tmp/p/core.duckdb", { force: true })
rmSync("/tmp/p/core.duckdb.wal", { force: true })
await Effect.gen(function* () {
  const folds = newFoldSet(testChain, allProjections)
  const store = yield* openStore("/tmp/p/core.duckdb", folds.tables, { threads: 2 })
  const core = yield* loadCore(store, folds, log.read)
  t = performance.now()
  for (let i = 0; i < log.segments.length; i += 16)
    yield* applySegments(core, log.segments.slice(i, i + 16))
  const ms = performance.now() - t
  console.log("folded", Math.round(((blocks * 2000) / ms) * 1000), "swaps/s", ms)
  let f = performance.now()
  const f2 = newFoldSet(testChain, allProjections)
  for (const s of log.segments) {
    f2.apply({ batch: s.batch, from: 0, to: s.batch.count, seq: s.header.firstSeq })
    for (const r of f2.rows) r.clear()
  }
  console.log(
    "pure fold",
    Math.round(((blocks * 2000) / (performance.now() - f)) * 1000),
    "swaps/s"
  )
  f = performance.now()
  console.log(yield* compact(store, core.committed, 1000), performance.now() - f)
}).pipe(Effect.scoped, Effect.runPromise)
