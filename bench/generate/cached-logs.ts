/** Files of raw logs for benches, generated once per set of parameters. */
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync
} from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Generated, generateLogs } from "../generate-logs.ts"
import { benchCache } from "../measure/scratch-folder.ts"
import { say } from "../measure/words.ts"

export interface MarketSize {
  readonly swaps: number
  readonly tokens: number
  readonly wallets: number
  /** whether a file of transactions is wanted, which tells who sent each */
  readonly txs: boolean
  /** whether pools are of many kinds */
  readonly mixed?: boolean
}

/** What `replay` is given. */
export interface LogFiles {
  readonly chain: string
  readonly files: ReadonlyArray<string>
  readonly tokens: ReadonlyArray<string>
  readonly txs: ReadonlyArray<string>
}

const SEED = "swaptape"

/** Changes with the generator's code: other code makes other files. */
const generatorVersion = (): string => {
  const root = join(import.meta.dirname, "..", "..")
  const sources = [
    "bench/generate-logs.ts",
    "streams/sources/devchain/random.ts",
    ...readdirSync(import.meta.dirname).map(name => `bench/generate/${name}`)
  ].filter(path => /\.ts$/.test(path) && !/(cached-logs|\.test)\.ts$/.test(path))
  const hash = createHash("sha256")
  for (const path of sources.sort()) hash.update(readFileSync(join(root, path)))
  return hash.digest("hex").slice(0, 8)
}

const filesIn = (folder: string, withTxs: boolean): LogFiles => ({
  chain: "base",
  files: [join(folder, "logs.ndjson")],
  tokens: [join(folder, "tokens.ndjson")],
  txs: withTxs ? [join(folder, "txs.ndjson")] : []
})

/** Writes the files beside, then moves the folder into place: a folder of that name is whole. */
const generate = async (folder: string, size: MarketSize): Promise<void> => {
  mkdirSync(benchCache, { recursive: true })
  const beside = mkdtempSync(join(benchCache, "new-"))
  try {
    const { files, tokens, txs } = filesIn(beside, size.txs)
    const { swaps, tokens: tokenCount, wallets } = size
    say(`generating ${swaps} swaps of ${tokenCount} tokens and ${wallets} wallets`)
    const generated = await generateLogs({
      swaps,
      tokens: tokenCount,
      wallets,
      seed: SEED,
      mixed: size.mixed === true,
      out: files[0] as string,
      tokensOut: tokens[0] as string,
      ...(txs[0] === undefined ? {} : { txsOut: txs[0] })
    })
    await writeFile(join(beside, "generated.json"), JSON.stringify(generated))
    if (!existsSync(folder)) renameSync(beside, folder)
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}

/** Removes what an older generator made for the same parameters. */
const removeOlder = (name: string): void => {
  if (!existsSync(benchCache)) return
  for (const found of readdirSync(benchCache)) {
    if (found.startsWith(name)) rmSync(join(benchCache, found), { recursive: true, force: true })
  }
}

/** The files of a market, from the cache or generated now. */
export const cachedLogs = async (size: MarketSize): Promise<LogFiles & { made: Generated }> => {
  const { swaps, tokens, wallets, txs, mixed } = size
  const kind = `${mixed ? "-mixed" : ""}${txs ? "-with-txs" : ""}`
  const name = `logs-${swaps}-${tokens}-${wallets}${kind}.`
  const folder = join(benchCache, `${name}${generatorVersion()}`)
  if (!existsSync(folder)) {
    removeOlder(name)
    await generate(folder, size)
  }
  const made = JSON.parse(await readFile(join(folder, "generated.json"), "utf8")) as Generated
  return { ...filesIn(folder, txs), made }
}
