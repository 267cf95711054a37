/** A lane asks itself what readers will ask, so that none of them is the first. */
import { Clock, Effect, Exit } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { plainWords } from "../../src/platform/plain-words.ts"
import { nextTurn } from "../../src/platform/turn.ts"
import { foldsContextAt } from "../runner/contexts.ts"
import type { LaneOptions, OpenLane } from "./lane-open.ts"
import type { LaneState } from "./lane-state.ts"

/** No question is begun after so long: readers have waited enough, or wait for the answers. */
const LONGEST_MS = 4000

/** Does what is of use and not needed: whatever is wrong with it is told, and no more. */
const tried = <A, E>({ key }: ChainConfig, what: string, work: Effect.Effect<A, E>) =>
  Effect.exit(work).pipe(
    Effect.tap(exit =>
      Exit.isFailure(exit)
        ? Effect.logWarning(`${key}: rehearsing ${what} failed: ${plainWords(exit.cause)}`)
        : Effect.void
    )
  )

/** Asks all of it once. */
export const rehearseOnce = (
  { chain, projections, pages }: LaneOptions,
  { core, queries }: OpenLane
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    const { folds, committed } = core
    const context = foldsContextAt({ chain, folds, retention: core.store.retention }, committed)
    for (const item of [...projections, ...pages]) {
      const named = Effect.sync(() => item.rehearsed?.(context) ?? [])
      const requests = yield* tried(chain, item.name, named)
      for (const request of Exit.isSuccess(requests) ? requests.value : []) {
        if ((yield* Clock.currentTimeMillis) - began > LONGEST_MS) return
        yield* tried(chain, request.name, queries.answer(request))
        yield* nextTurn
      }
    }
  })

/**
 * Asks all of it once the lane has caught up, unless it was `asked` before, and after each
 * rollback, at which what was kept is forgotten.
 */
export const rehearse = (
  options: LaneOptions,
  open: OpenLane,
  state: LaneState,
  asked: boolean
): Effect.Effect<never> =>
  Effect.gen(function* () {
    const { core } = open
    let rollbacks = asked ? core.rollbacks : -1
    const isMeet = () =>
      state.phase === "live" && rollbacks !== core.rollbacks && core.pending === null
    for (;;) {
      yield* state.changed.until(isMeet)
      rollbacks = core.rollbacks
      yield* rehearseOnce(options, open)
    }
  })
