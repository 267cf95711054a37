/**
 * The files of a stream of the embedded nats-server, for when the server cannot help: what it has
 * on disk without knowing it, and cutting a stream behind a message. No server may run meanwhile.
 *
 * A record of a message file begins with its length, 32 bits little-endian of which the highest
 * says that there are headers, then the message's number, 64 bits of which the highest says that it
 * was deleted (nats-server 2.10, `server/filestore.go`, `writeMsgRecord`).
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { FileError } from "./files.ts"

const LENGTH = 0x7fffffff
/** Length, seq, time, length of the subject, and the hash at the end. */
const SHORTEST_RECORD = 4 + 8 + 8 + 2 + 8

/** Where the streams of a data folder lie. */
export const streamsFolder = (dataFolder: string): string =>
  join(dataFolder, "nats", "jetstream", "$G", "streams")

const messagesOf = (dataFolder: string, stream: string): string =>
  join(streamsFolder(dataFolder), stream, "msgs")

/** Where what was cut off a stream last is kept. */
export const cutOffFolder = (dataFolder: string, stream: string): string =>
  join(dataFolder, "cut-off", stream)

/** A stream's message files, in order. */
const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter(name => /^\d+\.blk$/.test(name))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))

/** Bytes of a stream's messages on disk; 0 where there is none. */
export const bytesOnDisk = (dataFolder: string, stream: string): number => {
  const folder = messagesOf(dataFolder, stream)
  if (!existsSync(folder)) return 0
  return filesOf(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

/** Names of the streams of which there are messages on disk. */
export const streamsOnDisk = (dataFolder: string): ReadonlyArray<string> => {
  const folder = streamsFolder(dataFolder)
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter(name => bytesOnDisk(dataFolder, name) > 0)
}

/**
 * Removes what describes a stream, which the server writes only where there is none; its messages
 * stay, and are in the stream that is created next under its name.
 */
export const forgetStream = (dataFolder: string, stream: string): Effect.Effect<void, FileError> =>
  Effect.try({
    try: () => {
      for (const name of ["meta.inf", "meta.sum"]) {
        rmSync(join(streamsFolder(dataFolder), stream, name), { force: true })
      }
    },
    catch: cause => new FileError({ message: `stream ${stream}: ${(cause as Error).message}` })
  })

/** A message in a file. */
export interface MessageRecord {
  readonly seq: bigint
  /** where its record ends, in bytes */
  readonly end: number
}

/** The records of a message file in order, up to the first that is not there as a whole. */
export function* recordsOf(file: Uint8Array): Generator<MessageRecord> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  for (let at = 0; at + SHORTEST_RECORD <= file.length; ) {
    const length = view.getUint32(at, true) & LENGTH
    if (length < SHORTEST_RECORD || at + length > file.length) return
    const seq = view.getBigUint64(at + 4, true)
    at += length
    yield { seq, end: at }
  }
}

/** Where the record of a message ends in a file; null where the file has not got it whole. */
const endOfMessage = (file: Uint8Array, last: number): number | null => {
  for (const { seq, end } of recordsOf(file)) if (seq === BigInt(last)) return end
  return null
}

const cut = (dataFolder: string, stream: string, last: number): void => {
  const folder = messagesOf(dataFolder, stream)
  const aside = cutOffFolder(dataFolder, stream)
  const files = filesOf(folder)
  let at = -1
  let end: number | null = null
  while (last > 0 && end === null && ++at < files.length) {
    end = endOfMessage(readFileSync(join(folder, files[at] as string)), last)
  }
  if (last > 0 && end === null) throw new Error(`message ${last} is not in them`)
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true })
  const [name] = files.slice(Math.max(0, at), at + 1)
  if (name !== undefined && end !== null) {
    const path = join(folder, name)
    writeFileSync(join(aside, name), readFileSync(path).subarray(end), { flush: true })
    truncateSync(path, end)
  }
  for (const later of files.slice(at + 1)) renameSync(join(folder, later), join(aside, later))
  // the server makes it anew of the messages
  rmSync(join(folder, "index.db"), { force: true })
}

/**
 * Cuts a stream behind the message of a number, 0 for all of it. What is cut off is kept beside, in
 * place of what was cut off it before.
 */
export const cutStream = (
  dataFolder: string,
  stream: string,
  last: number
): Effect.Effect<void, FileError> =>
  Effect.try({
    try: () => cut(dataFolder, stream, last),
    catch: cause =>
      new FileError({
        message: `the files of stream ${stream} cannot be cut: ${(cause as Error).message}`
      })
  })
