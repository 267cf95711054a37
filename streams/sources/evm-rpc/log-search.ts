/** Search through the log, back from a block. */
import { Effect } from "effect"
import type { LogBlock, SourceError } from "../../source.ts"
import type { RpcLane } from "./rpc-lane.ts"

/** Blocks of the log looked at first; twice as many each time after. */
const FIRST_STEP = 256
/** Behind so many blocks nobody looks. */
const MOST_SEARCHED = 1_000_000

/**
 * What `find` makes of the newest blocks of the log at or before `upTo` in which it finds anything;
 * it is given some at a time, oldest first. Null where it finds nothing.
 */
export const searchLog = <A, E>(
  { older }: RpcLane,
  upTo: number,
  find: (blocks: readonly [LogBlock, ...ReadonlyArray<LogBlock>]) => Effect.Effect<A | null, E>
): Effect.Effect<A | null, E | SourceError> =>
  Effect.gen(function* () {
    let atMost = upTo
    let count = FIRST_STEP
    for (let seen = 0; older !== null && seen < MOST_SEARCHED; seen += count, count *= 2) {
      const [oldest, ...later] = yield* older(atMost, count)
      if (oldest === undefined) return null
      const found = yield* find([oldest, ...later])
      if (found !== null) return found
      atMost = oldest.number - 1
    }
    return null
  })
