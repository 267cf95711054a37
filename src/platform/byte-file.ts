/** Files as chunks of bytes, gunzipped where they are gzip, with memory for two chunks at most. */
import { createReadStream } from "node:fs"
import { type FileHandle, open, stat } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { constants, createGunzip } from "node:zlib"
import { Data, Effect, type Scope } from "effect"

/** A file could not be opened, or not be read to its end. */
export class ByteFileError extends Data.TaggedError("ByteFileError")<{
  readonly path: string
  readonly message: string
}> {}

export interface ByteFile {
  /** size on disk */
  readonly size: number
  /** bytes of the file on disk that were consumed so far */
  readonly consumed: () => number
  /** The next bytes; null at the end. A chunk stays valid only until the next one is asked for. */
  readonly next: Effect.Effect<Uint8Array | null, ByteFileError>
}

const CHUNK = 1 << 20

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause)

interface Head {
  readonly size: number
  readonly isGzip: boolean
  /** what gzip's trailer says of the unpacked length, modulo 2^32 */
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

/** Why unpacking the whole file fails; null where it does not. */
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
 * A plain file's bytes: the next chunk is read while one is used, into one of two buffers that
 * serve again and again. A new buffer for each would keep the garbage collector busy.
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
    // looked at when it is awaited
    next.catch(() => undefined)
    yield buffer.subarray(0, bytesRead)
  }
}

interface Chunks {
  readonly next: () => Promise<IteratorResult<Uint8Array>>
  /** bytes of the file on disk that were read so far */
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
    // A cut file must give all it holds before it is refused; with this flag zlib does not
    // complain about the end, so the end is checked below.
    const gunzip = createGunzip({ chunkSize: CHUNK, finishFlush: constants.Z_SYNC_FLUSH })
    yield* Effect.addFinalizer(() => Effect.sync(() => gunzip.destroy()))
    raw.once("error", cause => gunzip.destroy(cause))
    const chunks = raw.pipe(gunzip)[Symbol.asyncIterator]()
    return { next: () => chunks.next(), consumed: () => raw.bytesRead }
  })

/** Opens a file for one pass; it is closed with the scope. */
export const openByteFile = (path: string): Effect.Effect<ByteFile, ByteFileError, Scope.Scope> =>
  Effect.gen(function* () {
    const fail = (cause: unknown) => new ByteFileError({ path, message: reasonOf(cause) })
    const head = yield* Effect.tryPromise({ try: () => readHead(path), catch: fail })
    const chunks = yield* head.isGzip ? gunzippedChunks(path) : plainChunks(path, fail)
    let unpacked = 0
    const checkEnd = Effect.gen(function* () {
      if (!head.isGzip || unpacked % 2 ** 32 === head.unpackedLength) return null
      // Cut, or made of several parts: reading it once more, strictly, tells which.
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
