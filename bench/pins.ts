/**
 * What a pin costs everybody else: an engine as `start` runs it serves a market, sockets and
 * requests of all routes; then a token is pinned that has moved very often. Nothing of that may be
 * seen but in the holders of the token.
 */
import { loadavg } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Logger, Option, Stream } from "effect"
import { logStream } from "../engine/log/log-stream.ts"
import { readSegments } from "../engine/log/read-log.ts"
import { LOG_START } from "../engine/log/segment.ts"
import { openNats } from "../src/bin/nats-choice.ts"
import { JetStream } from "../src/platform/jetstream.ts"
import { encodeSegment } from "../streams/codec/segment-codec.ts"
import type { Event } from "../streams/event.ts"
import { batchOf, eventsOf } from "../streams/event-objects.ts"
import { BATCH_BYTES } from "../streams/tape-writer.ts"
import { alone, type Bench, type BenchResult, compared, type Measure } from "./bench.ts"
import type { Market } from "./boards/routes.ts"
import { getOnce } from "./http/keep-alive-client.ts"
import { tradedTokens } from "./http/pages.ts"
import { withEngine } from "./latency/start-engine.ts"
import { type Assistant, withAssistant } from "./measure/assistant.ts"
import { median, quantile } from "./measure/quantile.ts"
import { withFolder } from "./measure/scratch-folder.ts"
import { amountOf, countOf, optionsOf, say } from "./measure/words.ts"
import type { NodeReady, PastInput } from "./pins/node-assistant.ts"
import { askSteadily, openSockets, pageAt, Seen, type Timed } from "./pins/readers.ts"

const OPTIONS = `  --transfers N       of the token before it is pinned (100000)
  --holders N         addresses that have some of it (20000)
  --blocks N          blocks of that past (2000)
  --swaps-per-block N of the market (10)
  --sockets N         live sockets (50)
  --rate N            requests a second (50)
  --block-ms N        from one block to the next (1000)
  --seconds S         of load before the pin, for the baseline (15)
  --cpu-prof DIR      writes CPU profiles of all threads`

const CHAIN = 8453
const KEY = "base"
const TRANSFERS_PER_BLOCK = 2
const ASKED_TOKENS = 20

interface Settings extends PastInput {
  readonly sockets: number
  readonly rate: number
  readonly blockMs: number
  readonly seconds: number
}

/** What `GET …/holders` tells of how far it is; null while it answers 503. */
const ledgerOf = async (port: number, token: string) => {
  const path = `/v1/chains/${KEY}/token/${token}/holders?limit=1`
  const { status, body } = await getOnce(port, path)
  const told = JSON.parse(body.toString()) as {
    readonly complete: boolean
    readonly error?: string
    readonly coverage: { readonly logs: number; readonly forwardCursor: number }
  }
  if (status === 200) return told
  if (told.error !== "HOLDERS_PENDING") throw new Error(`${path}: ${status} ${body}`)
  return null
}

const headOf = async (port: number): Promise<number> => {
  const { body } = await getOnce(port, "/v1/status")
  const { lanes } = JSON.parse(body.toString()) as { lanes: ReadonlyArray<{ block: number }> }
  return lanes[0]?.block ?? -1
}

/** Waits until something holds; asks now and then. */
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await sleep(250)
}

interface Told {
  readonly before: ReadonlyArray<Timed>
  readonly during: ReadonlyArray<Timed>
  readonly readSeconds: number
  readonly completeSeconds: number
  readonly undos: number
  readonly frames: number
  readonly seen: Seen
  readonly load: number
}

/** Loads the engine, pins the token, and waits until its ledger is complete. */
const pinUnderLoad = async (port: number, ready: NodeReady, settings: Settings): Promise<Told> => {
  const { rate, sockets, seconds, transfers } = settings
  await until(async () => (await headOf(port)) >= ready.head)
  const tokens = await tradedTokens(port, CHAIN, ASKED_TOKENS)
  const market: Market = { chain: CHAIN, key: KEY, tokens }
  const clients = await openSockets(port, sockets, market)
  const seen = new Seen()
  const pages = (i: number) => pageAt(market, 1_700_000_000, i)
  say(`${seconds} s of ${rate} requests a second and ${sockets} sockets without a pin`)
  const calm = performance.now() + seconds * 1000
  const before = await askSteadily(port, rate, pages, seen, () => performance.now() > calm)
  say(`the pin of a token with ${transfers} transfers`)
  const asked = performance.now()
  let [readSeconds, isOver] = [Number.NaN, false]
  const loading = askSteadily(port, rate, pages, seen, () => isOver)
  await until(async () => {
    const ledger = await ledgerOf(port, ready.token)
    const isRead = (ledger?.coverage.logs ?? 0) >= 0.9 * transfers
    if (isRead && Number.isNaN(readSeconds)) readSeconds = (performance.now() - asked) / 1000
    return ledger?.complete === true
  })
  const completeSeconds = (performance.now() - asked) / 1000
  isOver = true
  const during = await loading
  const [load = 0] = loadavg()
  const frames = clients.flatMap(client => client.frames.map(({ type }) => type))
  for (const client of clients) client.close()
  const undos = frames.filter(type => type === "undo").length
  return { before, during, readSeconds, completeSeconds, undos, frames: frames.length, seen, load }
}

