/** One pass over files: their facts, their logs in order, the batches that come of it. */

import { basename } from "node:path"
import { Effect, Queue, type Scope } from "effect"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import { type ByteFile, openByteFile } from "../../../src/platform/byte-file.ts"
import type { EventBatch } from "../../batch/batch.ts"
import { chainDecoder } from "../../evm/chain-decoder.ts"
import { LogTapeWriter } from "../../evm/log-tape-writer.ts"
import { PinnedTokens } from "../../evm/pinned-tokens.ts"
import { venueKinds } from "../../evm/venue-kinds.ts"
import { type FactLookup, nativeFact } from "../../facts.ts"
import { continuing } from "../../known-set.ts"
import { type LogTail, SourceError } from "../../source.ts"
import type { StatusBoard } from "../../status-board.ts"
import { readBlockFacts } from "./block-facts.ts"
import { DerivedPools } from "./derived-pools.ts"
import { FileTape } from "./file-tape.ts"
import { fileError } from "./line-reader.ts"
import { LogCursor, type Rejection } from "./log-cursor.ts"
import { LogMerge } from "./log-merge.ts"
import { type Removals, readRemovals } from "./removals.ts"
import { readTokenFacts } from "./token-facts.ts"
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
  /** tokens whose transfers are read, in lower case */
  readonly pins?: ReadonlyArray<string>
  /** refuses logs without a time one by one; else the first of them ends the reading */
  readonly skipUntimed?: boolean
  /** looks for logs that later lines take back through all files, not only those that tell some */
  readonly findRemoved?: boolean
}

/** Logs between two turns of the event loop. */
const LOGS_PER_TURN = 2000

export interface OpenFile {
  readonly cursor: LogCursor
  readonly file: ByteFile
}

/** What a pass works with. */
export interface FileRun {
  readonly files: ReadonlyArray<OpenFile>
  readonly removals: Removals
  readonly merge: LogMerge
  readonly tape: FileTape
  readonly writer: LogTapeWriter
  readonly derived: DerivedPools
}

/** Token facts of the registry and the files, and pools that follow from them. */
const readFacts = (
  chain: ChainConfig,
  paths: ReadonlyArray<string>,
  onReject: (rejection: Rejection) => void
): Effect.Effect<{ readonly facts: FactLookup; readonly derived: DerivedPools }, SourceError> =>
  Effect.map(readTokenFacts(chain, paths, onReject), ({ book, tokens }) => {
    book.addToken(nativeFact(chain))
    const derived = new DerivedPools(chain, venueKinds, tokens)
    return { derived, facts: { token: book.token, pool: address => derived.find(address) } }
  })

const openAll = (
  { files, chain }: FileSourceOptions,
  removals: Removals,
  onReject: (rejection: Rejection) => void
): Effect.Effect<ReadonlyArray<OpenFile>, SourceError, Scope.Scope> =>
  Effect.forEach(files, (path, number) =>
    openByteFile(path).pipe(
      Effect.mapError(error => fileError(path, error.message)),
      Effect.map(file => ({
        file,
        cursor: new LogCursor(basename(path), chain.id, { onReject, removals, number })
      }))
    )
  )

const feed = (run: FileRun, cursor: LogCursor): Effect.Effect<void, SourceError> => {
  const file = run.files.find(one => one.cursor === cursor)?.file as ByteFile
  return file.next.pipe(
    Effect.mapError(error => fileError(cursor.file, `line ${cursor.line}: ${error.message}`)),
    Effect.map(bytes => (bytes === null ? cursor.finish() : cursor.feed(bytes)))
  )
}

/** Reads until a file must be fed, a turn is over or all is read. */
const readTurn = (run: FileRun): LogCursor | "turn" | "done" | SourceError => {
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
const emit = (run: FileRun, status: StatusBoard, queue: Queue.Enqueue<EventBatch>) =>
  Effect.gen(function* () {
    for (let batch = run.writer.take(); batch !== null; batch = run.writer.take()) {
      yield* Queue.offer(queue, batch)
      const last = batch.blocks.number.get(batch.blocks.count - 1)
      status.emitted(last, run.writer.logs, run.writer.quarantined)
    }
  })

/** Opens the files and reads the side files. */
export const openRun = (
  options: FileSourceOptions,
  tail: LogTail,
  onReject: (rejection: Rejection) => void
): Effect.Effect<FileRun, SourceError, Scope.Scope> =>
  Effect.gen(function* () {
    const { chain, skipUntimed = false, findRemoved = false } = options
    const { facts, derived } = yield* readFacts(chain, options.tokens ?? [], onReject)
    const blocks = yield* readBlockFacts(options.blocks ?? [], chain.id)
    const txs = yield* readTxFacts(options.txs ?? [], chain.id)
    const removals = yield* readRemovals(options.files, chain.id, findRemoved)
    const files = yield* openAll(options, removals, onReject)
    const pinned = tail.pinned ?? []
    const pins = new PinnedTokens([
      ...pinned.map(({ address }) => address),
      ...(options.pins ?? [])
    ])
    const decoder = chainDecoder(chain, pins)
    const writer = new LogTapeWriter({
      decoder,
      facts,
      ...continuing(tail),
      pinned
    })
    for (const token of pins.all) writer.pin(token)
    const merge = new LogMerge(files.map(file => file.cursor))
    const tape = new FileTape({ decoder, writer, tail, blocks, txs, skipUntimed })
    return { files, removals, merge, writer, derived, tape }
  })

/** Reads everything; what was read before an error is emitted before it fails. */
export const readRun = (
  run: FileRun,
  status: StatusBoard,
  queue: Queue.Enqueue<EventBatch>
): Effect.Effect<void, SourceError> =>
  Effect.gen(function* () {
    for (;;) {
      const outcome = readTurn(run)
      yield* emit(run, status, queue)
      if (outcome === "done") return
      if (outcome === "turn") yield* Effect.yieldNow
      else yield* outcome instanceof SourceError ? Effect.fail(outcome) : feed(run, outcome)
    }
  }).pipe(
    Effect.tapError(() => {
      run.writer.abandonBlock()
      return emit(run, status, queue)
    })
  )
