/**
 * Reads files of what nodes answered about Solana: blocks or transactions, one a line or one a
 * file, plain or gzip. Lines come one by one, so a file may be as large as it likes; a block is
 * scanned, and parsed where its transactions are watched.
 */
import { Effect, Result } from "effect"
import { readBytes, readGzip } from "../../../src/platform/files.ts"
import type { ProgramNames } from "../../solana/transaction/program-names.ts"
import { type AnsweredBlock, readAnsweredBlock } from "../../solana/transaction/read-answer.ts"
import { readDocument } from "../../solana/transaction/read-document.ts"
import type { MalformedTransaction, Transaction } from "../../solana/transaction.ts"
import type { SourceError } from "../../source.ts"
import { fileError, forEachByteLine } from "../file/line-reader.ts"

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

/**
 * Calls `use` with each document of a file and where it stands. A file whose first line is no
 * document is one document as a whole.
 */
export const forEachDocument = (
  path: string,
  names: ProgramNames,
  use: (document: SolanaDocument, where: string) => void
): Effect.Effect<void, SourceError> =>
  Effect.gen(function* () {
    let isByLine: boolean | null = null
    yield* forEachByteLine(path, (bytes, from, to, line) => {
      if (isByLine === false || isBlank(bytes, from, to)) return null
      const document = documentOf(bytes, from, to, names)
      isByLine ??= document._tag !== "NoDocument"
      if (isByLine) use(document, `${path}:${line}`)
      return null
    })
    if (isByLine === false) use(yield* wholeFile(path, names), path)
  })
