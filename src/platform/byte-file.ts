/** Reads a plain or gzip file as unpacked chunks, with memory for about two chunks. */
import { createReadStream } from "node:fs"
import { type FileHandle, open, stat } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { constants, createGunzip } from "node:zlib"
import { Data, Effect, type Scope } from "effect"

/** A file could not be opened or not be read to its end. */
export class ByteFileError extends Data.TaggedError("ByteFileError")<{
  readonly path: string
  readonly message: string
}> {}

export interface ByteFile {
  /** size on disk, in bytes */
  readonly size: number
  /** returns how many of the bytes on disk were read so far */
  readonly consumed: () => number
  /** Reads the next chunk; null at the end. The following read may overwrite a chunk. */
  readonly next: Effect.Effect<Uint8Array | null, ByteFileError>
}

/** Bytes of a chunk. */
const CHUNK = 1 << 20

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause)

interface Head {
  readonly size: number
  readonly isGzip: boolean
  /** unpacked length in bytes modulo 2^32, from gzip's trailer; meaningless where not gzip */
  readonly unpackedLength: number
}

const readHead = async (path: string): Promise<Head> => {
  const file = await open(path)
  try {
    const { size } = await stat(path)
    const bytes = Buffer.alloc(4)
    await file.read(bytes, 0, 2, 0)
    const isGzip = size > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b
    if (isGzip) await file.read(bytes, 0, 4, size - 4)
    return { size, isGzip, unpackedLength: bytes.readUInt32LE(0) }
  } finally {
    await file.close()
  }
}

/** Unpacks the whole file and returns the reason of a failure; null where unpacking succeeds. */
const gzipProblem = async (path: string): Promise<string | null> => {
  try {
    await pipeline(createReadStream(path), createGunzip(), async chunks => {
      for await (const _ of chunks);
    })
    return null
  } catch (cause) {
    return reasonOf(cause)
  }
}

/**
 * Yields a plain file's chunks and reads the next chunk while the caller uses the current one. Two
 * buffers alternate, since a new buffer per chunk would keep the garbage collector busy.
 */
async function* chunksOf(file: FileHandle, count: (bytes: number) => void) {
  const buffers = [Buffer.allocUnsafeSlow(CHUNK), Buffer.allocUnsafeSlow(CHUNK)] as const
  let turn = 0
  const read = () => file.read(buffers[turn++ % 2] as Buffer, 0, CHUNK, null)
  let next = read()
  for (;;) {
    const { bytesRead, buffer } = await next
    if (bytesRead === 0) return
    count(bytesRead)
    next = read()
    // The next turn awaits this read and throws its error; a rejection before that is expected.
    next.catch(() => undefined)
    yield buffer.subarray(0, bytesRead)
  }
}

interface Chunks {
  readonly next: () => Promise<IteratorResult<Uint8Array>>
  /** returns how many of the bytes on disk were read so far */
  readonly consumed: () => number
}

const plainChunks = (
  path: string,
  fail: (cause: unknown) => ByteFileError
): Effect.Effect<Chunks, ByteFileError, Scope.Scope> =>
  Effect.acquireRelease(Effect.tryPromise({ try: () => open(path), catch: fail }), file =>
    Effect.promise(() => file.close())
  ).pipe(
    Effect.map(file => {
      let consumed = 0
      const chunks = chunksOf(file, bytes => {
        consumed += bytes
      })
      return { next: () => chunks.next(), consumed: () => consumed }
    })
  )

const gunzippedChunks = (path: string): Effect.Effect<Chunks, never, Scope.Scope> =>
  Effect.gen(function* () {
    const raw = yield* Effect.acquireRelease(
      Effect.sync(() => createReadStream(path, { highWaterMark: CHUNK })),
      stream => Effect.sync(() => stream.destroy())
    )
    // A cut file must give all its data before it fails. With this flag zlib accepts a cut end, so
    // `checkEnd` below checks the length.
    const gunzip = createGunzip({ chunkSize: CHUNK, finishFlush: constants.Z_SYNC_FLUSH })
    yield* Effect.addFinalizer(() => Effect.sync(() => gunzip.destroy()))
    raw.once("error", cause => gunzip.destroy(cause))
    const chunks = raw.pipe(gunzip)[Symbol.asyncIterator]()
    return { next: () => chunks.next(), consumed: () => raw.bytesRead }
  })

/** Opens a file for one pass. The scope's end closes the file. */
export const openByteFile = (path: string): Effect.Effect<ByteFile, ByteFileError, Scope.Scope> =>
  Effect.gen(function* () {
    const fail = (cause: unknown) => new ByteFileError({ path, message: reasonOf(cause) })
    const head = yield* Effect.tryPromise({ try: () => readHead(path), catch: fail })
    const chunks = yield* head.isGzip ? gunzippedChunks(path) : plainChunks(path, fail)
    let unpacked = 0
    const checkEnd = Effect.gen(function* () {
      if (!head.isGzip || unpacked % 2 ** 32 === head.unpackedLength) return null
      // The file is cut, or has several gzip members: a strict second pass fails only where cut.
      const problem = yield* Effect.promise(() => gzipProblem(path))
      if (problem !== null) return yield* new ByteFileError({ path, message: problem })
      return null
    })
    const next = Effect.tryPromise({ try: chunks.next, catch: fail }).pipe(
      Effect.flatMap(step => {
        if (step.done === true) return checkEnd
        unpacked += step.value.length
        return Effect.succeed(step.value)
      })
    )
    return { size: head.size, consumed: chunks.consumed, next }
  })
