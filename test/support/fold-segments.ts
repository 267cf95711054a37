/** Tables of segments, folded as a lane folds them, in groups between which it is stopped. */
import { Effect, Stream } from "effect"
import type { Segment } from "../../engine/log/segment.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { digests, openStore } from "../../engine/store/store.ts"
import { allProjections } from "../../projections/all.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"

/** Folds so many more segments into a file; at their end gives the digests of what tables mean. */
export const foldSegments = (
  chain: ChainConfig,
  segments: ReadonlyArray<Segment>,
  file: string,
  count = segments.length
) =>
  Effect.gen(function* () {
    const folds = newFoldSet(chain, allProjections)
    const store = yield* openStore(file, folds.tables, { threads: 2 })
    const core = yield* loadCore(store, folds, from =>
      Stream.fromIterable(segments.slice(from.streamSeq))
    )
    const from = core.committed.streamSeq
    for (const segment of segments.slice(from, from + count)) yield* applySegment(core, segment)
    yield* commitPending(core)
    const left = segments.length - core.committed.streamSeq
    const tables = left > 0 ? [] : yield* digests(store.writer, folds.tables, false)
    return { left, tables }
  }).pipe(Effect.scoped, Effect.runPromise)
