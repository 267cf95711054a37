/**
 * The router's start on a log: a thread of its own reads and folds the pools of all of it until it
 * quotes. The baseline reads and decodes the same log on one thread, and does nothing else.
 */
import { join, resolve } from "node:path"
import { alone, type Bench, type BenchResult, compared } from "./bench.ts"
import type { FoldInput, Followed, Logged, SnapshotUse } from "./engine/fold-assistant.ts"
import { cachedLogs } from "./generate/cached-logs.ts"
import { type Assistant, withAssistant } from "./measure/assistant.ts"
import { withFolder } from "./measure/scratch-folder.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"

const OPTIONS = `  --data DIR          a data folder with a log of base; else one of many kinds is made first
  --swaps N           swaps of the log to be made (1000000)
  --tokens N          its tokens (5000)
  --wallets N         its wallets (50000)
  --rounds N          rounds of both, in turns, of which the fastest counts (3)
  --cpu-prof DIR      writes CPU profiles of all threads`

/** Folds and reads in turns: other work on the machine only ever makes a round slower. */
const inTurns = async (assistant: Assistant, rounds: number, folder: string) => {
  const reads: Array<Logged & { readonly seconds: number }> = []
  const folds: Array<Followed> = []
  const starts: Array<Followed> = []
  const snapshots: SnapshotUse = { folder, everyEvents: 1_000_000 }
  await assistant.ask("follow", { ...snapshots, everyEvents: 1 } satisfies SnapshotUse)
  for (let round = 0; round < rounds; round++) {
    reads.push(await assistant.ask("read"))
    folds.push(await assistant.ask("follow", null))
    starts.push(await assistant.ask("follow", snapshots))
  }
  const least = <A extends { readonly seconds: number }>(all: ReadonlyArray<A>): A =>
    all.reduce((best, one) => (one.seconds < best.seconds ? one : best))
  return { read: least(reads), fold: least(folds), start: least(starts) }
}

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    data: { type: "string" },
    swaps: { type: "string" },
    tokens: { type: "string" },
    wallets: { type: "string" },
    rounds: { type: "string" },
    "cpu-prof": { type: "string" }
  })
  const profile = options["cpu-prof"]
  const rounds = countOf("rounds", options.rounds, 3)
  const measure = async (assistant: Assistant, folder: string): Promise<BenchResult> => {
    const dataFolder = options.data === undefined ? join(folder, "data") : resolve(options.data)
    const input: FoldInput = { dataFolder, chain: "base" }
    await assistant.ask("open", input)
    if (options.data === undefined) {
      const size = {
        swaps: countOf("swaps", options.swaps, 1_000_000),
        tokens: countOf("tokens", options.tokens, 5000),
        wallets: countOf("wallets", options.wallets, 50_000)
      }
      const files = await cachedLogs({ ...size, txs: false, mixed: true })
      say("making the log")
      await assistant.ask("append", files)
    }
    say("log → pools of the router, in turns with reading the log alone")
    const { read, fold, start } = await inTurns(assistant, rounds, join(folder, "router"))
    const { swaps, events } = read
    return {
      bench: "fold",
      ...compared("pool_fold", "swaps/s", swaps / fold.seconds, swaps / read.seconds, swaps),
      also: [
        alone("pool_fold_events", "events/s", events / fold.seconds, events),
        alone("start", "s", fold.seconds, events),
        compared("start_with_snapshot", "s", start.seconds, fold.seconds, events),
        alone("start_cpu", "CPU-s", fold.cpuSeconds, events),
        alone("quotable", "pools", fold.quotable, fold.pools),
        alone("engine_memory", "MB peak", fold.engineBytes / 1e6, swaps)
      ]
    }
  }
  const profileFolder = profile === undefined ? undefined : resolve(profile)
  return withFolder(folder =>
    withAssistant("engine/fold-assistant.ts", assistant => measure(assistant, folder), {
      profileFolder
    })
  )
}

export const fold: Bench = {
  name: "fold",
  about: "log → the router's pools, from nothing, beside reading the log alone",
  options: OPTIONS,
  run
}
