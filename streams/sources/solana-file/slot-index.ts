/**
 * Where in files each block and each single transaction stands, and of which slot it is: documents
 * come in no order, one a file as `getTransaction` answers are kept, so all are looked at once
 * before they are read in the order of slots. What has no place in that order is rejected here.
 */
import { basename } from "node:path"
import { Effect } from "effect"
import { base58Ids } from "../../../src/domain/ids.ts"
import { ProgramNames } from "../../solana/transaction/program-names.ts"
import type { AnsweredBlock } from "../../solana/transaction/read-answer.ts"
import type { SourceError } from "../../source.ts"
import type { Rejection } from "../file/log-cursor.ts"
import { timeProblem } from "../file/log-json.ts"
import { type FoundDocument, openDocuments } from "./solana-documents.ts"

/** Where a block or a single transaction stands. */
export interface Place {
  readonly slot: number
  /** number of the file among the files of the run */
  readonly file: number
  /** number of the document in its file, from 0 */
  readonly document: number
  /** which of the document's transactions; -1 for a block */
  readonly part: number
  readonly line: number
  /** Unix seconds; null where the document does not tell it */
  readonly timeSeconds: number | null
}

/** Bytes of the files on disk, and how many of them a pass has read. */
export interface ReadBytes {
  total: number
  /** of the files that were read to their end */
  before: number
  /** of the file that is being read */
  now: () => number
}

/** Nothing within transactions is looked at but what orders them. */
const NO_PROGRAM = new ProgramNames([])

const UNTOLD_BLOCK =
  "neither the block nor one that follows it in the files tells its slot: " +
  "put a slot beside its other fields"

type BlockPlace = Omit<Place, "slot"> & Pick<AnsweredBlock, "slot" | "hash">

const blockProblem = ({ hash, parentHash, slot, parentSlot, ...block }: AnsweredBlock) =>
  base58Ids.parseAccount(hash) === null || base58Ids.parseAccount(parentHash) === null
    ? "a hash of the block is none"
    : !block.hasTransactions
      ? "a block without its transactions"
      : slot !== null && slot <= parentSlot
        ? `slot ${slot} is not behind its parent's, ${parentSlot}`
        : block.timeSeconds === null
          ? null
          : timeProblem(block.timeSeconds)

class Index {
  readonly places: Array<Place> = []
  private readonly blocks: Array<BlockPlace> = []
  /** slots of blocks by their hashes, as the blocks that follow them tell */
  private readonly parents = new Map<string, number>()
  private readonly paths: ReadonlyArray<string>
  private readonly onReject: (rejection: Rejection) => void

  constructor(paths: ReadonlyArray<string>, onReject: (rejection: Rejection) => void) {
    this.paths = paths
    this.onReject = onReject
  }

  take(file: number, number: number, { document, line }: FoundDocument): void {
    const at = { file, document: number, line: line ?? 1 }
    if (document._tag === "NoDocument") return this.reject(at, document.reason)
    if (document._tag === "AnsweredBlock") return this.block(at, document)
    for (const [part, one] of document.transactions.entries()) {
      if (one._tag !== "Transaction") this.reject(at, one.reason)
      else if (one.slot === null) this.reject(at, "a transaction without a slot has no place")
      else {
        const late = one.blockTimeSeconds === null ? null : timeProblem(one.blockTimeSeconds)
        if (late !== null) this.reject(at, `blockTime ${late}`)
        else this.places.push({ ...at, part, slot: one.slot, timeSeconds: one.blockTimeSeconds })
      }
    }
  }

  /** All places, in the order of slots: a block ahead of single transactions, else as given. */
  sorted(): ReadonlyArray<Place> {
    for (const { hash, slot: told, ...at } of this.blocks) {
      const slot = told ?? this.parents.get(hash) ?? null
      if (slot === null) this.reject(at, UNTOLD_BLOCK)
      else this.places.push({ ...at, slot })
    }
    return this.places.sort(
      (a, b) =>
        a.slot - b.slot ||
        Math.min(a.part, 0) - Math.min(b.part, 0) ||
        a.file - b.file ||
        a.document - b.document ||
        a.part - b.part
    )
  }

  private block(at: Pick<Place, "file" | "document" | "line">, block: AnsweredBlock): void {
    const problem = blockProblem(block)
    if (problem !== null) return this.reject(at, problem)
    const { hash, parentHash, parentSlot, slot, timeSeconds } = block
    this.parents.set(parentHash, parentSlot)
    this.blocks.push({ ...at, hash, slot, timeSeconds, part: -1 })
  }

  private reject({ file, line }: Pick<Place, "file" | "line">, reason: string): void {
    this.onReject({ file: basename(this.paths[file] ?? ""), line, reason })
  }
}

/** Looks through the files, and returns what they hold in the order of slots. */
export const indexFiles = (
  paths: ReadonlyArray<string>,
  bytes: ReadBytes,
  onReject: (rejection: Rejection) => void
): Effect.Effect<ReadonlyArray<Place>, SourceError> =>
  Effect.gen(function* () {
    const index = new Index(paths, onReject)
    for (const [number, path] of paths.entries()) {
      yield* Effect.scoped(
        Effect.gen(function* () {
          const file = yield* openDocuments(path, NO_PROGRAM)
          bytes.now = file.consumed
          let document = 0
          for (let found = yield* file.next; found !== null; found = yield* file.next) {
            for (const one of found) index.take(number, document++, one)
            yield* Effect.yieldNow
          }
          bytes.before += file.size
          bytes.now = () => 0
        })
      )
    }
    return index.sorted()
  })
