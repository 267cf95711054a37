/**
 * The source that reads files: NDJSON(.gz) of logs, receipts or blocks, merged into one order.
 * Facts of pools and tokens come from side files, the chain's anchors and CREATE2; nothing is
 * asked of a node and nothing is guessed.
 */
import { basename } from "node:path"
import { Effect, Queue, type Scope, Stream } from "effect"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import { type ByteFile, openByteFile } from "../../../src/platform/byte-file.ts"
import type { EventBatch } from "../../batch/batch.ts"
import { evmDecoder } from "../../evm/decoder.ts"
import { venueKinds } from "../../evm/venue-kinds.ts"
import { FactBook, type FactLookup, type TokenFact } from "../../facts.ts"
import { type LogTail, type Source, SourceError } from "../../source.ts"
import { StatusBoard } from "../../status-board.ts"
import { TapeWriter } from "../../tape-writer.ts"
import { readBlockFacts } from "./block-facts.ts"
import { DerivedPools } from "./derived-pools.ts"
import { FileTape } from "./file-tape.ts"
import { fileError } from "./line-reader.ts"
import { LogCursor, type Rejection } from "./log-cursor.ts"
import { LogMerge } from "./log-merge.ts"
import { readTokenFile } from "./token-file.ts"
import { readTxFacts } from "./tx-facts.ts"

export interface FileSourceOptions {
  readonly chain: ChainConfig
  /** logs, receipts or blocks; each in order of block and log index */
  readonly files: ReadonlyArray<string>
  /** times of blocks, for logs without one */
  readonly blocks?: ReadonlyArray<string>
  /** senders and targets of transactions */
  readonly txs?: ReadonlyArray<string>
  /** token facts */
  readonly tokens?: ReadonlyArray<string>
}

export interface FileProgress {
  /** bytes of the files on disk, and how many of them were read */
  readonly totalBytes: number
  readonly readBytes: number
  /** logs of the chain, logs of other chains, repeated logs, rejected lines */
  readonly logs: number
  readonly skipped: number
  readonly duplicates: number
  readonly rejected: number
}

export interface FileSource extends Source {
  readonly progress: () => FileProgress
  /** the first lines that were no log, with file, line and reason */
  readonly rejections: () => ReadonlyArray<Rejection>
}

/** Rejected lines that are kept for showing; all are counted. */
const KEPT_REJECTIONS = 100

/** Logs between two turns of the event loop. */
const LOGS_PER_TURN = 2000

interface OpenFile {
  readonly cursor: LogCursor
  readonly file: ByteFile
}

/** What one run of the source works with. */
interface Run {
  readonly files: ReadonlyArray<OpenFile>
  readonly merge: LogMerge
  readonly tape: FileTape
  readonly writer: TapeWriter
}

const anchorFact = (anchor: ChainConfig["anchors"][number]): TokenFact => ({
  token: anchor.address,
  symbol: anchor.symbol,
  name: anchor.name ?? null,
  decimals: anchor.decimals,
  totalSupply: null,
  source: "registry"
})

/** Token facts of the registry and the files, and pools that follow from them. */
const readFacts = (
  chain: ChainConfig,
  paths: ReadonlyArray<string>
): Effect.Effect<FactLookup, SourceError> =>
  Effect.map(Effect.forEach(paths, readTokenFile), lists => {
    const book = new FactBook()
    const fromFiles = lists.flat()
    for (const fact of fromFiles) book.addToken(fact)
    for (const anchor of chain.anchors) book.addToken(anchorFact(anchor))
    const derived = new DerivedPools(
      chain,
      venueKinds,
      fromFiles.map(fact => fact.token)
    )
    return { token: book.token, pool: address => derived.find(address) }
  })

const openAll = (
  options: FileSourceOptions,
  onReject: (rejection: Rejection) => void
): Effect.Effect<ReadonlyArray<OpenFile>, SourceError, Scope.Scope> =>
  Effect.forEach(options.files, path =>
    openByteFile(path).pipe(
      Effect.mapError(error => fileError(path, error.message)),
      Effect.map(file => ({
        file,
        cursor: new LogCursor(basename(path), options.chain.id, onReject)
      }))
    )
  )

const feed = (run: Run, cursor: LogCursor): Effect.Effect<void, SourceError> => {
  const file = run.files.find(one => one.cursor === cursor)?.file as ByteFile
  return file.next.pipe(
    Effect.mapError(error => fileError(cursor.file, `line ${cursor.line}: ${error.message}`)),
    Effect.map(bytes => (bytes === null ? cursor.finish() : cursor.feed(bytes)))
  )
}

