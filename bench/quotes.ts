/**
 * Quotes over HTTP, at fixed times and beside a chain's blocks, as many users ask: a quote's
 * latency runs from when it was due. The baseline is the same load on one cached page.
 */
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type Random, seededRandom } from "../streams/sources/devchain/random.ts"
import { alone, type Bench, type BenchResult, compared } from "./bench.ts"
import { replayFiles } from "./engine/replay.ts"
import type { OpenInput, Traded } from "./engine/serving-assistant.ts"
import type { TradeAgain } from "./engine/trade-again.ts"
import { cachedLogs } from "./generate/cached-logs.ts"
import { getOnce, KeepAliveClient } from "./http/keep-alive-client.ts"
import { type Load, steadyLoad } from "./http/load.ts"
import { tradesPage } from "./http/pages.ts"
import { type Assistant, withAssistant } from "./measure/assistant.ts"
import { withFolder } from "./measure/scratch-folder.ts"
import { amountOf, countOf, optionsOf, say } from "./measure/words.ts"

const OPTIONS = `  --swaps N           swaps of the market, of pools of many kinds (200000)
  --tokens N          its tokens (5000)
  --wallets N         its wallets (50000)
  --per-second N      quotes a second (200)
  --seconds S         length of each load (20)
  --block-ms N        time between two blocks (1000)
  --block-swaps N     swaps of each (100)
  --cpu-prof DIR      writes CPU profiles of all threads`

const CHAIN = 8453
const KEY = "base"
/** The most traded tokens, which quotes sell and buy. */
const QUOTED_TOKENS = 300
/** Dollars of orders, from and to by decades. */
const LEAST_USD = 10
const DECADES = 4
const CONNECTIONS = 32
/** Before what counts: the first blocks and quotes meet code that is not compiled yet. */
const WARM_UP_SECONDS = 3

interface QuotedToken {
  readonly address: string
  /** raw units that a thousand dollars buy */
  readonly perThousand: bigint
}

const quotePath = (from: string, to: string, amount: bigint): string =>
  `/v1/quote?chain=${CHAIN}&inputMint=${from}&outputMint=${to}&amount=${amount}`

/** Tokens that the dollar buys, with what a thousand of it buys. */
const quotedTokens = async (
  port: number,
  dollar: string,
  tokens: ReadonlyArray<string>
): Promise<ReadonlyArray<QuotedToken>> => {
  const client = await KeepAliveClient.open(port)
  const found: Array<QuotedToken> = [{ address: dollar, perThousand: 1_000_000_000n }]
  try {
    for (const address of tokens) {
      if (address === dollar) continue
      const { status, body } = await client.get(quotePath(dollar, address, 1_000_000_000n))
      if (status !== 200) throw new Error(`a quote: ${status} ${body}`)
      const bought = BigInt(JSON.parse(body.toString()).outputAmount)
      if (bought > 0n) found.push({ address, perThousand: bought })
    }
  } finally {
    client.close()
  }
  return found
}

const pick = <A>(random: Random, items: ReadonlyArray<A>): A =>
  items[Math.floor(random.next() * items.length)] as A

/** Sales of tokens for others, of all sizes; the dollar and the native token are of most. */
const ordersOf = (tokens: ReadonlyArray<QuotedToken>, count: number): ReadonlyArray<string> => {
  const random = seededRandom("swaptape", "quotes")
  const anchors = tokens.slice(0, 2)
  const paths: Array<string> = []
  while (paths.length < count) {
    const one = pick(random, tokens)
    const other = pick(random, random.next() < 0.7 ? anchors : tokens)
    const [from, to] = random.next() < 0.5 ? [one, other] : [other, one]
    const usd = LEAST_USD * 10 ** (DECADES * random.next())
    const amount = (from.perThousand * BigInt(Math.round(usd * 1e6))) / 1_000_000_000n
    if (from !== to && amount > 0n) paths.push(quotePath(from.address, to.address, amount))
  }
  return paths
}

interface Pace {
  readonly blockMs: number
  /** what each block trades once more */
  readonly trades: TradeAgain
}

