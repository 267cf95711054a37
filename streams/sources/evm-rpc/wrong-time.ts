/**
 * Times in the log that the chain contradicts: what a node told once, in a header that nobody could
 * check or nobody did.
 */
import { Effect } from "effect"
import { type LogBlock, SourceError } from "../../source.ts"
import { searchLog } from "./log-search.ts"
import type { RpcLane } from "./rpc-lane.ts"
import type { Header } from "./wire.ts"

/** Whether a block that comes next is of an earlier second than the log's last. */
export const isEarlier = ({ recent }: RpcLane, { time }: Header): boolean =>
  time < (recent.last?.time ?? 0)

/** The newest block of the log that is not of a later second; null where none is known. */
const newestUpTo = (lane: RpcLane, time: number): Effect.Effect<LogBlock | null, SourceError> =>
  searchLog(lane, lane.recent.last?.number ?? 0, blocks =>
    Effect.succeed(blocks.findLast(block => (block.time ?? 0) <= time) ?? null)
  )

/** Fails with what a person can do. Headers that give their hashes mend it by themselves. */
export const contradictedTime = (
  lane: RpcLane,
  { number, time, sealed }: Header
): Effect.Effect<never, SourceError> =>
  Effect.gen(function* () {
    const { recent, chain } = lane
    const last = recent.last
    const what =
      `block ${number} is of second ${time}, and block ${last?.number} of the log before it of ` +
      `${last?.time}`
    if (sealed === true) {
      const message = `${what}: the log is compared with the chain again`
      return yield* new SourceError({ message, fatal: false })
    }
    const kept = yield* newestUpTo(lane, time)
    const cut =
      kept?.seq === undefined
        ? "start with a new data folder"
        : `stop the engine, then "npm run log -- cut --chain ${chain.key} --to ${kept.seq} --data DIR ` +
          `--yes" (DIR is its data folder) keeps the log up to block ${kept.number}, and the rest is ` +
          "read again at the next start"
    const message =
      `${what}: a node told a wrong time, and the headers that the nodes tell do not show which ` +
      `is wrong. Where it is the log's, ${cut}`
    return yield* new SourceError({ message, fatal: false })
  })
