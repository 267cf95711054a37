/**
 * The key of a data folder's nats-server: who can read its file may use the server, nobody else. It
 * is made once for each folder and handed over in the server's environment, so that it stands in no
 * process's arguments and in no log.
 */
import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Its name inside the data folder. */
const keyFileName = "nats.key"

/** The variable of the server's environment that `nats.conf` names. */
export const keyVariable = "SWAPTAPE_NATS_KEY"

/** It begins with a letter, since the server's configuration would take digits for a number. */
const isKey = (text: string): boolean => /^k[0-9a-f]{64}$/.test(text)

const others = 0o077

/** The key of a data folder; null where there is none that this user may read. */
export const readNatsKey = (dataDirectory: string): string | null => {
  try {
    const text = readFileSync(join(dataDirectory, keyFileName), "utf8").trim()
    return isKey(text) ? text : null
  } catch {
    return null
  }
}

/**
 * The key of a data folder, made where there is none or others could have read it. Only the holder
 * of the folder's lock may call this, while no server runs. Throws where it cannot be written.
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
