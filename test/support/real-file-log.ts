/** A log of the events of a file of real ones, read as `replay` reads it. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "vitest"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { makeFileSource } from "../../streams/sources/file/file-source.ts"
import { MemoryLog } from "./memory-log.ts"
import { jsonLines, type RealLog } from "./raw-logs.ts"
import { sharedData } from "./shared-data.ts"
import { drain } from "./tape-input.ts"

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

/** The file's path in the shared data. */
export const realLogsPath = (name: string): string => `evm/logs/${name}.jsonl.gz`

/** A file of the tokens whose transfers stand in these logs: by them pools are proven. */
const tokensOf = ({ id, key }: ChainConfig, name: string, folder: string): string => {
  const found = jsonLines<RealLog>(realLogsPath(name))
    .filter(log => log.chainId === id && log.topics[0] === TRANSFER && log.topics.length === 3)
    .map(log => log.address)
  const file = join(folder, `${key}-${name}.csv`)
  writeFileSync(file, `${["address", ...new Set(found)].join("\n")}\n`)
  return file
}

/** What the chain's logs in the file tell; the tokens that it needs are listed in `folder`. */
export const realFileLog = async (
  chain: ChainConfig,
  name: string,
  folder: string
): Promise<MemoryLog> => {
  const files = [join(sharedData, realLogsPath(name))]
  const tokens = [tokensOf(chain, name, folder)]
  const { batches, error } = await drain(
    makeFileSource({ chain, files, tokens, skipUntimed: true })
  )
  expect(error).toBeNull()
  const log = new MemoryLog()
  for (const batch of batches) log.append(eventsOf(batch))
  return log
}
