/**
 * How fast full blocks of Solana come in: a node on this machine tells blocks of real size, the
 * source reads them over HTTP with their proofs, and swaps are decoded and held against their
 * vaults. The baseline parses all of the same text and reads every transaction of it, on one thread
 * and without HTTP. Blocks are made of real votes, transfers and swaps, each on the one before.
 */
import { Effect, Stream } from "effect"
import type { SolanaBlock } from "../streams/solana/block.ts"
import {
  type CheckedTransactions,
  nothingChecked,
  withBlock,
  withChecked
} from "../streams/solana/checked-transactions.ts"
import { ProgramNames } from "../streams/solana/transaction/program-names.ts"
import { readDocument } from "../streams/solana/transaction/read-document.ts"
import { scanBlock } from "../streams/solana/transaction/scan-block.ts"
import { solanaVenues, venuesByProgram as venues } from "../streams/solana/venues.ts"
import { solanaRpcSource } from "../streams/sources/solana-rpc/source.ts"
import { alone, type Bench, type BenchResult, compared } from "./bench.ts"
import { withAssistant } from "./measure/assistant.ts"
import { median } from "./measure/quantile.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"
import { FIRST_SLOT, realSizeBlock } from "./solana/real-size-block.ts"

const OPTIONS = `  --blocks N          blocks to read (120)
  --bytes N           least size of a block's text (5000000)
  --rounds N          rounds of the parts that are measured alone, of which the median counts (9)`

const names = new ProgramNames(venues.keys())

/** Median seconds of some work. */
const secondsOf = (rounds: number, work: () => void): number => {
  const seconds: Array<number> = []
  // the first two rounds warm up
  for (let round = -2; round < rounds; round++) {
    const began = performance.now()
    work()
    if (round >= 0) seconds.push((performance.now() - began) / 1000)
  }
  return median(seconds)
}

/** Parses a block whole, and reads and checks all of its transactions. */
const parseWhole = (bytes: Buffer): CheckedTransactions => {
  let checked = nothingChecked(solanaVenues)
  for (const one of readDocument(JSON.parse(bytes.toString()))) {
    if (one._tag === "Transaction") checked = withChecked(checked, one, venues)
  }
  return checked
}

interface Ingested {
  readonly seconds: number
  /** of this process, all threads: what is waited for on a busy machine is not in it */
  readonly processorSeconds: number
  readonly blocks: number
  readonly ok: number
  readonly bad: number
}

/** Reads blocks from a node, and checks their swaps. */
const ingest = (url: string, from: number, count: number): Promise<Ingested> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const programs = [...venues.keys()]
      const options = { endpoints: [url], programs, start: null, genesisHash: null }
      const { past } = yield* solanaRpcSource(options)
      let last: SolanaBlock | null = null
      let blocks = 0
      let checked = nothingChecked(solanaVenues)
      const began = performance.now()
      const before = process.cpuUsage()
      const range = { fromBlock: from, toBlock: from + count - 1 }
      const tail = { blocks: [], knownPools: [], knownTokens: [] }
      yield* Stream.runForEach(past?.(range, tail, "ranges") ?? Stream.empty, batch =>
        Effect.sync(() => {
          for (const one of batch) {
            if (one._tag !== "Block") throw new Error(`a rollback to ${one.toBlock}`)
            if (last !== null && one.parentHash !== last.hash)
              throw new Error(`slot ${one.slot} after ${last.slot}`)
            checked = withBlock(checked, one, venues)
            // no lane keeps more: what is kept is copied by the garbage collector again and again
            last = one
            blocks++
          }
        })
      )
      const rows = [...checked.table.values()]
      const { user, system } = process.cpuUsage(before)
      return {
        processorSeconds: (user + system) / 1e6,
        seconds: (performance.now() - began) / 1000,
        blocks,
        ok: rows.reduce((sum, { ok }) => sum + ok, 0),
        bad: rows.reduce((sum, { bad }) => sum + bad, 0)
      }
    })
  )

const WARM_UP = 20

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    blocks: { type: "string" },
    bytes: { type: "string" },
    rounds: { type: "string" }
  })
  const count = countOf("blocks", options.blocks, 120)
  const rounds = countOf("rounds", options.rounds, 9)
  const leastBytes = countOf("bytes", options.bytes, 5_000_000)
  const { bytes, transactions } = realSizeBlock(leastBytes, FIRST_SLOT)
  const megabytes = bytes.length / 1e6
  const found = await withAssistant("solana/node-assistant.ts", async assistant => {
    const url = await assistant.ask<string>("start", { leastBytes, blocks: WARM_UP + count + 2 })
    await ingest(url, FIRST_SLOT, Math.min(WARM_UP, count))
    return ingest(url, FIRST_SLOT + WARM_UP, count)
  })
  if (found.bad > 0 || found.blocks !== count)
    throw new Error(`${found.blocks} blocks came, with ${found.bad} bad swaps`)
  const swaps = Math.round(found.ok / count)
  say(
    `solana-ingest: blocks of ${megabytes.toFixed(2)} MB with ${transactions} transactions, ` +
      `${swaps} swaps in each, all of them as their vaults say`
  )
  const whole = secondsOf(rounds, () => parseWhole(bytes))
  const scanned = secondsOf(rounds, () => scanBlock(bytes, 0, bytes.length, names))
  const parsed = secondsOf(rounds, () => JSON.parse(bytes.toString()))
  return {
    bench: "solana-ingest",
    ...compared("ingest", "blocks/s", count / found.seconds, 1 / whole, count),
    also: [
      compared("scan", "MB/s", megabytes / scanned, megabytes / parsed, rounds),
      alone("processor", "ms/block", (found.processorSeconds * 1000) / count, count),
      alone("swaps_checked", "swaps/s", found.ok / found.seconds, found.ok)
    ]
  }
}

export const solanaIngest: Bench = {
  name: "solana-ingest",
  about: "full blocks of Solana over HTTP to checked swaps, beside parsing all of their text",
  options: OPTIONS,
  run
}
