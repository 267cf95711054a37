/** A log in memory folded into a database in memory, with a way to ask. */
import { Effect } from "effect"
import { allPages } from "../../api/queries.ts"
import type { Projection } from "../../engine/projection.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { openQueries } from "../../engine/runner/queries.ts"
import { openStore } from "../../engine/store/store.ts"
import { allProjections } from "../../projections/all.ts"
import { prices } from "../../projections/prices/projection.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { MemoryLog } from "./memory-log.ts"

/** All projections, of which prices do not believe every `every`th print as well. */
export const withOutliers = (every: number): ReadonlyArray<Projection> => {
  const doubting: typeof prices = {
    ...prices,
    create: context => {
      const fold = prices.create(context)
      const { swaps } = fold.out
      return {
        ...fold,
        apply: slice => {
          fold.apply(slice)
          for (let i = 0; i < swaps.count; i++) {
            if ((swaps.seq[i] as number) % every === 0) swaps.outlier0[i] = 1
            if ((swaps.seq[i] as number) % every === 1) swaps.outlier1[i] = 1
          }
        }
      }
    }
  }
  return allProjections.map(one => (one.name === prices.name ? (doubting as Projection) : one))
}

/** The lane once it has folded all of a log. */
export const foldLog = (
  chain: ChainConfig,
  log: MemoryLog,
  projections: ReadonlyArray<Projection> = allProjections
) =>
  Effect.gen(function* () {
    const folds = newFoldSet(chain, projections)
    const store = yield* openStore(":memory:", folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read)
    for (const segment of log.segments) yield* applySegment(core, segment)
    yield* commitPending(core)
    const queries = yield* openQueries(store, chain, folds, core, allPages)
    return {
      core,
      connection: store.writer,
      output: folds.output,
      /** a query's value, or its refusal */
      ask: (name: string, params: { readonly [name: string]: string | number | boolean | null }) =>
        queries
          .answer({ name, params })
          .pipe(
            Effect.map(answer =>
              answer.ok ? JSON.parse(new TextDecoder().decode(answer.body)) : answer.refusal
            )
          )
    }
  })

export type FoldedLane = Effect.Success<ReturnType<typeof foldLog>>
