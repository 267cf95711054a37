/**
 * The tables from the log: a lane's worker starts with an empty file, as after a lost or outdated
 * one, and folds everything. The baseline appends the tape's rows to DuckDB and does nothing else.
 * With `--as-solana` the lane of the same market on Solana is rebuilt beside it.
 */
import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { allChains } from "../src/domain/chains/registry.ts"
import { alone, type Bench, type BenchResult, compared } from "./bench.ts"
import { appendBaseline } from "./engine/append-baseline.ts"
import type { RebuildInput, Rebuilt } from "./engine/rebuild-assistant.ts"
import { replayFiles } from "./engine/replay.ts"
import { cachedLogs } from "./generate/cached-logs.ts"
import { withAssistant } from "./measure/assistant.ts"
import { withFolder } from "./measure/scratch-folder.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"
import { writeAsSolana } from "./solana/log-as-solana.ts"

const OPTIONS = `  --data DIR          a data folder with a log (\`ingest --keep DIR\`); else one is made first
  --chain KEY         its chain (base)
  --swaps N           swaps of the log to be made (1000000)
  --tokens N          its tokens (5000)
  --wallets N         its wallets (50000)
  --as-solana         also rebuilds Solana's lane of the same events
  --cpu-prof DIR      writes CPU profiles of all threads`

/** Rebuilds Solana's lane of the same events; the baseline is the rebuild of the lane itself. */
const besideIt = async (
  chain: string,
  data: string,
  rebuildOf: (key: string) => Promise<Rebuilt>,
  { swaps, seconds }: Rebuilt
) => {
  say("writing the log again as Solana's")
  const from = allChains.find(({ key }) => key === chain)
  if (from === undefined) throw new Error(`no chain ${chain}`)
  await writeAsSolana(from, data)
  say("rebuild of Solana's lane: log → tables")
  const told = await rebuildOf("solana")
  if (told.swaps !== swaps) throw new Error(`${told.swaps} swaps on Solana, ${swaps} before`)
  const measure = compared("as_solana", "swaps/s", swaps / told.seconds, swaps / seconds, swaps)
  return [measure, alone("as_solana_memory", "MB peak", told.engineBytes / 1e6, swaps)]
}

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    data: { type: "string" },
    chain: { type: "string" },
    swaps: { type: "string" },
    tokens: { type: "string" },
    wallets: { type: "string" },
    "as-solana": { type: "boolean" },
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
    const rebuildOf = (key: string): Promise<Rebuilt> => {
      const input: RebuildInput = { chain: key, dataFolder: data, folder: join(folder, key) }
      return withAssistant(
        "engine/rebuild-assistant.ts",
        assistant => assistant.ask<Rebuilt>("rebuild", input),
        { profileFolder }
      )
    }
    const ours = await rebuildOf(chain)
    const append = await appendBaseline(chain, data, folder)
    const { swaps, seconds, seq } = ours
    if (append.rows !== swaps) {
      throw new Error(`the log holds ${append.rows} swaps, the tables ${swaps}`)
    }
    const onSolana = options["as-solana"] ? await besideIt(chain, data, rebuildOf, ours) : []
    return {
      bench: "rebuild",
      ...compared("rebuild", "swaps/s", swaps / seconds, append.rows / append.seconds, swaps),
      also: [
        alone("rebuild_events", "events/s", seq / seconds, seq),
        alone("engine_memory", "MB peak", ours.engineBytes / 1e6, swaps),
        ...onSolana
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
