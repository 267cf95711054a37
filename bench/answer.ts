/**
 * From the log to the answers that reflect it: a block of trades is appended while a reader of each
 * page of the chain and of the token that trades asks for it again and again; then while one reader
 * asks for one page.
 */
import { cpSync } from "node:fs"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Readers } from "./answer/readers.ts"
import { alone, type Bench, type BenchResult, compared } from "./bench.ts"
import { boardRoutes } from "./boards/routes.ts"
import { replayFiles } from "./engine/replay.ts"
import type { OpenInput, Traded } from "./engine/serving-assistant.ts"
import { cachedLogs } from "./generate/cached-logs.ts"
import { getOnce } from "./http/keep-alive-client.ts"
import { type Assistant, withAssistant } from "./measure/assistant.ts"
import { quantile } from "./measure/quantile.ts"
import { withFolder } from "./measure/scratch-folder.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"

const OPTIONS = `  --data DIR          a data folder of chain base (\`ingest --txs --keep DIR\`), of which a copy is
                      worked on; else one is made
  --swaps N           swaps of the market to be made (100000)
  --tokens N          its tokens (1000)
  --wallets N         its wallets (10000)
  --blocks N          blocks measured of each kind (100)
  --swaps-per-block N their swaps (20)
  --pause-ms N        pause between the last answer and the next block (200)
  --cpu-prof DIR      writes CPU profiles of all threads`

const CHAIN = 8453
const KEY = "base"
/** Blocks before those that count. */
const WARM_UP = 5
/** Trades known to bring again; the page has no more. */
const PRINTS = 500

interface Settings {
  readonly blocks: number
  readonly swapsPerBlock: number
  readonly pauseMs: number
}

interface Print {
  readonly token: string
  readonly block: number
  readonly logIndex: number
}

/** All but what tells of the clock. */
const routes = boardRoutes.filter(({ name }) => name !== "status")

/** The newest trades: of each token one, then of each another. */
const newestPrints = async (port: number): Promise<ReadonlyArray<Print>> => {
  const { status, body } = await getOnce(port, `/v1/chains/${KEY}/prints?limit=${PRINTS}`)
  if (status !== 200) throw new Error(`the newest trades: ${status} ${body}`)
  const { prints } = JSON.parse(body.toString()) as { readonly prints: ReadonlyArray<Print> }
  const seen = new Map<string, number>()
  const rounds = prints.map(print => {
    const round = seen.get(print.token) ?? 0
    seen.set(print.token, round + 1)
    return { print, round }
  })
  return rounds.sort((a, b) => a.round - b.round).map(({ print }) => print)
}

interface Times {
  /** of each block's pages in the order of `routes`, from the log's acknowledgement on */
  readonly answers: Array<ReadonlyArray<number>>
  /** of each page asked for when nothing was appended */
  readonly cached: Array<number>
  /** of a page that nobody but its reader asks for, likewise; each block another page */
  readonly single: Array<number>
}

interface Run extends Settings {
  readonly engine: Assistant
  readonly prints: ReadonlyArray<Print>
  readonly readers: Readers
}

/** Appends a block and waits until pages of the chain, and of a token in it, reflect it. */
const answersTo = async (
  { engine, prints, readers, swapsPerBlock, pauseMs }: Run,
  i: number,
  pages: ReadonlyArray<(typeof routes)[number]>
) => {
  const { token, block, logIndex } = prints[i % prints.length] as Print
  const paths = pages.map(({ path }) => path({ chain: CHAIN, key: KEY, tokens: [token] }, i))
  await readers.once(paths)
  await sleep(pauseMs)
  const began = performance.timeOrigin + performance.now()
  const before = await readers.once(paths)
  const asked = { block, logIndex, swaps: swapsPerBlock }
  const [traded, seen] = await Promise.all([
    engine.ask<Traded>("tradeAgain", asked),
    readers.untilNewer(paths, before)
  ])
  return {
    cached: before.map(({ at }) => at - began),
    answers: seen.map(({ at }) => Math.max(0, at - traded.loggedAt))
  }
}

const measure = async (engine: Assistant, port: number, settings: Settings): Promise<Times> => {
  const prints = await newestPrints(port)
  const readers = await Readers.open(port, routes.length)
  const run: Run = { ...settings, engine, prints, readers }
  const times: Times = { answers: [], cached: [], single: [] }
  const { blocks } = settings
  try {
    for (let i = 0; i < WARM_UP + blocks; i++) {
      const found = await answersTo(run, i, routes)
      if (i < WARM_UP) continue
      times.cached.push(...found.cached)
      times.answers.push(found.answers)
    }
    for (let i = 0; i < blocks; i++) {
      const page = routes[i % routes.length] as (typeof routes)[number]
      times.single.push(...(await answersTo(run, WARM_UP + blocks + i, [page])).answers)
    }
  } finally {
    readers.close()
  }
  return times
}

const resultOf = ({ answers, cached, single }: Times): BenchResult => {
  const all = answers.flat()
  const last = answers.map(list => Math.max(...list))
  const n = answers.length
  return {
    bench: "answer",
    ...compared("answer_p99", "ms", quantile(all, 0.99), quantile(cached, 0.99), all.length),
    also: [
      compared("answer_p50", "ms", quantile(all, 0.5), quantile(cached, 0.5), all.length),
      alone("single_answer_p50", "ms", quantile(single, 0.5), single.length),
      alone("single_answer_p99", "ms", quantile(single, 0.99), single.length),
      alone("last_answer_p50", "ms", quantile(last, 0.5), n),
      alone("last_answer_p99", "ms", quantile(last, 0.99), n),
      ...routes.map(({ name }, i) =>
        alone(
          `${name}_p99`,
          "ms",
          quantile(
            answers.map(list => list[i] as number),
            0.99
          ),
          n
        )
      )
    ]
  }
}

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    data: { type: "string" },
    swaps: { type: "string" },
    tokens: { type: "string" },
    wallets: { type: "string" },
    blocks: { type: "string" },
    "swaps-per-block": { type: "string" },
    "pause-ms": { type: "string" },
    "cpu-prof": { type: "string" }
  })
  const profile = options["cpu-prof"]
  const profileFolder = profile === undefined ? undefined : resolve(profile)
  const settings: Settings = {
    blocks: countOf("blocks", options.blocks, 100),
    swapsPerBlock: countOf("swaps-per-block", options["swaps-per-block"], 20),
    pauseMs: countOf("pause-ms", options["pause-ms"], 200)
  }
  return withFolder(async folder => {
    const dataFolder = join(folder, "data")
    if (options.data === undefined) {
      const files = await cachedLogs({
        swaps: countOf("swaps", options.swaps, 100_000),
        tokens: countOf("tokens", options.tokens, 1000),
        wallets: countOf("wallets", options.wallets, 10_000),
        txs: true
      })
      say("making the tables")
      await replayFiles(files, dataFolder)
    } else {
      say("copying the data folder")
      cpSync(resolve(options.data), dataFolder, { recursive: true })
    }
    const answer = async (engine: Assistant) => {
      const input: OpenInput = { chain: KEY, dataFolder }
      const { port } = await engine.ask<{ port: number }>("open", input)
      say(`answer: log → pages, ${routes.length} readers at once`)
      return resultOf(await measure(engine, port, settings))
    }
    return withAssistant("engine/serving-assistant.ts", answer, { profileFolder })
  })
}

export const answer: Bench = {
  name: "answer",
  about: "a block is in the log → every page that it changes says so",
  options: OPTIONS,
  run
}
