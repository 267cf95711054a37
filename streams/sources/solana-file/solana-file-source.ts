/**
 * The source that reads files of Solana: what nodes answered to `getBlock` and `getTransaction`,
 * in the order of slots. Facts of mints come from side files, the chain's anchors and the balances
 * of transactions; nothing is asked of a node and nothing is guessed.
 */
import { basename } from "node:path"
import { Effect, Queue, Stream } from "effect"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import { sizeOf } from "../../../src/platform/files.ts"
import type { EventBatch } from "../../batch/batch.ts"
import { continuing } from "../../known-set.ts"
import { BinSteps } from "../../solana/bin-steps.ts"
import {
  type CheckedTransactions,
  nothingChecked,
  withDecoded
} from "../../solana/checked-transactions.ts"
import { type DecodedBlock, decodeBlock } from "../../solana/decoded-block.ts"
import { SolanaTapeWriter } from "../../solana/solana-tape-writer.ts"
import { ProgramNames } from "../../solana/transaction/program-names.ts"
import { venueRows } from "../../solana/venue-table.ts"
import { solanaVenues, venuesByProgram } from "../../solana/venues.ts"
import { type LogTail, SourceError } from "../../source.ts"
import { StatusBoard } from "../../status-board.ts"
import { type BlockFacts, readBlockFacts } from "../file/block-facts.ts"
import type { FileSource } from "../file/file-source.ts"
import { fileError } from "../file/line-reader.ts"
import { Rejections } from "../file/rejections.ts"
import { readTokenFacts } from "../file/token-facts.ts"
import { blockOfSlot, type FileBlock, type SlotParts } from "./file-blocks.ts"
import { PlacedDocuments } from "./placed-documents.ts"
import { indexFiles, type Place, type ReadBytes } from "./slot-index.ts"

export interface SolanaFileOptions {
  readonly chain: ChainConfig
  /** answers to `getBlock` and `getTransaction`, in any order */
  readonly files: ReadonlyArray<string>
  /** times of blocks by their slots, for documents without one */
  readonly blocks?: ReadonlyArray<string>
  /** token facts */
  readonly tokens?: ReadonlyArray<string>
  /** refuses slots without a time one by one; else the first of them ends the reading */
  readonly skipUntimed?: boolean
}

export interface SolanaFileSource extends FileSource {
  /** what the files tell of each venue, and how it agrees with the vaults */
  readonly checked: () => CheckedTransactions
  /** changes of liquidity of which nothing tells the pool's mints */
  readonly untold: () => number
}

/** What one pass over the files works with. */
interface Pass {
  readonly options: SolanaFileOptions
  readonly places: ReadonlyArray<Place>
  readonly documents: PlacedDocuments
  readonly times: BlockFacts
  readonly writer: SolanaTapeWriter
  /** the last slot of the log: what the files hold up to it was written before */
  readonly resumeAfter: number
}

/** What was found so far. */
interface Found {
  checked: CheckedTransactions
  /** transactions of the files, those of blocks that nobody reads with them */
  transactions: number
  duplicates: number
  untold: number
}

const nothingFound = (): Found => ({
  ...{ checked: nothingChecked(solanaVenues), transactions: 0, duplicates: 0, untold: 0 }
})

const names = new ProgramNames(venuesByProgram.keys())

const UNTIMED = "give a file of block times with --blocks, or --skip-untimed to go without"

/** Groups places, which are in order, by their slots. */
function* slotsOf(places: ReadonlyArray<Place>): Generator<ReadonlyArray<Place>> {
  for (let from = 0; from < places.length; ) {
    let to = from + 1
    while (places[to]?.slot === places[from]?.slot && to < places.length) to++
    yield places.slice(from, to)
    from = to
  }
}

const openPass = (
  options: SolanaFileOptions,
  tail: LogTail,
  bytes: ReadBytes,
  rejected: Rejections
) =>
  Effect.gen(function* () {
    const { chain, files, blocks = [], tokens = [] } = options
    const { book } = yield* readTokenFacts(chain, tokens, rejected.add)
    const times = yield* readBlockFacts(blocks, chain.id)
    const places = yield* indexFiles(files, bytes, rejected.add)
    const documents = new PlacedDocuments(files, places, names, bytes)
    yield* Effect.addFinalizer(() => documents.closed)
    const known = continuing(tail)
    const binSteps = new BinSteps()
    for (const step of tail.binSteps ?? []) binSteps.learn(step)
    const writer = new SolanaTapeWriter({ facts: book, blocks: tail.blocks, binSteps, ...known })
    const resumeAfter = known.last?.number ?? -1
    return { options, places, documents, times, writer, resumeAfter } satisfies Pass
  })

const count = (found: Found, { block, transactions }: DecodedBlock): void => {
  const { signatures } = block
  found.transactions += signatures.length
  let { checked } = found
  let read = 0
  for (const one of transactions) {
    if ("unread" in one) continue
    read++
    checked = withDecoded(checked, one.transaction, one.decoded, one.checks)
  }
  const failed = block._tag === "Block" ? block.failed : 0
  found.checked = {
    ...checked,
    transactions: checked.transactions + signatures.length - read,
    failed: checked.failed + failed
  }
}

