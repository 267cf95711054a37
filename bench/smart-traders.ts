/**
 * The board of smart traders over a week of Solana: how long a lane takes to build it, beside the
 * naive way, which folds every swap of every wallet by the function that candidates are folded by.
 */
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { foldCandidates } from "../api/groups/traders/candidate-swaps.ts"
import { smartAnswer } from "../api/groups/traders/shown-boards.ts"
import { EXAMPLE_TRADER, type SmartBoard } from "../api/groups/traders/traders.api.ts"
import { allPages } from "../api/queries.ts"
import { newFoldSet } from "../engine/runner/fold-set.ts"
import { loadCore } from "../engine/runner/lane-core.ts"
import { openQueries } from "../engine/runner/queries.ts"
import { openStore } from "../engine/store/store.ts"
import { allProjections } from "../projections/all.ts"
import { solana } from "../src/domain/chains/solana.ts"
import { alone, type Bench, type BenchResult, compared } from "./bench.ts"
import { peakMemory } from "./measure/memory.ts"
import { quantile } from "./measure/quantile.ts"
import { withFolder } from "./measure/scratch-folder.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"
import { type TapePlan, writeTape } from "./traders/generated-tape.ts"

const OPTIONS = `  --swaps N           swaps of the tape (10000000)
  --wallets N         their wallets (200000)
  --tokens N          their tokens (50000)
  --sample N          newest swaps that the naive way folds; its time is scaled up (50000)`

const DATABASE_MB = 512
const DAYS = 7
const SORTS = ["score", "pnl", "roi", "winrate"] as const

/** Milliseconds of a build, and of the naive way over a sample of the newest swaps. */
const measure = (file: string, plan: TapePlan, sample: number) =>
  Effect.gen(function* () {
    const folds = newFoldSet(solana, allProjections)
    const store = yield* openStore(file, folds.tables, { threads: 1, databaseMb: DATABASE_MB })
    const core = yield* loadCore(store, folds, () => Stream.empty)
    const queries = yield* openQueries(store, solana, folds, core, allPages)
    const began = performance.now()
    const answer = yield* queries.answer({ name: "smartTraders", params: { days: DAYS } })
    const buildMs = performance.now() - began
    if (!answer.ok) return yield* Effect.die(answer.refusal.message)
    const memory = peakMemory(process.pid) ?? 0
    const board = JSON.parse(new TextDecoder().decode(answer.body)) as SmartBoard
    say(`built: ${JSON.stringify(board).slice(0, 500)}`)
    const newest = plan.swaps + 1
    const first = newest - sample + 1
    const { rows, columns } = store.writer
    const wallets = yield* rows(
      `SELECT wallet_top, wallet_hi, wallet_lo, count(*) AS swaps FROM tape
       WHERE seq >= ${first} GROUP BY ALL`
    )
    const sums = { from: 0, upTo: newest, money: new Map([[2, 150]]), scales: new Map() }
    const window = { sums: { ...sums, isQuotedOnly: true }, coverageSince: 0, parts: [] }
    const naive = performance.now()
    const view = { rows, columns } as Parameters<typeof foldCandidates>[0]
    yield* foldCandidates(view, { ...window, first, newest }, wallets)
    const naiveMs = ((performance.now() - naive) * plan.swaps) / sample
    return { buildMs, naiveMs, memory, request: requestMs(board) }
  }).pipe(Effect.scoped)

/** Candidates of a board: as many as its rules look at, all of them eligible. */
const CANDIDATES = 250

/** Milliseconds of what a request makes of a full board, by each order, the slowest 1 in 100. */
const requestMs = (board: SmartBoard): number => {
  const traders = Array.from({ length: CANDIDATES }, (_, i) => {
    const figure = (i * 7919) % CANDIDATES
    return { ...EXAMPLE_TRADER, score: figure, realizedPnlUsd: figure, roi: figure }
  })
  const kept = {
    ...{ board: { ...board, traders }, seq: 1, log: null },
    ...{ builtMs: 0, tookMs: 0, setbacks: 0, rollbacks: 0, problem: null }
  }
  const took = Array.from({ length: 2000 }, (_, i) => {
    const began = performance.now()
    JSON.stringify(
      smartAnswer(kept, { sort: SORTS[i % SORTS.length] ?? "score", limit: CANDIDATES })
    )
    return performance.now() - began
  })
  return quantile(took, 0.99)
}

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    swaps: { type: "string" },
    wallets: { type: "string" },
    tokens: { type: "string" },
    sample: { type: "string" }
  })
  const plan: TapePlan = {
    swaps: countOf("swaps", options.swaps, 10_000_000),
    wallets: countOf("wallets", options.wallets, 200_000),
    tokens: countOf("tokens", options.tokens, 50_000),
    days: DAYS
  }
  const sample = Math.min(plan.swaps, countOf("sample", options.sample, 50_000))
  return withFolder(async folder => {
    const file = join(folder, "solana.duckdb")
    say(`a tape of ${plan.swaps} swaps`)
    await Effect.runPromise(writeTape(file, plan, DATABASE_MB))
    const { buildMs, naiveMs, memory, request } = await Effect.runPromise(
      measure(file, plan, sample)
    )
    return {
      bench: "smart-traders",
      ...compared("build", "ms", buildMs, naiveMs, plan.swaps),
      also: [
        alone("memory", "MB peak", memory / 1e6, 1),
        alone("request_p99", "ms", request, CANDIDATES)
      ]
    }
  })
}

export const smartTraders: Bench = {
  name: "smart-traders",
  about: "building the board of smart traders of a week of Solana",
  options: OPTIONS,
  run
}
