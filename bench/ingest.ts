/**
 * A file of raw logs, through the product's own `replay`: read, decode, append to the log (fsynced
 * by a real nats-server), fold, commit every projection. The baseline appends the tape's rows to
 * DuckDB and does nothing else.
 */
import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { alone, type Bench, type BenchResult, compared, type Measure } from "./bench.ts"
import { appendBaseline } from "./engine/append-baseline.ts"
import { type Ingested, replayFiles } from "./engine/replay.ts"
import { cachedLogs, type LogFiles } from "./generate/cached-logs.ts"
import { withFolder } from "./measure/scratch-folder.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"

const OPTIONS = `  --swaps N           swaps to generate (1000000)
  --tokens N          tokens (5000)
  --wallets N         wallets (50000)
  --txs               with a file of transactions, which tells who sent each
  --mixed             pools of eight kinds, not of Uniswap V2 and V3 only
  --file FILE         a file of raw logs instead of a generated one
  --chain KEY         its chain (base)
  --tokens-file FILE  facts of its tokens
  --scale             again with ten times the tokens and wallets, compared with the first run
  --keep DIR          leaves the data folder here, for \`rebuild --data DIR\`
  --cpu-prof DIR      writes CPU profiles of all threads`

interface Choice {
  readonly files: LogFiles
  readonly folder: string
  readonly profileFolder: string | undefined
}

interface Run {
  readonly ours: Ingested
  readonly measures: ReadonlyArray<Measure>
  readonly main: Omit<BenchResult, "bench">
}

const MEGABYTE = 1e6

/** One ingest and its baseline. */
const runOnce = async ({ files, folder, profileFolder }: Choice, keep?: string): Promise<Run> => {
  const data = keep ?? join(folder, "data")
  say("ingest: files → log → tables")
  const ours = await replayFiles(files, data, profileFolder)
  const { swaps, seconds, logs } = ours
  const append = await appendBaseline(files.chain, data, folder)
  if (append.rows !== swaps) {
    throw new Error(`the log holds ${append.rows} swaps, the tables ${swaps}`)
  }
  return {
    ours,
    main: compared("ingest", "swaps/s", swaps / seconds, append.rows / append.seconds, swaps),
    measures: [
      alone("ingest_logs", "logs/s", logs / seconds, logs),
      alone("log_bytes", "bytes/swap", append.logBytes / swaps, swaps),
      alone("engine_memory", "MB peak", ours.engineBytes / MEGABYTE, swaps),
      alone("nats_memory", "MB peak", ours.natsBytes / MEGABYTE, swaps)
    ]
  }
}

const many = 10

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    swaps: { type: "string" },
    tokens: { type: "string" },
    wallets: { type: "string" },
    txs: { type: "boolean" },
    mixed: { type: "boolean" },
    file: { type: "string" },
    chain: { type: "string" },
    "tokens-file": { type: "string" },
    scale: { type: "boolean" },
    keep: { type: "string" },
    "cpu-prof": { type: "string" }
  })
  const size = {
    swaps: countOf("swaps", options.swaps, 1_000_000),
    tokens: countOf("tokens", options.tokens, 5000),
    wallets: countOf("wallets", options.wallets, 50_000),
    txs: options.txs === true,
    mixed: options.mixed === true
  }
  const given = options["tokens-file"]
  const files: LogFiles =
    options.file === undefined
      ? await cachedLogs(size)
      : {
          chain: options.chain ?? "base",
          files: [resolve(options.file)],
          tokens: given === undefined ? [] : [resolve(given)],
          txs: []
        }
  const profile = options["cpu-prof"]
  const profileFolder = profile === undefined ? undefined : resolve(profile)
  if (profileFolder !== undefined) mkdirSync(profileFolder, { recursive: true })
  const keep = options.keep === undefined ? undefined : resolve(options.keep)
  const base = await withFolder(folder => runOnce({ files, folder, profileFolder }, keep))
  if (options.scale !== true) return { bench: "ingest", ...base.main, also: base.measures }
  const { tokens, wallets } = size
  const larger = await cachedLogs({ ...size, tokens: tokens * many, wallets: wallets * many })
  const scaled = await withFolder(folder => runOnce({ files: larger, folder, profileFolder }))
  const swaps = scaled.ours.swaps
  return {
    bench: "ingest",
    ...compared("ingest_scaled", "swaps/s", scaled.main.value, base.main.value, swaps),
    also: [
      base.main,
      ...base.measures,
      ...scaled.measures.map(one => ({ ...one, metric: `${one.metric}_scaled` }))
    ]
  }
}

export const ingest: Bench = {
  name: "ingest",
  about: "raw logs → log, fsynced → all projections committed",
  options: OPTIONS,
  run
}
