/** `npm run replay`: appends what files hold of a chain to the log and folds it into the tables. */
import { join } from "node:path"
import { Effect, Fiber, Layer, Schedule, Stream } from "effect"
import { type LaneClient, makeLaneClient } from "../../engine/lane/lane-client.ts"
import type { LaneStatus } from "../../engine/lane/status.ts"
import { NO_MARKS, readLedgers } from "../../engine/late/late-log.ts"
import { openTapeLog, type TapeLog } from "../../engine/log/tape-log.ts"
import { ask, type Query } from "../../engine/query.ts"
import { committedSeq, counters } from "../../projections/coverage/queries.ts"
import { knownFacts } from "../../projections/pools/queries.ts"
import { type KnownFacts, NO_FACTS } from "../../streams/source.ts"
import type { FileSource } from "../../streams/sources/file/file-source.ts"
import type { ChainConfig } from "../domain/chain.ts"
import { readArguments, wrongUsage } from "../platform/command-line.ts"
import { runUntilStopped } from "../platform/environment.ts"
import { mustBeFile } from "../platform/files.ts"
import { JetStream } from "../platform/jetstream.ts"
import { findChain } from "./chain-choice.ts"
import { keepingHeld, knownLogs, newParts } from "./known-blocks.ts"
import type { LaneInput } from "./lane-worker.ts"
import { loggerLayer } from "./logging.ts"
import { openNats } from "./nats-choice.ts"
import { progressBar } from "./progress.ts"
import { knownChain } from "./proven-chain.ts"
import { type FileOptions, mustBeOfFamily, type ReplayFiles, replayFiles } from "./replay-files.ts"
import { nothingUsed, rejectionText } from "./replay-input.ts"
import { cannotGoOn } from "./replay-stop.ts"
import { serveHistory } from "./serve-history.ts"
import { pinsOf, readUpkeep, tokenOf } from "./settings.ts"
import { spawnLane } from "./spawn-lane.ts"

const HELP = `Replays files of raw logs, or of Solana's blocks and transactions, into the log and the
tables of a chain.

  npm run replay -- --chain KEY [options] FILE...

  --chain KEY         key or id of the chain (base, 8453, solana)
  --data DIR          the data folder (default DATA_DIR, else ./data)
  --tokens FILE       token facts: address, symbol, name, decimals (JSON, NDJSON or CSV)
  --blocks FILE       times of blocks, for logs without one (NDJSON: number, timestamp)
  --skip-untimed      refuse logs without a time one by one, not all with the first of them
  --find-removed      look through all of FILEs for logs that later lines take back (removed: true);
                      else only through those whose first MiB has that field
  --txs FILE          senders and targets of transactions (NDJSON: hash, from, to)
  --pin ADDRESS       a token whose transfers are logged too (besides those of PIN_<chainId>)
  --chain-file FILE   describes a chain the registry lacks
  --no-report         without the report on venues, which reads the log once more
  --serve             serves the data folder afterwards, as npm run serve does
  --json              one line of JSON with the result

FILEs are NDJSON (.gz) of JSON-RPC logs, merged in order of block and log index. Options that name
files may be given several times. Replaying the same files again adds nothing, and files of later
blocks are appended. Files of blocks before the log's end that it lacks are refused: give all files
at once, or another data folder.

FILEs of --chain solana are answers to getBlock and getTransaction, one a line or one a file
(.gz), in any order. A block's slot is told by the block that follows it, or by a slot beside its fields;
transactions without a slot are rejected. Single transactions of one slot are a part of its block:
nothing says what else was in it. --txs, --pin and --find-removed are not for them.

The report tells of each venue what the log holds, and of how many swaps our own quote, from the
pool's state before, gives exactly what was paid. Swaps of pools whose state is not known from the
log are counted apart. Of Solana it ends with the table of venues that solana:check prints: how many
swaps are as the vaults of their pools say.

Exits 1 where nothing in the files could be used, and where it cannot go on: no room on disk, or a
log that is damaged.`

interface Options extends FileOptions {
  readonly chain: string
  readonly data: string | undefined
  readonly chainFiles: ReadonlyArray<string>
  readonly report: boolean
  readonly serve: boolean
  readonly json: boolean
}

/** Returns all files to read, each with a name of its use. */
const filesOf = ({ files, tokens, blocks, txs }: Options) =>
  Object.entries({
    "the file to replay": files,
    "the file of --tokens": tokens,
    "the file of --blocks": blocks,
    "the file of --txs": txs
  }).flatMap(([what, paths]) => paths.map(path => [what, path] as const))

/**
 * Starts a lane worker and returns once it has folded the present log; `stopped` fails when the
 * replay cannot go on. The scope's end stops the worker.
 */
