/** Finds effective blocks by reading the log backwards. */
import { Effect, Stream } from "effect"
import { type BlockRun, blockRuns } from "./block-runs.ts"
import { EffectiveBlocks, joinRuns } from "./effective-blocks.ts"
import type { ReadError } from "./log-errors.ts"
import type { LogStream } from "./log-stream.ts"
import { readBackwards } from "./read-log.ts"
import type { LogPosition, Segment } from "./segment.ts"

interface Found {
  /** newest first; grows as segments are read */
  readonly runs: Array<BlockRun>
  sealed: number
  /** what comes after this seq is cancelled */
  ceiling: number
}

/** Adds the effective blocks of the segment before. */
const collect = (found: Found, { header, batch }: Segment, atMost: number): void => {
  if (header.firstSeq > found.ceiling) return
  const runs = blockRuns(batch, header.firstSeq, found.ceiling)
  for (const run of runs.toReversed()) {
    if (run.number > atMost) continue
    found.runs.push(run)
    if (run.sealed) found.sealed++
  }
  // A later Rollback cancels an earlier one as well, so only an effective one counts here.
  found.ceiling = header.rollbackTo ?? found.ceiling
}

/**
 * The last effective blocks numbered up to `atMost` of a log that ends at a position: at least
 * `keep` sealed ones where there are as many.
 */
export const loadBlocks = (
  stream: LogStream,
  end: LogPosition,
  keep: number,
  atMost = Number.POSITIVE_INFINITY
): Effect.Effect<EffectiveBlocks, ReadError> =>
  Effect.suspend(() => {
    const loaded: Found = { runs: [], sealed: 0, ceiling: end.seq }
    const isDone = () => loaded.sealed >= keep || loaded.ceiling === 0
    return readBackwards(stream, end).pipe(
      Stream.tap(segment => Effect.sync(() => collect(loaded, segment, atMost))),
      Stream.takeUntil(isDone),
      Stream.runDrain,
      Effect.map(() => {
        const { runs, sealed } = loaded
        return new EffectiveBlocks(joinRuns(runs.toReversed()), sealed < keep, keep)
      })
    )
  })
