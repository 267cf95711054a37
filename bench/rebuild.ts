/**
 * The tables from the log: a lane's worker starts with an empty file, as after a lost or outdated
 * one, and folds everything. The baseline appends the tape's rows to DuckDB and does nothing else.
 */
import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { alone, type Bench, type BenchResult, compared } from "./bench.ts"
import { appendBaseline } from "./engine/append-baseline.ts"
import type { RebuildInput, Rebuilt } from "./engine/rebuild-assistant.ts"
import { replayFiles } from "./engine/replay.ts"
import { cachedLogs } from "./generate/cached-logs.ts"
import { withAssistant } from "./measure/assistant.ts"
import { withFolder } from "./measure/scratch-folder.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"

const OPTIONS = `  --data DIR          a data folder with a log (\`ingest --keep DIR\`); else one is made first
  --chain KEY         its chain (base)
  --swaps N           swaps of the log to be made (1000000)
  --tokens N          its tokens (5000)
  --wallets N         its wallets (50000)
  --cpu-prof DIR      writes CPU profiles of all threads`

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    data: { type: "string" },
    chain: { type: "string" },
    swaps: { type: "string" },
    tokens: { type: "string" },
    wallets: { type: "string" },
    "cpu-prof": { type: "string" }
  })
  const profile = options["cpu-prof"]
  const profileFolder = profile === undefined ? undefined : resolve(profile)
  if (profileFolder !== undefined) mkdirSync(profileFolder, { recursive: true })
  const chain = options.chain ?? "base"
  return withFolder(async folder => {
    const data = options.data === undefined ? join(folder, "data") : resolve(options.data)
    if (options.data === undefined) {
      const files = await cachedLogs({
        swaps: countOf("swaps", options.swaps, 1_000_000),
        tokens: countOf("tokens", options.tokens, 5000),
        wallets: countOf("wallets", options.wallets, 50_000),
        txs: false
      })
      say("making the log")
      await replayFiles(files, data)
    }
    say("rebuild: log → tables")
    const input: RebuildInput = { chain, dataFolder: data, folder: join(folder, "rebuilt") }
    const ours = await withAssistant(
      "engine/rebuild-assistant.ts",
      assistant => assistant.ask<Rebuilt>("rebuild", input),
      { profileFolder }
    )
    const append = await appendBaseline(chain, data, folder)
    const { swaps, seconds, seq } = ours
    if (append.rows !== swaps) {
      throw new Error(`the log holds ${append.rows} swaps, the tables ${swaps}`)
    }
    return {
      bench: "rebuild",
      ...compared("rebuild", "swaps/s", swaps / seconds, append.rows / append.seconds, swaps),
      also: [
        alone("rebuild_events", "events/s", seq / seconds, seq),
        alone("engine_memory", "MB peak", ours.engineBytes / 1e6, swaps)
      ]
    }
  })
}

export const rebuild: Bench = {
  name: "rebuild",
  about: "log → all tables, from nothing",
  options: OPTIONS,
  run
}
