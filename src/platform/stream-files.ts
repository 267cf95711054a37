/**
 * Reads and cuts the message files of the embedded nats-server's streams, for two things that the
 * server cannot do: find streams that the server does not list, and cut a stream behind a message.
 * No server may run while these files change.
 *
 * A record of a message file begins with its length (32 bits little-endian, the highest bit marks
 * headers), then the message's stream sequence (64 bits, the highest bit marks a deleted message).
 * Source: nats-server 2.10, `server/filestore.go`, `writeMsgRecord`.
 */
import {
  existsSync,
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
import { makeFolders } from "./make-folder.ts"

const LENGTH = 0x7fffffff
/** Bytes of length, stream sequence, time, length of the subject, and the hash at the end. */
const SHORTEST_RECORD = 4 + 8 + 8 + 2 + 8

/** Returns the folder that holds a data folder's streams. */
export const streamsFolder = (dataFolder: string): string =>
  join(dataFolder, "nats", "jetstream", "$G", "streams")

const messagesOf = (dataFolder: string, stream: string): string =>
  join(streamsFolder(dataFolder), stream, "msgs")

/** Returns the folder that keeps the part which was last cut off a stream. */
export const cutOffFolder = (dataFolder: string, stream: string): string =>
  join(dataFolder, "cut-off", stream)

/** Returns the names of a folder's message files, oldest first. */
const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter(name => /^\d+\.blk$/.test(name))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))

/** Returns the bytes of a stream's message files; 0 where there is no such stream. */
export const bytesOnDisk = (dataFolder: string, stream: string): number => {
  const folder = messagesOf(dataFolder, stream)
  if (!existsSync(folder)) return 0
  return filesOf(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

/** Returns the names of the streams that have messages on disk. */
export const streamsOnDisk = (dataFolder: string): ReadonlyArray<string> => {
  const folder = streamsFolder(dataFolder)
  if (!existsSync(folder)) return []
  return readdirSync(folder).filter(name => bytesOnDisk(dataFolder, name) > 0)
}

/**
 * Removes a stream's damaged description files, which the server writes only where they are
 * missing. The messages stay, and belong to the stream that is created next under this name.
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

/** A message in a message file. */
export interface MessageRecord {
  /** stream sequence, with the highest bit set for a deleted message */
  readonly seq: bigint
  /** offset in bytes of the record's end in the file */
  readonly end: number
}

/** Yields the records of a message file in order, up to the first incomplete record. */
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

/** Returns the offset of the end of a message's record; null where the file lacks that record. */
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
  makeFolders(aside)
  const [name] = files.slice(Math.max(0, at), at + 1)
  if (name !== undefined && end !== null) {
    const path = join(folder, name)
    writeFileSync(join(aside, name), readFileSync(path).subarray(end), { flush: true })
    truncateSync(path, end)
  }
  for (const later of files.slice(at + 1)) renameSync(join(folder, later), join(aside, later))
  // The server rebuilds the index from the messages.
  rmSync(join(folder, "index.db"), { force: true })
}

/**
 * Cuts a stream behind the message with stream sequence `last`; 0 cuts off everything. The part cut
 * off moves to `cutOffFolder` and replaces the part cut off before. Fails where no file has `last`.
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
