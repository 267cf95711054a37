/**
 * Reads files of what nodes answered about Solana: blocks or transactions, one a line or one a
 * file, plain or gzip. Lines come one by one, so a file may be as large as it likes; a block is
 * scanned, and parsed where its transactions are watched.
 */
import { Effect, Result, type Scope } from "effect"
import { type ByteFileError, openByteFile } from "../../../src/platform/byte-file.ts"
import { readBytes, readGzip } from "../../../src/platform/files.ts"
import type { ProgramNames } from "../../solana/transaction/program-names.ts"
import { type AnsweredBlock, readAnsweredBlock } from "../../solana/transaction/read-answer.ts"
import { readDocument } from "../../solana/transaction/read-document.ts"
import type { MalformedTransaction, Transaction } from "../../solana/transaction.ts"
import type { SourceError } from "../../source.ts"
import { fileError, LineCutter } from "../file/line-reader.ts"

/** Transactions that belong to no block of the file. */
export interface LooseTransactions {
  readonly _tag: "LooseTransactions"
  readonly transactions: ReadonlyArray<Transaction | MalformedTransaction>
}

export interface NoDocument {
  readonly _tag: "NoDocument"
  readonly reason: string
}

export type SolanaDocument = AnsweredBlock | LooseTransactions | NoDocument

const NO_JSON: NoDocument = { _tag: "NoDocument", reason: "no JSON" }

const documentOf = (
  bytes: Buffer,
  from: number,
  to: number,
  names: ProgramNames
): SolanaDocument => {
  const block = readAnsweredBlock(bytes, from, to, names, null)
  if (block._tag === "AnsweredBlock") return block
  const json = Result.try(() => JSON.parse(bytes.toString("utf8", from, to)) as unknown)
  if (Result.isFailure(json)) return NO_JSON
  return { _tag: "LooseTransactions", transactions: readDocument(json.success, names.programs) }
}

const isBlank = (bytes: Buffer, from: number, to: number): boolean =>
  bytes.toString("latin1", from, to).trim() === ""

/** Reads the whole of a file as one document. */
const wholeFile = (path: string, names: ProgramNames) =>
  (path.endsWith(".gz") ? readGzip(path) : readBytes(path)).pipe(
    Effect.map(bytes => {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      return documentOf(text, 0, text.length, names)
    }),
    Effect.mapError(({ message }) => fileError(path, message))
  )

/** A document and the line that it stands in; null for one that is all of its file. */
export interface FoundDocument {
  readonly document: SolanaDocument
  readonly line: number | null
}

/** The documents of one file, read as they are asked for. */
export interface DocumentFile {
  /** size on disk, in bytes */
  readonly size: number
  /** how many of the bytes on disk were read so far */
  readonly consumed: () => number
  /** the documents that the next bytes end, which may be none; null at the end */
  readonly next: Effect.Effect<ReadonlyArray<FoundDocument> | null, SourceError>
}

/**
 * Opens a file of documents for one pass. A file whose first line is no document is one document as
 * a whole.
 */
export const openDocuments = (
  path: string,
  names: ProgramNames
): Effect.Effect<DocumentFile, SourceError, Scope.Scope> =>
  Effect.gen(function* () {
    const failed = ({ message }: ByteFileError) => fileError(path, message)
    const file = yield* Effect.mapError(openByteFile(path), failed)
    let found: Array<FoundDocument> = []
    let isByLine: boolean | null = null
    let isOver = false
    const lines = new LineCutter((bytes, from, to, line) => {
      if (isByLine === false || isBlank(bytes, from, to)) return null
      const document = documentOf(bytes, from, to, names)
      isByLine ??= document._tag !== "NoDocument"
      if (isByLine) found.push({ document, line })
      return null
    })
    const taken = () => {
      const all = found
      found = []
      return all
    }
    const next = Effect.gen(function* () {
      if (isOver) return null
      const bytes = yield* Effect.mapError(file.next, failed)
      if (bytes === null) lines.finish()
      else lines.feed(bytes)
      isOver = bytes === null || isByLine === false
      if (isByLine !== false) return taken()
      return [{ document: yield* wholeFile(path, names), line: null }]
    })
    const consumed = () => (isOver ? file.size : file.consumed())
    return { size: file.size, consumed, next }
  })

/** Calls `use` with each document of a file and where it stands. */
export const forEachDocument = (
  path: string,
  names: ProgramNames,
  use: (document: SolanaDocument, where: string) => void
): Effect.Effect<void, SourceError> =>
  Effect.gen(function* () {
    const file = yield* openDocuments(path, names)
    for (let found = yield* file.next; found !== null; found = yield* file.next) {
      for (const { document, line } of found)
        use(document, line === null ? path : `${path}:${line}`)
    }
  }).pipe(Effect.scoped)
