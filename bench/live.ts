/**
 * The live socket with many readers: prints are written to the log, and come out as frames. The
 * baseline is uWebSockets in a process of its own that publishes the very frames that our readers
 * got to as many sockets. Readers are plain sockets in processes of their own.
 */
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { alone, type Bench, type BenchResult, compared, type Measure } from "./bench.ts"
import { replayFiles } from "./engine/replay.ts"
import type { Handed, OpenInput, Pace } from "./engine/serving-assistant.ts"
import type { TradeAgain } from "./engine/trade-again.ts"
import { cachedLogs } from "./generate/cached-logs.ts"
import { getOnce } from "./http/keep-alive-client.ts"
import type { ClientsInput, Times } from "./live/clients-assistant.ts"
import { fanOut } from "./live/fan-out.ts"
import { CHANNELS_EACH, type Subscriptions } from "./live/topics.ts"
import { type Assistant, withAssistant } from "./measure/assistant.ts"
import { residentMemory } from "./measure/memory.ts"
import { quantile } from "./measure/quantile.ts"
import { withFolder } from "./measure/scratch-folder.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"

const OPTIONS = `  --connections N     sockets of fan-out and of memory (10000)
  --tokens N          tokens whose candles and prices are read (100)
  --rounds N          rounds of fan-out, of which the one of the median ratio counts (5)
  --batches N         blocks of a round (20)
  --batch-swaps N     their swaps (20)
  --clients N         sockets that prints are timed with (500)
  --per-second N      prints a second then (1000)
  --block-ms N        time between their blocks (50)
  --seconds N         how long (10)
  --cpu-prof DIR      writes CPU profiles of all threads of the engine and of raw uWebSockets`

const CHAIN = 8453
const KEY = "base"
const MARKET = { swaps: 20_000, tokens: 500, wallets: 2000, txs: false }
const LIVE_PATH = "/v1/ws/live"
/** Opened and closed before memory is looked at: what the first connections cost is no one's. */
const WARM_CONNECTIONS = 200
const SETTLE_MS = 2000
/** Each of its two tokens sees it. */
const PRINTS_OF_A_SWAP = 2

interface Settings {
  readonly connections: number
  readonly tokens: number
  readonly rounds: number
  readonly batches: number
  readonly batchSwaps: number
  readonly clients: number
  readonly perSecond: number
  readonly blockMs: number
  readonly seconds: number
  readonly profileFolder: string | undefined
}

interface Server {
  readonly assistant: Assistant
  readonly port: number
  readonly path: string
}

interface Market {
  readonly tokens: ReadonlyArray<string>
  /** the newest swaps, as they are told to trade again */
  readonly swaps: ReadonlyArray<{ readonly block: number; readonly logIndex: number }>
}

interface Print {
  readonly token: string
  readonly block: number
  readonly logIndex: number
}

const marketOf = async (port: number, tokens: number): Promise<Market> => {
  const { status, body } = await getOnce(port, `/v1/chains/${KEY}/prints?limit=500`)
  if (status !== 200) throw new Error(`the newest trades: ${status} ${body}`)
  const { prints } = JSON.parse(body.toString()) as { readonly prints: ReadonlyArray<Print> }
  const named = [...new Set(prints.map(({ token }) => token))].slice(0, tokens)
  if (named.length < tokens) throw new Error(`only ${named.length} tokens trade: fewer --tokens`)
  return { tokens: named, swaps: prints.map(({ block, logIndex }) => ({ block, logIndex })) }
}

/** Blocks of so many swaps, one after the other through the newest. */
const blocksOf = ({ swaps }: Market, each: number, count: number): ReadonlyArray<TradeAgain> =>
  Array.from({ length: count }, (_, i) => ({
    ...(swaps[(i * each) % swaps.length] as Market["swaps"][number]),
    swaps: each
  }))

const withClients = async <A>(
  { port, path }: Server,
  connections: number,
  use: (clients: Assistant) => Promise<A>
): Promise<A> =>
  withAssistant("live/clients-assistant.ts", async clients => {
    await clients.ask("open", { port, path, connections } satisfies ClientsInput)
    try {
      return await use(clients)
    } finally {
      await clients.ask("close")
    }
  })

/** Resident memory once it is at rest and what is garbage was collected. */
const settledMemory = async (assistant: Assistant): Promise<number> => {
  await sleep(SETTLE_MS)
  await assistant.ask("collect")
  return residentMemory(assistant.pid)
}

/** Bytes of memory that a server has more for each of the connections that `open` opens. */
const perConnection = async (
  { assistant }: Server,
  connections: number,
  open: () => Promise<unknown>
): Promise<number> => {
  const before = await settledMemory(assistant)
  await open()
  return ((await settledMemory(assistant)) - before) / connections
}

/** Runs with so many idle sockets, and what each takes of the server's memory. */
const withIdle = async <A>(
  server: Server,
  connections: number,
  use: (clients: Assistant, bytes: number) => Promise<A>
): Promise<A> => {
  await withClients(server, Math.min(WARM_CONNECTIONS, connections), () => sleep(SETTLE_MS))
  return withAssistant("live/clients-assistant.ts", async clients => {
    const { port, path } = server
    const input: ClientsInput = { port, path, connections }
    const bytes = await perConnection(server, connections, () => clients.ask("open", input))
    try {
      return await use(clients, bytes)
    } finally {
      await clients.ask("close")
    }
  })
}

