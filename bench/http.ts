/**
 * Pages over HTTP: candles and trades, from the cache and not, while files are ingested at full
 * speed and afterwards. The baseline of cached pages is uWebSockets in a process of its own that
 * sends the very same bytes.
 */
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { alone, type Bench, type BenchResult, compared, type Measure } from "./bench.ts"
import type { OpenInput, Progress } from "./engine/serving-assistant.ts"
import { cachedLogs, type LogFiles } from "./generate/cached-logs.ts"
import { inTurns } from "./http/in-turns.ts"
import { getOnce } from "./http/keep-alive-client.ts"
import { fullLoad, hasWrk, type Load, steadyLoad } from "./http/load.ts"
import { candlesPage, manyCandles, manyTrades, tradedTokens, tradesPage } from "./http/pages.ts"
import { rawPage } from "./http/raw-page.ts"
import { type Assistant, withAssistant } from "./measure/assistant.ts"
import { withFolder } from "./measure/scratch-folder.ts"
import { amountOf, countOf, optionsOf, say } from "./measure/words.ts"

const OPTIONS = `  --swaps N           swaps ingested meanwhile (3000000)
  --tokens N          their tokens (5000)
  --wallets N         their wallets (50000)
  --seconds S         length of each load (2)
  --rounds N          rounds of cached loads, of which the one of the median ratio counts (7)
  --per-second N      requests a second of the steady loads (50)
  --cpu-prof DIR      writes CPU profiles of all threads of the engine
  --allow-early-end   does not mind when ingesting ends before the loads do, which says nothing`

const CHAIN = 8453
const KEY = "base"
/** Tokens whose pages are asked for, the most traded ones. */
const ASKED_TOKENS = 200
const DISTINCT_PAGES = 60_000
const CACHED_CONNECTIONS = 32
const UNCACHED_CONNECTIONS = 4
/** Ingesting has begun in earnest once so many events for each swap are in the tables. */
const WARM_EVENTS = 0.15

interface Settings {
  readonly files: LogFiles
  readonly swaps: number
  readonly seconds: number
  readonly rounds: number
  readonly perSecond: number
  readonly allowEarlyEnd: boolean
}

interface Server extends Settings {
  readonly engine: Assistant
  readonly port: number
  readonly folder: string
}

const progressOf = (engine: Assistant) => engine.ask<Progress>("progress")

/** Waits for a state of the engine. */
const until = async (engine: Assistant, reached: (progress: Progress) => boolean) => {
  for (;;) {
    const progress = await progressOf(engine)
    if (reached(progress)) return progress
    await sleep(100)
  }
}

/** The share of requests that the cache answered while `load` ran. */
const withHits = async (engine: Assistant, load: () => Promise<Load>) => {
  const before = await progressOf(engine)
  const result = await load()
  const after = await progressOf(engine)
  const share = (after.cacheHits - before.cacheHits) / (after.requests - before.requests)
  return { ...result, share }
}

const uncached = async (server: Server, paths: ReadonlyArray<string>): Promise<Load> => {
  const { engine, port, folder, seconds } = server
  const load = () => fullLoad({ port, paths, seconds, folder, connections: UNCACHED_CONNECTIONS })
  const result = await withHits(engine, load)
  if (result.share > 0.05) throw new Error(`the cache answered ${result.share} of "uncached" pages`)
  return result
}

const steady = ({ port, seconds, perSecond }: Server, paths: ReadonlyArray<string>) =>
  steadyLoad({ port, paths, seconds: seconds * 4, perSecond, connections: 16 })

/** Rates and latencies of one load as measures. */
const measuresOf = (name: string, load: Load, baseline?: number): ReadonlyArray<Measure> => [
  baseline === undefined
    ? alone(name, "requests/s", load.perSecond, load.requests)
    : compared(name, "requests/s", load.perSecond, baseline, load.requests),
  alone(`${name}_p50`, "ms", load.p50Ms, load.requests),
  alone(`${name}_p99`, "ms", load.p99Ms, load.requests)
]

/** What readers get while the engine ingests as fast as it can. */
const whileIngesting = async (server: Server): Promise<ReadonlyArray<Measure>> => {
  const { engine, port, swaps, files, folder, seconds } = server
  await engine.ask("ingest", files)
  await until(engine, ({ seq, done }) => seq >= swaps * WARM_EVENTS || done)
  const tokens = await tradedTokens(port, CHAIN, ASKED_TOKENS)
  const candles = manyCandles("ingesting", CHAIN, tokens, DISTINCT_PAGES)
  const trades = manyTrades("ingesting", KEY, tokens, DISTINCT_PAGES)
  const began = performance.now()
  const first = await progressOf(engine)
  say("steady load on uncached candles, then trades, while ingesting")
  const steadyCandles = await steady(server, candles)
  const steadyTrades = await steady(server, trades)
  say("full load on a cached page, then on uncached candles, while ingesting")
  const page = candlesPage(CHAIN, tokens[0] as string, "1m", 300)
  const cached = await fullLoad({
    port,
    paths: [page],
    seconds,
    connections: CACHED_CONNECTIONS,
    folder
  })
  const full = await uncached(server, candles.toReversed())
  const last = await progressOf(engine)
  if (last.done && !server.allowEarlyEnd) {
    throw new Error("ingesting ended before the loads did: give more --swaps")
  }
  const events = last.seq - first.seq
  const rate = (events / (performance.now() - began)) * 1000
  return [
    alone(
      "ingesting_candles_uncached_steady_p50",
      "ms",
      steadyCandles.p50Ms,
      steadyCandles.requests
    ),
    alone(
      "ingesting_candles_uncached_steady_p99",
      "ms",
      steadyCandles.p99Ms,
      steadyCandles.requests
    ),
    alone("ingesting_trades_uncached_steady_p50", "ms", steadyTrades.p50Ms, steadyTrades.requests),
    alone("ingesting_trades_uncached_steady_p99", "ms", steadyTrades.p99Ms, steadyTrades.requests),
    ...measuresOf("ingesting_candles_cached", cached),
    ...measuresOf("ingesting_candles_uncached", full),
    alone("ingesting_meanwhile", "events/s", rate, events)
  ]
}

