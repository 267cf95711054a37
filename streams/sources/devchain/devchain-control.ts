/** A devchain that outlives its Anvil: one operation at a time, and a new Anvil when need be. */
import { Effect, Exit, Scope, Semaphore } from "effect"
import type { MinedBlock } from "./block-producer.ts"
import {
  type DevchainFailure,
  type DevchainSession,
  openSession,
  type SessionOptions
} from "./devchain-session.ts"

export interface DevchainControl {
  readonly session: () => DevchainSession
  readonly step: (time: number) => Effect.Effect<MinedBlock, DevchainFailure>
  /** replaces the newest `depth` blocks by `depth + 1` others; gives those */
  readonly fork: (depth: number) => Effect.Effect<ReadonlyArray<MinedBlock>, DevchainFailure>
  readonly snapshot: Effect.Effect<void, DevchainFailure>
  /** stops Anvil and starts another on the same port, from snapshot and journal */
  readonly reopen: Effect.Effect<void, DevchainFailure>
}

/** What the last snapshot may take when the scope ends; without it the journal does its work. */
const LAST_SNAPSHOT_MS = 3_000

/** Opens the chain for the length of the scope, whose end snapshots it and stops Anvil. */
export const openDevchain = Effect.fnUntraced(function* (
  options: SessionOptions
): Effect.fn.Return<DevchainControl, DevchainFailure, Scope.Scope> {
  const turn = yield* Semaphore.make(1)
  let scope = yield* Scope.make()
  yield* Effect.addFinalizer(exit => Effect.suspend(() => Scope.close(scope, exit)))
  const open = (port: number | undefined) =>
    openSession({ ...options, port }).pipe(Scope.provide(scope))
  let session = yield* open(options.port)
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => session.snapshot).pipe(
      turn.withPermit,
      Effect.timeout(LAST_SNAPSHOT_MS),
      Effect.ignore
    )
  )
  const reopen = Effect.gen(function* () {
    const { port } = session.anvil
    yield* Scope.close(scope, Exit.void)
    scope = yield* Scope.make()
    session = yield* open(port)
  })
  const fork = Effect.fnUntraced(function* (depth: number) {
    let { time } = yield* session.rollback(depth)
    const blocks: Array<MinedBlock> = []
    while (blocks.length <= depth) blocks.push(yield* session.step((time += 1)))
    return blocks
  })
  return {
    session: () => session,
    step: time => Effect.suspend(() => session.step(time)).pipe(turn.withPermit),
    fork: depth => fork(depth).pipe(turn.withPermit),
    snapshot: Effect.suspend(() => session.snapshot).pipe(turn.withPermit),
    reopen: reopen.pipe(turn.withPermit)
  }
})