/** The newest trades of the log, so many. */
const newestTrades = async (port: number, swaps: number): Promise<TradeAgain> => {
  const { status, body } = await getOnce(port, `/v1/chains/${KEY}/prints?limit=1`)
  if (status !== 200) throw new Error(`the newest trades: ${status} ${body}`)
  const [{ block, logIndex }] = JSON.parse(body.toString()).prints
  return { block, logIndex, swaps }
}

/** Appends blocks at their times for as long as `load` runs; how many they were. */
const besideBlocks = async <A>(
  engine: Assistant,
  { blockMs, trades }: Pace,
  load: () => Promise<A>
) => {
  let isOver = false
  const append = async () => {
    let blocks = 0
    for (let due = performance.now(); !isOver; due += blockMs, blocks++) {
      await engine.ask<Traded>("tradeAgain", trades)
      await sleep(Math.max(0, due + blockMs - performance.now()))
    }
    return blocks
  }
  const appended = append()
  const result = await load().finally(() => {
    isOver = true
  })
  return { result, blocks: await appended }
}

const resultOf = (quotes: Load, pages: Load, blocks: number): BenchResult => ({
  bench: "quotes",
  ...compared("quotes_p99", "ms", quotes.p99Ms, pages.p99Ms, quotes.requests),
  also: [
    compared("quotes_p50", "ms", quotes.p50Ms, pages.p50Ms, quotes.requests),
    alone("quotes_rate", "requests/s", quotes.perSecond, quotes.requests),
    alone("blocks", "blocks", blocks, quotes.requests)
  ]
})

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    swaps: { type: "string" },
    tokens: { type: "string" },
    wallets: { type: "string" },
    "per-second": { type: "string" },
    seconds: { type: "string" },
    "block-ms": { type: "string" },
    "block-swaps": { type: "string" },
    "cpu-prof": { type: "string" }
  })
  const size = {
    swaps: countOf("swaps", options.swaps, 200_000),
    tokens: countOf("tokens", options.tokens, 5000),
    wallets: countOf("wallets", options.wallets, 50_000)
  }
  const perSecond = amountOf("per-second", options["per-second"], 200)
  const seconds = amountOf("seconds", options.seconds, 20)
  const blockMs = amountOf("block-ms", options["block-ms"], 1000)
  const blockSwaps = countOf("block-swaps", options["block-swaps"], 100)
  const files = await cachedLogs({ ...size, txs: false, mixed: true })
  const listed = readFileSync(files.tokens[0] as string, "utf8").split("\n", QUOTED_TOKENS)
  const tokens = listed.flatMap(line => (line === "" ? [] : [JSON.parse(line).address as string]))
  const measure = async (engine: Assistant, folder: string): Promise<BenchResult> => {
    const dataFolder = join(folder, "data")
    await replayFiles(files, dataFolder)
    const input: OpenInput = { chain: KEY, dataFolder, hasRouter: true }
    const { port } = await engine.ask<{ port: number }>("open", input)
    await engine.ask("rest")
    const quoted = await quotedTokens(port, tokens[1] as string, tokens)
    say(`quotes of ${quoted.length} tokens, then a cached page, ${perSecond} a second`)
    const pace: Pace = { blockMs, trades: await newestTrades(port, blockSwaps) }
    const load = { port, seconds, perSecond, connections: CONNECTIONS }
    const paths = ordersOf(quoted, Math.ceil(seconds * perSecond))
    const warmUp = { ...load, seconds: WARM_UP_SECONDS, paths: paths.toReversed() }
    await besideBlocks(engine, pace, () => steadyLoad(warmUp))
    const quotes = await besideBlocks(engine, pace, () => steadyLoad({ ...load, paths }))
    const page = tradesPage(KEY, tokens[0] as string, 50)
    const pages = await besideBlocks(engine, pace, () => steadyLoad({ ...load, paths: [page] }))
    return resultOf(quotes.result, pages.result, quotes.blocks)
  }
  const profile = options["cpu-prof"]
  const program = { profileFolder: profile === undefined ? undefined : resolve(profile) }
  return withFolder(folder =>
    withAssistant("engine/serving-assistant.ts", engine => measure(engine, folder), program)
  )
}

export const quotes: Bench = {
  name: "quotes",
  about: "quotes over HTTP at fixed times beside a chain's blocks, beside a cached page",
  options: OPTIONS,
  run
}
