/** File operations of lanes and tools, as effects. */
import { createReadStream, createWriteStream } from "node:fs"
import {
  access,
  appendFile,
  constants,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile
} from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { Worker } from "node:worker_threads"
import { gunzip, gzip } from "node:zlib"
import { Effect, Schema } from "effect"
import { fileInTheWay, makeFolders } from "./make-folder.ts"

export class FileError extends Schema.TaggedError<FileError>()("FileError", {
  message: Schema.String
}) {}

/** The system's word, or which file stands where the path has a folder. */
const wordsOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const { code, path, message } = cause as NodeJS.ErrnoException
  const inTheWay = code === "ENOTDIR" && path !== undefined ? fileInTheWay(path) : null
  return inTheWay ?? message
}

const attempt = <A>(doing: string, run: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: cause => new FileError({ message: `${doing}: ${wordsOf(cause)}` })
  })

export const makeFolder = (path: string) =>
  attempt(`create folder ${path}`, async () => makeFolders(path))

/** Returns the names in a folder; none where the folder cannot be listed. */
export const namesIn = (path: string) =>
  attempt(`list ${path}`, () => readdir(path)).pipe(
    Effect.catchTag("FileError", () => Effect.succeed([] as ReadonlyArray<string>))
  )

/** Returns false also where the path cannot be looked at. */
export const exists = (path: string) =>
  attempt(`look at ${path}`, () => stat(path)).pipe(
    Effect.as(true),
    Effect.catchTag("FileError", () => Effect.succeed(false))
  )

/** Returns the bytes of a file on disk. */
export const sizeOf = (path: string) =>
  Effect.map(
    attempt(`look at ${path}`, () => stat(path)),
    ({ size }) => size
  )

/** Bytes copied at once: enough to make a copy as fast as the disk. */
const COPIED_BYTES = 1 << 20

/**
 * Copies a file; an interruption stops the copy. Node's own `copyFile` cannot be stopped and never
 * ends where the file becomes shorter meanwhile, as DuckDB's file does on closing (libuv 1.46 takes
 * a copy of 0 bytes for progress).
 */
export const copy = (from: string, to: string) =>
  attempt(`copy ${from} to ${to}`, signal =>
    pipeline(
      createReadStream(from, { highWaterMark: COPIED_BYTES }),
      createWriteStream(to, { highWaterMark: COPIED_BYTES }),
      { signal }
    )
  )

export const move = (from: string, to: string) =>
  attempt(`move ${from} to ${to}`, () => rename(from, to))

const REASONS: { readonly [code: string]: string } = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "it may not be read"
}

/** Fails where `path` is not a readable file; the message begins with `what`, the file's use. */
export const mustBeFile = (what: string, path: string) =>
  Effect.tryPromise({
    try: async () => {
      await access(path, constants.R_OK)
      return (await stat(path)).isDirectory()
    },
    catch: cause => REASONS[(cause as NodeJS.ErrnoException).code ?? ""] ?? String(cause)
  }).pipe(
    Effect.flatMap(isFolder => (isFolder ? Effect.fail("it is a folder") : Effect.void)),
    Effect.mapError(reason => new FileError({ message: `${what}, ${path}: ${reason}` }))
  )

/** Removes a file or folder; does nothing where there is none. */
export const remove = (path: string) =>
  attempt(`remove ${path}`, () => rm(path, { recursive: true, force: true }))

export const readText = (path: string) => attempt(`read ${path}`, () => readFile(path, "utf8"))

export const writeText = (path: string, text: string) =>
  attempt(`write ${path}`, () => writeFile(path, text))

export const appendText = (path: string, text: string) =>
  attempt(`append to ${path}`, () => appendFile(path, text))

/** Appends likewise, and returns once it outlasts a power cut. */
export const appendFlushed = (path: string, text: string) =>
  attempt(`append to ${path}`, () => appendFile(path, text, { flush: true }))

export const readBytes = (path: string) => attempt(`read ${path}`, () => readFile(path))

type Content = string | Uint8Array | AsyncIterable<Uint8Array>

/** Writes beside a file, and in its place once all is written; what failed leaves nothing. */
const writeBeside = async (path: string, content: Content, signal: AbortSignal): Promise<void> => {
  const beside = `${path}.new`
  try {
    await writeFile(beside, content, { flush: true, signal })
    await rename(beside, path)
  } catch (cause) {
    // on a full disk it would keep the room that the next one needs
    await rm(beside, { force: true }).catch(() => {})
    throw cause
  }
}

/** Replaces a file as a whole or not at all, even across a power cut. */
export const replaceFile = (path: string, content: string | Uint8Array) =>
  attempt(`write ${path}`, signal => writeBeside(path, content, signal))

/** Replaces a file likewise by parts, each asked for once the one before is written. */
export const replaceFileBy = (path: string, parts: AsyncIterable<Uint8Array>) =>
  attempt(`write ${path}`, signal => writeBeside(path, parts, signal))

/** Replaces a file likewise by the packed content, at the level that takes the least time. */
export const replaceGzip = (path: string, content: Uint8Array) =>
  attempt(`pack ${path}`, () => promisify(gzip)(content, { level: 1 })).pipe(
    Effect.flatMap(packed => replaceFile(path, packed))
  )

/** Returns the unpacked content of a gzip file. */
export const readGzip = (path: string) =>
  readBytes(path).pipe(
    Effect.flatMap(zipped => attempt(`unzip ${path}`, () => promisify(gunzip)(zipped)))
  )

/**
 * Returns the SHA-256 of a file, in hex. A separate thread computes it: hashing a copy of a lane's
 * tables takes seconds, during which the lane must answer readers.
 */
export const sha256File = (path: string) =>
  attempt(
    `hash ${path}`,
    () =>
      new Promise<string>((resolve, reject) => {
        const entry = new URL("./hash-thread.mjs", import.meta.url)
        // The thread is plain JavaScript: no flags of this process, such as a TypeScript loader.
        const worker = new Worker(entry, { workerData: path, execArgv: [] })
        worker.once("message", resolve)
        worker.once("error", reject)
        worker.once("exit", code => reject(new Error(`the thread ended with code ${code}`)))
      })
  )