const openLane = (chain: ChainConfig, folder: string, natsUrl: string, log: TapeLog) =>
  Effect.gen(function* () {
    const input: LaneInput = {
      chain,
      natsUrl,
      file: join(folder, "lanes", `${chain.key}.duckdb`),
      threads: 1,
      upkeep: yield* readUpkeep,
      json: false
    }
    const client = yield* makeLaneClient(chain)
    const worker = yield* spawnLane(input)
    client.attach(worker)
    const stopped = Effect.raceFirst(worker.ended, cannotGoOn(client, log, folder))
    yield* Effect.raceFirst(client.caughtUp, stopped)
    return { client, stopped }
  })

const decoder = new TextDecoder()

/** Returns the lane's answer from its newest tables; `otherwise` where the lane refuses. */
const answerOf = <A>(client: LaneClient, query: Query<Record<string, never>>, otherwise: A) =>
  client
    .newest(ask(query, {}))
    .pipe(
      Effect.map(answer => (answer.ok ? (JSON.parse(decoder.decode(answer.body)) as A) : otherwise))
    )

type Counters = Pick<LaneStatus, "events" | "swaps" | "quarantined">

/** Returns the tokens that the log pins. */
const pinnedIn = (log: TapeLog, chain: ChainConfig) =>
  Effect.map(readLedgers(log, NO_MARKS, chain), ({ pins }) => pins.known)

/** Appends the source's batches, waits until all are on disk, returns how many logs repeated. */
const append = (log: TapeLog, source: FileSource, client: LaneClient) =>
  Effect.gen(function* () {
    const known = yield* knownLogs(log)
    const facts = yield* answerOf<KnownFacts>(client, knownFacts, NO_FACTS)
    const pinned = yield* pinnedIn(log, client.config)
    const tail = { blocks: [], ...facts, pinned }
    const parts = newParts(source.batches(tail), known)
    yield* Stream.runDrain(log.appendAll(keepingHeld(parts, log, known, source.takenBack)))
    return known.repeated
  })

const NONE: Counters = { events: 0, swaps: 0, quarantined: [] }

/**
 * Returns the tables' counters once the file of the tables holds all of the log. The answers'
 * positions decide: after a cut, readers keep the old tables until the rebuilt ones have caught up,
 * and what is folded is told before it is committed.
 */
const countersAt = (client: LaneClient, log: TapeLog) =>
  Effect.gen(function* () {
    const { seq } = log.position()
    if (client.seq() !== seq) return null
    const [kept, answer] = [
      yield* client.newest(ask(committedSeq, {})),
      yield* client.newest(ask(counters, {}))
    ]
    if (!kept.ok || kept.seq !== seq || !answer.ok || answer.seq !== seq) return null
    return JSON.parse(decoder.decode(answer.body)) as Counters
  }).pipe(
    Effect.repeat({ until: found => found !== null, schedule: Schedule.spaced("5 millis") }),
    Effect.map(found => found ?? NONE)
  )

/** Shows a bar of which reading and folding fill one half each. */
const showProgress = (
  chain: ChainConfig,
  { source, what }: ReplayFiles,
  log: TapeLog,
  client: LaneClient
) => {
  const bar = progressBar(`replay ${chain.key}`, 1)
  const look = Effect.sync(() => {
    const { totalBytes, readBytes, logs } = source.progress()
    const end = log.position().seq
    const read = totalBytes === 0 ? 1 : readBytes / totalBytes
    const folded = end === 0 ? 1 : client.seq() / end
    bar.at(read * 0.5 + read * folded * 0.5, `${logs} ${what}, ${client.seq()} of ${end} events`)
  })
  return look.pipe(
    Effect.repeat(Schedule.spaced("100 millis")),
    // The last repeated look was before the end.
    Effect.ensuring(Effect.andThen(look, Effect.sync(bar.end)))
  )
}

interface Outcome {
  /** number of logs that the log had before */
  readonly repeated: number
  readonly counters: Counters
  /** time from the start of reading to the last commit */
  readonly seconds: number
  readonly reportSeconds: number
  /** the report; null where there is none */
  readonly venues: { readonly rows: ReadonlyArray<object>; readonly text: string } | null
}

