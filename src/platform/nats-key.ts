/**
 * The key of a data folder's nats-server: only who can read the key's file may use the server. Each
 * folder's key is made once and reaches the server by its environment, so that the key appears in
 * no process's arguments and in no log.
 */
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Name of the key's file inside the data folder. */
const keyFileName = "nats.key"

/** Environment variable from which `nats.conf` takes the key. */
export const keyVariable = "SWAPTAPE_NATS_KEY"

/** A key begins with a letter, since the server's configuration reads digits as a number. */
const isKey = (text: string): boolean => /^k[0-9a-f]{64}$/.test(text)

/** Mode bits of everybody but the owner. */
const others = 0o077

/** Returns the key of a data folder; null where no valid key can be read. */
export const readNatsKey = (dataDirectory: string): string | null => {
  try {
    const text = readFileSync(join(dataDirectory, keyFileName), "utf8").trim()
    return isKey(text) ? text : null
  } catch {
    return null
  }
}

/**
 * Returns the key of a data folder; makes a new key where there is none or where other users could
 * read it. Only the holder of the folder's lock may call this, while no server runs.
 *
 * @throws the system's error where the key cannot be written
 */
export const makeNatsKey = (dataDirectory: string): string => {
  const path = join(dataDirectory, keyFileName)
  const kept = readNatsKey(dataDirectory)
  if (kept !== null && (statSync(path).mode & others) === 0) return kept
  if (existsSync(path)) rmSync(path)
  const key = `k${randomBytes(32).toString("hex")}`
  writeFileSync(path, `${key}\n`, { mode: 0o600, flag: "wx", flush: true })
  return key
}
