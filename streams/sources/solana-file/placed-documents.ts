/**
 * Reads documents of many files by their places. Of a file that is in order one chunk is held, of
 * another what stands ahead of its turn; a file is open from its first place to its last.
 */
import { Effect, Exit, Scope } from "effect"
import type { ProgramNames } from "../../solana/transaction/program-names.ts"
import type { SourceError } from "../../source.ts"
import type { Place, ReadBytes } from "./slot-index.ts"
import { type DocumentFile, openDocuments, type SolanaDocument } from "./solana-documents.ts"

interface Reading {
  readonly path: string
  /** how often each document is still wanted, by its number */
  readonly wanted: Map<number, number>
  readonly held: Map<number, SolanaDocument>
  open: { readonly file: DocumentFile; readonly scope: Scope.Closeable } | null
  /** number of the next document of the file */
  next: number
}

const close = (reading: Reading, bytes: ReadBytes) => {
  const { open } = reading
  reading.open = null
  if (open === null) return Effect.void
  bytes.before += open.file.size
  return Scope.close(open.scope, Exit.void)
}

/** Documents by their places, which are asked for in their order and once each. */
export class PlacedDocuments {
  private readonly files: ReadonlyArray<Reading>
  private readonly names: ProgramNames
  private readonly bytes: ReadBytes

  constructor(
    paths: ReadonlyArray<string>,
    places: ReadonlyArray<Place>,
    names: ProgramNames,
    bytes: ReadBytes
  ) {
    this.names = names
    this.bytes = bytes
    this.files = paths.map(path => ({
      ...{ path, wanted: new Map(), held: new Map(), open: null, next: 0 }
    }))
    for (const { file, document } of places) {
      const wanted = this.files[file]?.wanted
      wanted?.set(document, (wanted.get(document) ?? 0) + 1)
    }
    bytes.now = () => this.files.reduce((sum, { open }) => sum + (open?.file.consumed() ?? 0), 0)
  }

  /** The document of a place; undefined where the file has changed since it was looked through. */
  at({ file, document }: Place): Effect.Effect<SolanaDocument | undefined, SourceError> {
    const reading = this.files[file] as Reading
    return Effect.gen({ self: this }, function* () {
      while (!reading.held.has(document) && (yield* this.readOn(reading)));
      const found = reading.held.get(document)
      const times = (reading.wanted.get(document) ?? 0) - 1
      if (times > 0) reading.wanted.set(document, times)
      else {
        reading.wanted.delete(document)
        reading.held.delete(document)
      }
      if (reading.wanted.size === 0) yield* close(reading, this.bytes)
      return found
    })
  }

  /** Closes what is open. */
  get closed(): Effect.Effect<void> {
    return Effect.forEach(this.files, reading => close(reading, this.bytes), { discard: true })
  }

  /** Reads the next documents of a file; whether there were any bytes left. */
  private readOn(reading: Reading): Effect.Effect<boolean, SourceError> {
    return Effect.gen({ self: this }, function* () {
      if (reading.open === null) {
        const scope = yield* Scope.make()
        const opening = openDocuments(reading.path, this.names).pipe(Scope.provide(scope))
        const file = yield* Effect.onError(opening, () => Scope.close(scope, Exit.void))
        reading.open = { file, scope }
      }
      const found = yield* reading.open.file.next
      for (const { document } of found ?? []) {
        const number = reading.next++
        if (reading.wanted.has(number)) reading.held.set(number, document)
      }
      return found !== null
    })
  }
}
