/** Finds effective blocks by reading the log backwards. */
import { Effect, Stream } from "effect"
import { type BlockRun, blockRuns } from "./block-runs.ts"
import { EffectiveBlocks, joinRuns } from "./effective-blocks.ts"
import type { ReadError } from "./log-errors.ts"
import type { LogStream } from "./log-stream.ts"
import { readBackwards } from "./read-log.ts"
import type { LogPosition, Segment } from "./segment.ts"

interface Found {
  /** newest first */
  readonly runs: ReadonlyArray<BlockRun>
  readonly sealed: number
  /** what comes after this seq is cancelled */
  readonly ceiling: number
}

/** Adds the effective blocks of the segment before. */
const collect =
  (atMost: number) =>
  (found: Found, { header, batch }: Segment): Found => {
    if (header.firstSeq > found.ceiling) return found
    const runs = blockRuns(batch, header.firstSeq, found.ceiling)
      .filter(({ number }) => number <= atMost)
      .toReversed()
    return {
      runs: [...found.runs, ...runs],
      sealed: found.sealed + runs.filter(({ sealed }) => sealed).length,
      // A later Rollback cancels an earlier one as well, so only an effective one counts here.
      ceiling: header.rollbackTo ?? found.ceiling
    }
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
): Effect.Effect<EffectiveBlocks, ReadError> => {
  const nothing: Found = { runs: [], sealed: 0, ceiling: end.seq }
  return readBackwards(stream, end).pipe(
    Stream.scan(() => nothing, collect(atMost)),
    Stream.takeUntil(({ sealed, ceiling }) => sealed >= keep || ceiling === 0),
    Stream.runLast,
    Effect.map(last => {
      const { runs, sealed } = last._tag === "Some" ? last.value : nothing
      return new EffectiveBlocks(joinRuns(runs.toReversed()), sealed < keep, keep)
    })
  )
}
