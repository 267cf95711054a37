/** A lane in memory that has folded all of a log, over HTTP. */
import type { ChainConfig } from "../../src/domain/chain.ts"
import { readerOf, startApi } from "./api-server.ts"
import { MemoryLane } from "./memory-lane.ts"
import type { MemoryLog } from "./memory-log.ts"
import type { Served } from "./token-checks.ts"

export interface ServedWhole extends Served {
  readonly close: () => Promise<void>
}

/** Folds the log in one commit and serves it. Close it. */
export const serveWhole = async (chain: ChainConfig, log: MemoryLog): Promise<ServedWhole> => {
  const lane = new MemoryLane(chain, log)
  await lane.start()
  await lane.fold(log.segments.length)
  await lane.commit()
  const api = await startApi([lane])
  return {
    get: readerOf(api),
    rows: sql => lane.rows(sql),
    chain: chain.id,
    key: chain.key,
    now: lane.status().blockTime ?? 0,
    close: async () => {
      await api.close()
      await lane.close()
    }
  }
}