/** Bytes that events take in batches as sources make them. */
const inBatches = (events: ReadonlyArray<Event>): number => {
  const sizeOf = (some: ReadonlyArray<Event>) => encodeSegment(batchOf(some)).length
  const sample = events.slice(0, 2_000)
  const each = Math.max(1, Math.round((BATCH_BYTES * sample.length) / sizeOf(sample)))
  let sum = 0
  for (let at = 0; at < events.length; at += each) sum += sizeOf(events.slice(at, at + each))
  return sum
}

/** Bytes of the side log, and of its transfers where the log itself had them. */
const bytesOf = (dataFolder: string) =>
  Effect.gen(function* () {
    const { url } = yield* openNats(dataFolder)
    return yield* Effect.gen(function* () {
      const stream = yield* logStream(KEY, "side")
      const found = yield* stream.jetStream.stream(stream.name)
      const events: Array<Event> = []
      yield* Stream.runForEach(readSegments(stream, LOG_START, { follow: false }), ({ batch }) =>
        Effect.sync(() => {
          for (const event of eventsOf(batch)) if (event.tx !== null) events.push(event)
        })
      )
      const side = Option.isSome(found) ? found.value.bytes : 0
      return { side, once: inBatches(events), transfers: events.length }
    }).pipe(Effect.provide(JetStream.layer({ url })))
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])))

const routeRows = (times: ReadonlyArray<Timed>): ReadonlyArray<Measure> =>
  [...new Set(times.map(({ route }) => route))].flatMap(route => {
    const own = times.filter(one => one.route === route).map(({ ms }) => ms)
    return [alone(`${route}_p99`, "ms", quantile(own, 0.99), own.length)]
  })

const measure = async (
  node: Assistant,
  folder: string,
  settings: Settings,
  profileFolder: string | undefined
) => {
  say(`a chain of ${settings.blocks} blocks`)
  const ready = await node.ask<NodeReady>("serve", settings)
  const dataFolder = join(folder, "data")
  const { endpoints } = ready
  const engine = { dataFolder, chainId: CHAIN, endpoints, profileFolder }
  const told = await withEngine(engine, async port => {
    const timer = setInterval(() => node.ask("mine", TRANSFERS_PER_BLOCK), settings.blockMs)
    try {
      return await pinUnderLoad(port, ready, settings)
    } finally {
      clearInterval(timer)
    }
  })
  return { ...told, bytes: await Effect.runPromise(bytesOf(dataFolder)) }
}

const result = (found: Awaited<ReturnType<typeof measure>>): BenchResult => {
  const { before, during, bytes, seen } = found
  const msOf = (times: ReadonlyArray<Timed>) => times.map(({ ms }) => ms)
  const [calm, busy] = [msOf(before), msOf(during)]
  const n = busy.length
  for (const name of seen.changed.slice(0, 5)) say(`changed: ${name}`)
  return {
    bench: "pins",
    ...compared("pin_p99", "ms", quantile(busy, 0.99), quantile(calm, 0.99), n),
    also: [
      compared("pin_p50", "ms", median(busy), median(calm), n),
      compared("pin_max", "ms", quantile(busy, 1), quantile(calm, 1), n),
      alone("undo_frames", "frames", found.undos, found.frames),
      alone("changed_answers", "answers", seen.changed.length, seen.compared),
      compared("side_log", "bytes", bytes.side, bytes.once, bytes.transfers),
      alone("nearly_all_joined", "s", found.readSeconds, bytes.transfers),
      alone("complete", "s", found.completeSeconds, bytes.transfers),
      alone("load_average", "", found.load, 1),
      ...routeRows(during)
    ]
  }
}

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    transfers: { type: "string" },
    holders: { type: "string" },
    blocks: { type: "string" },
    "swaps-per-block": { type: "string" },
    sockets: { type: "string" },
    rate: { type: "string" },
    "block-ms": { type: "string" },
    seconds: { type: "string" },
    "cpu-prof": { type: "string" }
  })
  const profile = options["cpu-prof"]
  const settings: Settings = {
    chainId: CHAIN,
    transfers: countOf("transfers", options.transfers, 100_000),
    holders: countOf("holders", options.holders, 20_000),
    blocks: countOf("blocks", options.blocks, 2_000),
    swapsPerBlock: countOf("swaps-per-block", options["swaps-per-block"], 10),
    sockets: countOf("sockets", options.sockets, 50),
    rate: countOf("rate", options.rate, 50),
    blockMs: countOf("block-ms", options["block-ms"], 1_000),
    seconds: amountOf("seconds", options.seconds, 15)
  }
  return withFolder(folder =>
    withAssistant("pins/node-assistant.ts", async node =>
      result(
        await measure(node, folder, settings, profile === undefined ? undefined : resolve(profile))
      )
    )
  )
}

export const pins: Bench = {
  name: "pins",
  about: "what readers notice while a token with a long past is pinned",
  options: OPTIONS,
  run
}