/** Ours and the baseline on one page, in turns. */
const cachedPage = async (server: Server, rawPort: number, path: string) => {
  const { engine, port, folder, seconds, rounds } = server
  await getOnce(port, path)
  const connections = CACHED_CONNECTIONS
  const turns = { ports: [port, rawPort], path, seconds, rounds, folder, connections } as const
  return inTurns(turns, async load => {
    const result = await withHits(engine, load)
    if (result.share < 0.95) throw new Error(`the cache answered only ${result.share} of ${path}`)
    return result
  })
}

/** What readers get of an engine that has nothing else to do. */
const atRest = async (server: Server): Promise<Omit<BenchResult, "bench">> => {
  const { engine, port } = server
  await engine.ask("rest")
  const tokens = await tradedTokens(port, CHAIN, ASKED_TOKENS)
  const top = tokens[0] as string
  const pages = [candlesPage(CHAIN, top, "1m", 300), tradesPage(KEY, top, 50)] as const
  say("full load on cached pages at rest, in turns with raw uWebSockets")
  const [candles, trades] = await withAssistant("http/raw-assistant.ts", async assistant => {
    const raw = await Promise.all(pages.map(path => rawPage(port, path)))
    const { port: rawPort } = await assistant.ask<{ port: number }>("serve", raw)
    const first = await cachedPage(server, rawPort, pages[0])
    return [first, await cachedPage(server, rawPort, pages[1])] as const
  })
  say("loads on uncached pages at rest")
  const manyPages = manyCandles("rest", CHAIN, tokens, DISTINCT_PAGES)
  const freeCandles = await uncached(server, manyPages)
  const steadyCandles = await steady(server, manyPages.toReversed())
  const freeTrades = await uncached(server, manyTrades("rest", KEY, tokens, DISTINCT_PAGES))
  const { ours, raw } = candles
  return {
    ...compared("candles_cached", "requests/s", ours.perSecond, raw.perSecond, ours.requests),
    also: [
      ...measuresOf("candles_cached", ours).slice(1),
      ...measuresOf("trades_cached", trades.ours, trades.raw.perSecond),
      ...measuresOf("candles_uncached", freeCandles),
      alone("candles_uncached_steady_p99", "ms", steadyCandles.p99Ms, steadyCandles.requests),
      ...measuresOf("trades_uncached", freeTrades)
    ]
  }
}

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    swaps: { type: "string" },
    tokens: { type: "string" },
    wallets: { type: "string" },
    seconds: { type: "string" },
    rounds: { type: "string" },
    "per-second": { type: "string" },
    "cpu-prof": { type: "string" },
    "allow-early-end": { type: "boolean" }
  })
  const size = {
    swaps: countOf("swaps", options.swaps, 3_000_000),
    tokens: countOf("tokens", options.tokens, 5000),
    wallets: countOf("wallets", options.wallets, 50_000),
    txs: false
  }
  const settings: Settings = {
    files: await cachedLogs(size),
    swaps: size.swaps,
    seconds: amountOf("seconds", options.seconds, 2),
    rounds: countOf("rounds", options.rounds, 7),
    perSecond: amountOf("per-second", options["per-second"], 50),
    allowEarlyEnd: options["allow-early-end"] === true
  }
  if (!hasWrk()) say("wrk is not installed: the load comes from a client of our own")
  const profile = options["cpu-prof"]
  const program = { profileFolder: profile === undefined ? undefined : resolve(profile) }
  const measure = async (engine: Assistant, folder: string): Promise<BenchResult> => {
    const input: OpenInput = { chain: KEY, dataFolder: join(folder, "data") }
    const { port } = await engine.ask<{ port: number }>("open", input)
    const server: Server = { ...settings, engine, port, folder }
    const busy = await whileIngesting(server)
    say("waiting until everything is ingested")
    await until(engine, ({ done }) => done)
    const rest = await atRest(server)
    return { bench: "http", ...rest, also: [...(rest.also ?? []), ...busy] }
  }
  return withFolder(folder =>
    withAssistant("engine/serving-assistant.ts", engine => measure(engine, folder), program)
  )
}

export const http: Bench = {
  name: "http",
  about: "candles and trades pages, cached and not, at rest and while ingesting",
  options: OPTIONS,
  run
}
