/** Damage of a log's file of messages that a nats-server reads over: all behind it stays. */
import { readFileSync, writeFileSync } from "node:fs"
import { recordsOf } from "../../src/platform/stream-files.ts"

const DAMAGED_BYTES = 64
/** Behind the data of each message (`src/platform/stream-files.ts`). */
const HASH_BYTES = 8

/**
 * Overwrites the end of the data of the message in the middle of a file. Its length is left alone:
 * without it the server takes the file for torn and drops what is behind.
 */
export const damageMiddle = (file: string): void => {
  const bytes = readFileSync(file)
  const middle = [...recordsOf(bytes)].find(({ end }) => end >= bytes.length >> 1)
  const end = middle?.end ?? bytes.length
  bytes.fill(0x5a, end - HASH_BYTES - DAMAGED_BYTES, end - HASH_BYTES)
  writeFileSync(file, bytes)
}