/** Fan-out and memory: our sockets and raw ones at the same time. */
const crowded = (ours: Server, raw: Server, market: Market, settings: Settings) => {
  const { connections, batches, batchSwaps, rounds } = settings
  say(`${connections} idle sockets, of ours and of raw uWebSockets`)
  return withIdle(ours, connections, (clients, idle) =>
    withIdle(raw, connections, async (rawClients, rawIdle) => {
      say(`${CHANNELS_EACH} channels each`)
      const asked: Subscriptions = { chain: CHAIN, tokens: market.tokens, tradesOf: "chain" }
      const joined = await perConnection(ours, connections, () => clients.ask("subscribe", asked))
      const rawJoined = await perConnection(raw, connections, () =>
        rawClients.ask("subscribe", asked)
      )
      say("fan-out, in turns with raw uWebSockets")
      const round = await fanOut(
        { server: ours.assistant, clients },
        { server: raw.assistant, clients: rawClients },
        { connections, rounds, blocks: blocksOf(market, batchSwaps, batches) }
      )
      const bytes = (name: string, own: number, baseline: number) =>
        compared(name, "bytes", own, baseline, connections)
      return {
        round,
        memory: [
          bytes("idle_connection", idle, rawIdle),
          bytes("joined_connection", idle + joined, rawIdle + rawJoined)
        ]
      }
    })
  )
}

/** From prints at their times to their frames. */
const timed = async (ours: Server, market: Market, settings: Settings): Promise<Array<Measure>> => {
  const { clients: connections, perSecond, blockMs, seconds } = settings
  const each = Math.max(1, Math.round((perSecond * blockMs) / 1000 / PRINTS_OF_A_SWAP))
  const blocks = Math.max(1, Math.round((seconds * 1000) / blockMs))
  say(`${perSecond} prints a second, to ${connections} sockets of ${market.tokens.length} tokens`)
  return withClients(ours, connections, async clients => {
    const asked: Subscriptions = { chain: CHAIN, tokens: market.tokens, tradesOf: "token" }
    await clients.ask("subscribe", asked)
    await clients.ask("time", blocks * each * PRINTS_OF_A_SWAP * connections)
    const trades = blocksOf(market, each, blocks)
    const handed = await ours.assistant.ask<ReadonlyArray<Handed>>("pace", {
      ...{ blocks, blockMs, trades }
    } satisfies Pace)
    await clients.ask("untilQuiet")
    const told = handed.map(({ block, at }) => [block, at] as const)
    const { n, p50, p99, max } = await clients.ask<Times>("times", told)
    const logged = handed.map(({ at, loggedAt }) => loggedAt - at)
    return [
      compared("print_to_frame_p99", "ms", p99, quantile(logged, 0.99), n),
      compared("print_to_frame_p50", "ms", p50, quantile(logged, 0.5), n),
      alone("print_to_frame_max", "ms", max, n)
    ]
  })
}

const measure = async (
  engine: Assistant,
  raw: Assistant,
  folder: string,
  settings: Settings
): Promise<BenchResult> => {
  const input: OpenInput = { chain: KEY, dataFolder: join(folder, "data") }
  const { port } = await engine.ask<{ port: number }>("open", input)
  const { port: rawPort } = await raw.ask<{ port: number }>("serve")
  await engine.ask("rest")
  const market = await marketOf(port, settings.tokens)
  const ours: Server = { assistant: engine, port, path: LIVE_PATH }
  const baseline: Server = { assistant: raw, port: rawPort, path: "/" }
  const { round, memory } = await crowded(ours, baseline, market, settings)
  await engine.ask("rest")
  const times = await timed(ours, market, settings)
  const { ours: own, raw: other } = round
  return {
    bench: "live",
    ...compared("fan_out", "frames/s", own.perSecond, other.perSecond, own.frames),
    also: [
      compared(
        "fan_out_processor",
        "frames/cpu s",
        own.perProcessorSecond,
        other.perProcessorSecond,
        own.frames
      ),
      ...times,
      ...memory
    ]
  }
}

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    connections: { type: "string" },
    tokens: { type: "string" },
    rounds: { type: "string" },
    batches: { type: "string" },
    "batch-swaps": { type: "string" },
    clients: { type: "string" },
    "per-second": { type: "string" },
    "block-ms": { type: "string" },
    seconds: { type: "string" },
    "cpu-prof": { type: "string" }
  })
  const profile = options["cpu-prof"]
  const settings: Settings = {
    connections: countOf("connections", options.connections, 10_000),
    tokens: countOf("tokens", options.tokens, 100),
    rounds: countOf("rounds", options.rounds, 5),
    batches: countOf("batches", options.batches, 20),
    batchSwaps: countOf("batch-swaps", options["batch-swaps"], 20),
    clients: countOf("clients", options.clients, 500),
    perSecond: countOf("per-second", options["per-second"], 1000),
    blockMs: countOf("block-ms", options["block-ms"], 50),
    seconds: countOf("seconds", options.seconds, 10),
    profileFolder: profile === undefined ? undefined : resolve(profile)
  }
  const files = await cachedLogs(MARKET)
  const { profileFolder } = settings
  const most = Math.max(settings.connections, settings.clients)
  const program = { profileFolder, env: { LIVE_CONNECTIONS: String(most) } }
  return withFolder(async folder => {
    await replayFiles(files, join(folder, "data"))
    return withAssistant(
      "engine/serving-assistant.ts",
      engine =>
        withAssistant(
          "live/raw-assistant.ts",
          raw => measure(engine, raw, folder, settings),
          program
        ),
      program
    )
  })
}

export const live: Bench = {
  name: "live",
  about: "prints → frames of 10,000 live sockets, beside raw uWebSockets, and what they take",
  options: OPTIONS,
  run
}