/** Returns the block of one slot; null where it is refused for the want of a time. */
const readSlot = (pass: Pass, places: ReadonlyArray<Place>, rejected: Rejections) =>
  Effect.gen(function* () {
    const { documents, options, times } = pass
    const parts: Array<SlotParts[number]> = []
    for (const place of places) parts.push({ place, document: yield* documents.at(place) })
    const made = blockOfSlot(parts, times, options.files)
    if (made?._tag === "FileBlock") return made
    const { place, reason } = made ?? {
      place: places[0] as Place,
      reason: `slot ${places[0]?.slot} has no time`
    }
    const file = basename(options.files[place.file] ?? "")
    if (made === null && options.skipUntimed === true) {
      for (const { line } of places) rejected.add({ file, line, reason })
      return null
    }
    const help = made === null ? `: ${UNTIMED}` : ""
    const message = `${file}:${place.line}: ${reason}${help}`
    return yield* new SourceError({ message, fatal: true })
  })

/** Writes a block, and says why it cannot follow the one before it. */
const write = (pass: Pass, found: Found, { block, duplicates }: FileBlock) =>
  Effect.gen(function* () {
    const { writer, resumeAfter } = pass
    const decoded = decodeBlock(block)
    count(found, decoded)
    found.duplicates += duplicates
    found.transactions += block._tag === "PartOfBlock" ? duplicates : 0
    if (block.slot > resumeAfter) writer.writeBlock(decoded)
    found.untold = writer.untold
    const { problem } = writer
    if (problem !== null) return yield* new SourceError({ message: problem.message, fatal: true })
  })

/** What a source tells of its files, while it reads them and after. */
interface Told {
  readonly options: SolanaFileOptions
  readonly status: StatusBoard
  readonly rejected: Rejections
  readonly bytes: ReadBytes
  found: Found
}

type Batches = Queue.Enqueue<EventBatch>

const emit = ({ status }: Told, { writer }: Pass, queue: Batches) =>
  Effect.gen(function* () {
    for (let batch = writer.take(); batch !== null; batch = writer.take()) {
      yield* Queue.offer(queue, batch)
      const last = batch.blocks.number.get(batch.blocks.count - 1)
      status.emitted(last, writer.logs, writer.quarantined)
    }
  })

const emitRest = (told: Told, pass: Pass, queue: Batches) =>
  Effect.suspend(() => {
    pass.writer.abandonBlock()
    pass.writer.flush()
    return emit(told, pass, queue)
  })

/** Reads all slots; what was read before an error is given out ahead of it. */
const readSlots = (told: Told, pass: Pass, queue: Batches) =>
  Effect.gen(function* () {
    for (const places of slotsOf(pass.places)) {
      const block = yield* readSlot(pass, places, told.rejected)
      if (block === null) continue
      yield* write(pass, told.found, block)
      told.status.wrote("file")
      yield* emit(told, pass, queue)
      yield* Effect.yieldNow
    }
    yield* emitRest(told, pass, queue)
  }).pipe(Effect.tapError(() => emitRest(told, pass, queue)))

const sizesOf = (paths: ReadonlyArray<string>) =>
  Effect.forEach(paths, path =>
    Effect.mapError(sizeOf(path), ({ message }) => fileError(path, message))
  )

const readFiles = (told: Told, tail: LogTail, queue: Batches) =>
  Effect.gen(function* () {
    const { options, status, rejected, bytes } = told
    rejected.clear()
    told.found = nothingFound()
    const sizes = yield* sizesOf(options.files)
    // each file is read twice
    const total = 2 * sizes.reduce((sum, size) => sum + size, 0)
    Object.assign(bytes, { before: 0, now: () => 0, total })
    status.enter("backfill")
    const pass = openPass(options, tail, bytes, rejected)
    yield* Effect.scoped(Effect.flatMap(pass, opened => readSlots(told, opened, queue)))
    // documents that were rejected are not read twice
    bytes.before = total
    status.enter("ended")
  }).pipe(Effect.tapError(error => Effect.sync(() => told.status.stopped(error.message))))

/** A source over files. The stream ends after the last slot. */
export const makeSolanaFileSource = (options: SolanaFileOptions): SolanaFileSource => {
  const rejected = new Rejections()
  const bytes: ReadBytes = { total: 0, before: 0, now: () => 0 }
  const status = new StatusBoard("file", options.files.map(path => basename(path)).join(", "))
  const told: Told = { options, status, rejected, bytes, found: nothingFound() }
  return {
    batches: tail =>
      Stream.callback<EventBatch, SourceError>(
        queue => Effect.andThen(readFiles(told, tail, queue), Queue.end(queue)),
        { bufferSize: 2, strategy: "suspend" }
      ),
    ...{ past: null, pinning: null, readStates: null },
    status: () => {
      const shown = status.read()
      const venues = venueRows(told.found.checked.table)
      const decode = { venues, untold: told.found.untold, orphaned: 0, auditCursor: null }
      return { ...shown, quarantined: shown.quarantined + rejected.count, decode }
    },
    rejections: () => rejected.kept,
    takenBack: () => [],
    checked: () => told.found.checked,
    untold: () => told.found.untold,
    progress: () => ({
      ...{ totalBytes: bytes.total, readBytes: bytes.before + bytes.now() },
      ...{ logs: told.found.transactions, skipped: 0, duplicates: told.found.duplicates },
      ...{ rejected: rejected.count, omittedPairs: 0 }
    })
  }
}
