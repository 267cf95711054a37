/**
 * Boards and pages of a large market: what each costs an engine that answers it for the first time,
 * and how near to raw uWebSockets one comes that is asked for again.
 */
import { join, resolve } from "node:path"
import { alone, type Bench, type BenchResult, compared, type Measure } from "./bench.ts"
import { boardRoutes, type Market } from "./boards/routes.ts"
import { replayFiles } from "./engine/replay.ts"
import type { OpenInput, Progress } from "./engine/serving-assistant.ts"
import { cachedLogs } from "./generate/cached-logs.ts"
import { inTurns } from "./http/in-turns.ts"
import { KeepAliveClient } from "./http/keep-alive-client.ts"
import { tradedTokens } from "./http/pages.ts"
import { rawPage } from "./http/raw-page.ts"
import { type Assistant, withAssistant } from "./measure/assistant.ts"
import { watchMemory } from "./measure/memory.ts"
import { quantile } from "./measure/quantile.ts"
import { withFolder } from "./measure/scratch-folder.ts"
import { amountOf, countOf, optionsOf, say } from "./measure/words.ts"

const OPTIONS = `  --data DIR          a data folder of chain base (\`ingest --txs --keep DIR\`); else one is made
  --swaps N           swaps of the market to be made (5000000)
  --tokens N          its tokens (50000)
  --wallets N         its wallets (500000)
  --requests N        requests of each route (200)
  --seconds S         length of each warm load (2)
  --rounds N          rounds of warm loads, of which the one of the median ratio counts (7)
  --cpu-prof DIR      writes CPU profiles of all threads`

const CHAIN = 8453
const KEY = "base"
/** The most traded tokens, one of which each request of a token's page asks for. */
const ASKED_TOKENS = 500
const WARM_CONNECTIONS = 32
const MEGABYTE = 1e6

interface Settings {
  readonly requests: number
  readonly seconds: number
  readonly rounds: number
}

interface Server extends Settings {
  readonly engine: Assistant
  readonly port: number
  readonly folder: string
}

/** Milliseconds of each of different pages, asked for one after the other. */
const coldTimes = async (
  port: number,
  pathOf: (i: number) => string,
  count: number
): Promise<ReadonlyArray<number>> => {
  const client = await KeepAliveClient.open(port)
  const times: Array<number> = []
  try {
    for (let i = 0; i < count; i++) {
      const path = pathOf(i)
      const asked = performance.now()
      const { status, body } = await client.get(path)
      times.push(performance.now() - asked)
      if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
    }
  } finally {
    client.close()
  }
  return times
}

/** What every route costs whose answer nobody has asked for yet. */
const cold = async ({ engine, port, requests }: Server): Promise<ReadonlyArray<Measure>> => {
  const tokens = await tradedTokens(port, CHAIN, ASKED_TOKENS)
  const market: Market = { chain: CHAIN, key: KEY, tokens }
  const measures: Array<Measure> = []
  for (const { name, path } of boardRoutes) {
    const before = await engine.ask<Progress>("progress")
    const times = await coldTimes(port, i => path(market, i), requests)
    const after = await engine.ask<Progress>("progress")
    if (after.cacheHits > before.cacheHits) throw new Error(`the cache answered some of ${name}`)
    measures.push(
      alone(`${name}_p50`, "ms", quantile(times, 0.5), requests),
      alone(`${name}_p99`, "ms", quantile(times, 0.99), requests)
    )
  }
  return measures
}

/** A board that the cache answers, and uWebSockets with the same bytes, in turns. */
const warm = ({ port, folder, seconds, rounds }: Server, path: string) =>
  withAssistant("http/raw-assistant.ts", async assistant => {
    const page = await rawPage(port, path)
    const raw = await assistant.ask<{ port: number }>("serve", [page])
    const connections = WARM_CONNECTIONS
    const ports = [port, raw.port] as const
    return inTurns({ ports, path, seconds, rounds, folder, connections })
  })

const measure = async (server: Server) => {
  const { requests, rounds } = server
  say("pages that were not asked for before, one after the other")
  const measures = await cold(server)
  say("a board of 100 tokens from the cache, in turns with raw uWebSockets")
  const board = await warm(server, `/v1/chains/${KEY}/tokens?limit=100`)
  const worst = Math.max(
    ...measures.filter(({ metric }) => metric.endsWith("_p99")).map(({ value }) => value)
  )
  return {
    ...compared("board_cached", "requests/s", board.ours.perSecond, board.raw.perSecond, rounds),
    also: [alone("cold_worst_p99", "ms", worst, requests), ...measures]
  }
}

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    data: { type: "string" },
    swaps: { type: "string" },
    tokens: { type: "string" },
    wallets: { type: "string" },
    requests: { type: "string" },
    seconds: { type: "string" },
    rounds: { type: "string" },
    "cpu-prof": { type: "string" }
  })
  const profile = options["cpu-prof"]
  const profileFolder = profile === undefined ? undefined : resolve(profile)
  const settings: Settings = {
    requests: countOf("requests", options.requests, 200),
    seconds: amountOf("seconds", options.seconds, 2),
    rounds: countOf("rounds", options.rounds, 7)
  }
  return withFolder(async folder => {
    const dataFolder = options.data === undefined ? join(folder, "data") : resolve(options.data)
    if (options.data === undefined) {
      const files = await cachedLogs({
        swaps: countOf("swaps", options.swaps, 5_000_000),
        tokens: countOf("tokens", options.tokens, 50_000),
        wallets: countOf("wallets", options.wallets, 500_000),
        txs: true
      })
      say("making the tables")
      await replayFiles(files, dataFolder)
    }
    const serve = async (engine: Assistant) => {
      const memory = watchMemory(engine.pid, dataFolder)
      try {
        const input: OpenInput = { chain: KEY, dataFolder }
        const { port } = await engine.ask<{ port: number }>("open", input)
        say("waiting until the lane has merged its tables")
        await engine.ask("rest")
        const found = await measure({ ...settings, engine, port, folder })
        const used = alone("serving_memory", "MB peak", memory.engine() / MEGABYTE, 1)
        return { bench: "boards", ...found, also: [...found.also, used] }
      } finally {
        memory.stop()
      }
    }
    return withAssistant("engine/serving-assistant.ts", serve, { profileFolder })
  })
}

export const boards: Bench = {
  name: "boards",
  about: "boards and pages of a large market, asked for the first time and again",
  options: OPTIONS,
  run
}
