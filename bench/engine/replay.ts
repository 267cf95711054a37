/** Runs the product's own `replay` and watches it. */

import type { LogFiles } from "../generate/cached-logs.ts"
import { watchMemory } from "../measure/memory.ts"
import { outputOf, startProgram } from "../measure/programs.ts"

/** What `replay --json` says. */
interface Replayed {
  readonly logs: number
  readonly seq: number
  readonly swaps: number
  readonly seconds: number
}

export interface Ingested extends Replayed {
  /** peaks of resident memory, in bytes */
  readonly engineBytes: number
  readonly natsBytes: number
}

const command = new URL("../../src/bin/replay.ts", import.meta.url).pathname

/**
 * Files → log, fsynced → every projection committed, in a new process. `seconds` run from the
 * start of reading to the last commit.
 */
export const replayFiles = async (
  files: LogFiles,
  dataFolder: string,
  profileFolder?: string
): Promise<Ingested> => {
  const each = (name: string, paths: ReadonlyArray<string>) => paths.flatMap(path => [name, path])
  const args = [
    ...["--chain", files.chain, "--data", dataFolder, "--json", "--no-report"],
    ...each("--tokens", files.tokens),
    ...each("--txs", files.txs),
    ...files.files
  ]
  const child = startProgram(command, ["ignore", "pipe", "inherit"], { args, profileFolder })
  const memory = watchMemory(child.pid ?? 0, dataFolder)
  try {
    const replayed = JSON.parse(await outputOf(child)) as Replayed
    return { ...replayed, engineBytes: memory.engine(), natsBytes: memory.nats() }
  } finally {
    memory.stop()
  }
}