const report = (
  options: Options,
  { source, what, words }: ReplayFiles,
  client: LaneClient,
  { repeated, counters, seconds, reportSeconds, venues }: Outcome
) => {
  const { logs, skipped, duplicates: twice, rejected } = source.progress()
  const duplicates = twice + repeated
  const { swaps, events, quarantined } = counters
  const seq = client.seq()
  const result = {
    chain: client.config.key,
    [what]: logs,
    skipped,
    duplicates,
    rejected,
    seq,
    events,
    swaps,
    quarantined,
    seconds,
    ...(venues !== null && { reportSeconds, venues: venues.rows })
  }
  if (options.json) {
    process.stdout.write(`${JSON.stringify(result)}\n`)
    return
  }
  process.stdout.write(
    `${client.config.key}: ${words({ repeated, seconds })}\n` +
      `log and tables stand at seq ${seq}: ${events} events, ${swaps} swaps\n`
  )
  for (const { reason, count } of quarantined) {
    process.stdout.write(`quarantined: ${count} logs: ${reason}\n`)
  }
  process.stdout.write(rejectionText(source))
  if (venues !== null) {
    process.stdout.write(`\nreport in ${reportSeconds.toFixed(2)} s\n${venues.text}`)
  }
}

interface Place {
  readonly url: string
  readonly folder: string
}

/** Replays the files into the folder's log and waits until the tables hold all of the log. */
const replayInto = (
  options: Options,
  found: ChainConfig,
  pins: ReadonlyArray<string>,
  { url, folder }: Place
) =>
  Effect.gen(function* () {
    const services = yield* Layer.build(JetStream.layer({ url }))
    const chain = yield* knownChain(found, folder).pipe(Effect.provide(services))
    const log = yield* openTapeLog(chain.key).pipe(Effect.provide(services))
    const { client, stopped } = yield* openLane(chain, folder, url, log)
    const { files, tokens, blocks, txs, skipUntimed, findRemoved } = options
    const read = replayFiles(chain, {
      ...{ files, tokens, blocks, txs, pins, skipUntimed, findRemoved }
    })
    const { source } = read
    const began = performance.now()
    const progress = yield* showProgress(chain, read, log, client).pipe(Effect.forkScoped)
    const repeated = yield* Effect.raceFirst(append(log, source, client), stopped)
    const counters = yield* Effect.raceFirst(countersAt(client, log), stopped)
    const seconds = (performance.now() - began) / 1000
    yield* Fiber.interrupt(progress)
    const reportBegan = performance.now()
    const useless = nothingUsed(source, chain)
    const venues = options.report && useless === null ? yield* read.report(log) : null
    const reportSeconds = (performance.now() - reportBegan) / 1000
    report(options, read, client, {
      ...{ repeated, counters, seconds, reportSeconds, venues }
    })
    if (useless !== null) return yield* useless
  }).pipe(Effect.scoped)

const replay = (options: Options) =>
  Effect.gen(function* () {
    const found = yield* findChain(options.chain, options.chainFiles)
    yield* mustBeOfFamily(found, options)
    // Before a data folder is created.
    yield* Effect.forEach(filesOf(options), ([what, path]) => mustBeFile(what, path))
    const wanted = yield* Effect.forEach(options.pins, text => tokenOf("--pin", text))
    const pins = [...(yield* pinsOf(found)), ...wanted]
    const place = yield* openNats(options.data)
    yield* replayInto(options, found, pins, place)
    if (!options.serve) return
    yield* runUntilStopped
    const { chainFiles, json } = options
    const { url: natsUrl, folder, isOwn } = place
    yield* serveHistory({ folder, natsUrl, isOwn, chainFiles, json })
  })

const many = { type: "string", multiple: true } as const

const commandLine = readArguments("replay", {
  allowPositionals: true,
  options: {
    help: { type: "boolean" },
    json: { type: "boolean" },
    "no-report": { type: "boolean" },
    "skip-untimed": { type: "boolean" },
    "find-removed": { type: "boolean" },
    serve: { type: "boolean" },
    chain: { type: "string" },
    data: { type: "string" },
    tokens: many,
    blocks: many,
    txs: many,
    pin: many,
    "chain-file": many
  }
})

export const replayProgram = Effect.gen(function* () {
  const { values, positionals } = yield* commandLine
  if (values.help === true) {
    process.stdout.write(`${HELP}\n`)
    return
  }
  if (values.chain === undefined || positionals.length === 0) {
    return yield* wrongUsage("replay", "--chain KEY and at least one FILE are needed")
  }
  return yield* replay({
    chain: values.chain,
    data: values.data,
    files: positionals,
    tokens: values.tokens ?? [],
    blocks: values.blocks ?? [],
    txs: values.txs ?? [],
    pins: values.pin ?? [],
    skipUntimed: values["skip-untimed"] === true,
    findRemoved: values["find-removed"] === true,
    chainFiles: values["chain-file"] ?? [],
    report: values["no-report"] !== true,
    serve: values.serve === true,
    json: values.json === true
  })
}).pipe(Effect.scoped, Effect.provide(loggerLayer(false)))
