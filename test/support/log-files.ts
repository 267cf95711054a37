/** Files of raw logs, as nodes answer them, for whatever reads files. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { FakeLog } from "./fake-logs.ts"

export type LogLine = ReturnType<typeof logLine>

/** A log with its place; each stands in a transaction of its own, in seconds of ten a block. */
export const logLine = (block: number, logIndex: number, log: FakeLog) => ({
  ...log,
  blockNumber: block,
  blockTimestamp: 1_700_000_000 + 10 * block,
  transactionHash: `0x${(block * 1000 + logIndex).toString(16).padStart(64, "0")}`,
  transactionIndex: logIndex,
  logIndex
})

/** Writes them one a line; gives the file's path. */
export const writeLines = (folder: string, name: string, lines: ReadonlyArray<object>): string => {
  const path = join(folder, name)
  writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(""))
  return path
}