/** Reads until a file must be fed, a turn is over or all is read. */
const readTurn = (run: Run): LogCursor | "turn" | "done" | SourceError => {
  const { merge, tape } = run
  for (let logs = 0; logs < LOGS_PER_TURN; logs++) {
    const step = merge.next()
    if (step.kind === "hungry") return step.cursor
    if (step.kind === "done") return tape.finish() ?? "done"
    if (step.kind === "error") return new SourceError({ message: step.error.message, fatal: true })
    const problem = tape.log(step.cursor)
    if (problem !== null) return problem
  }
  return "turn"
}

/** Offers finished batches; waits while the queue is full. */
const emit = (run: Run, status: StatusBoard, queue: Queue.Enqueue<EventBatch>) =>
  Effect.gen(function* () {
    for (let batch = run.writer.take(); batch !== null; batch = run.writer.take()) {
      yield* Queue.offer(queue, batch)
      const last = batch.blocks.number.get(batch.blocks.count - 1)
      status.emitted(last, run.writer.logs, run.writer.quarantined)
    }
  })

/** A source over files. The stream ends after the last log. */
export const makeFileSource = (options: FileSourceOptions): FileSource => {
  const { chain } = options
  const status = new StatusBoard("file", options.files.map(path => basename(path)).join(", "))
  const rejections: Array<Rejection> = []
  const onReject = (rejection: Rejection) => {
    if (rejections.length < KEPT_REJECTIONS) rejections.push(rejection)
  }
  let current: Run | null = null

  const open = (tail: LogTail) =>
    Effect.gen(function* () {
      const facts = yield* readFacts(chain, options.tokens ?? [])
      const blocks = yield* readBlockFacts(options.blocks ?? [], chain.id)
      const txs = yield* readTxFacts(options.txs ?? [], chain.id)
      const files = yield* openAll(options, onReject)
      const last = tail.blocks[tail.blocks.length - 1] ?? null
      const known = (address: string) => ({ address, block: last?.number ?? 0 })
      const writer = new TapeWriter({
        decoder: evmDecoder,
        facts,
        last,
        knownPools: tail.knownPools.map(known),
        knownTokens: tail.knownTokens.map(known)
      })
      const merge = new LogMerge(files.map(file => file.cursor))
      return { files, merge, writer, tape: new FileTape({ writer, tail, blocks, txs }) }
    })

  const read = (tail: LogTail, queue: Queue.Enqueue<EventBatch>) =>
    Effect.gen(function* () {
      const run = yield* open(tail)
      current = run
      status.enter("backfill")
      for (;;) {
        const outcome = readTurn(run)
        yield* emit(run, status, queue)
        if (outcome === "done") return
        if (outcome === "turn") yield* Effect.yieldNow
        else yield* outcome instanceof SourceError ? Effect.fail(outcome) : feed(run, outcome)
      }
    }).pipe(
      // What was read before an error is as good as without it.
      Effect.tapError(() =>
        Effect.suspend(() => {
          if (current === null) return Effect.void
          current.writer.abandonBlock()
          return emit(current, status, queue)
        })
      ),
      Effect.tap(() => Effect.sync(() => status.enter("ended"))),
      Effect.tapError(error => Effect.sync(() => status.stopped(error.message)))
    )

  const batches = (tail: LogTail) =>
    Stream.callback<EventBatch, SourceError>(
      queue => Effect.andThen(read(tail, queue), Queue.end(queue)),
      { bufferSize: 2, strategy: "suspend" }
    )

  const sum = (of: (file: OpenFile) => number): number =>
    current === null ? 0 : current.files.reduce((total, file) => total + of(file), 0)
  return {
    batches,
    status: () => {
      const rejected = sum(file => file.cursor.counters.rejected)
      const shown = status.read()
      return { ...shown, quarantined: shown.quarantined + rejected }
    },
    rejections: () => rejections,
    progress: () => ({
      totalBytes: sum(({ file }) => file.size),
      readBytes: sum(({ file }) => file.consumed()),
      logs: sum(({ cursor }) => cursor.counters.logs),
      skipped: sum(({ cursor }) => cursor.counters.skipped),
      duplicates: current?.merge.duplicates ?? 0,
      rejected: sum(({ cursor }) => cursor.counters.rejected)
    })
  }
}
