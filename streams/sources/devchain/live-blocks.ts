/** Mines a devchain's blocks by the wall clock, one a second, for ever. */
import { Clock, Effect, Schedule } from "effect"
import type { AnvilError } from "../../../src/platform/anvil.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import type { MinedBlock } from "./block-producer.ts"
import type { DevchainControl } from "./devchain-control.ts"
import type { DevchainFailure } from "./devchain-session.ts"

/** Blocks from one snapshot to the next: a resume after a kill mines at most these again. */
const SNAPSHOT_BLOCKS = 300

/** Blocks after which Anvil is replaced, from a trimmed state: it forgets no block by itself. */
const RENEW_BLOCKS = 10_000

/** The first one comes soon: without any, a resume makes the whole chain again. */
const FIRST_SNAPSHOT_BLOCKS = 30

/** A snapshot waits this long, so that readers of the new block are served first. */
const SNAPSHOT_DELAY_MS = 300

const REOPEN_ATTEMPTS = 5

/** Sleeps to the next full second, `offsetMs` after it, and gives that second in Unix time. */
const nextSecond = (offsetMs: number): Effect.Effect<number> =>
  Clock.currentTimeMillis.pipe(
    Effect.flatMap(now => {
      const wait = 1000 - ((now - offsetMs) % 1000)
      return Effect.sleep(wait).pipe(Effect.as(Math.floor((now + wait) / 1000)))
    })
  )

/**
 * Runs until interrupted. An Anvil that died or hangs is replaced and the chain goes on where it
 * was; fails where that does not succeed. `offsetMs` keeps the chains of one machine apart.
 */
export const mineByTheClock = Effect.fnUntraced(function* (
  control: DevchainControl,
  offsetMs: number
): Effect.fn.Return<never, DevchainFailure> {
  const startedAt = control.session().head().number
  let snapshotAt = startedAt - SNAPSHOT_BLOCKS + FIRST_SNAPSHOT_BLOCKS
  let renewedAt = startedAt

  const upkeep = Effect.fnUntraced(function* ({ number }: MinedBlock) {
    if (number - snapshotAt < SNAPSHOT_BLOCKS) return
    yield* Effect.sleep(SNAPSHOT_DELAY_MS)
    // The journal alone is enough to resume; the next snapshot may succeed.
    yield* control.snapshot.pipe(
      Effect.catchTag("FileError", error => Effect.logWarning(`devchain: ${error.message}`))
    )
    snapshotAt = number
    if (number - renewedAt < RENEW_BLOCKS) return
    yield* control.reopen
    renewedAt = number
  })
  const block = Effect.gen(function* () {
    const second = yield* nextSecond(offsetMs)
    yield* upkeep(yield* control.step(Math.max(second, control.session().head().time + 1)))
  })
  const recover = (failure: AnvilError | RpcError) =>
    Effect.logWarning(`devchain: ${failure.message}: restarting anvil`).pipe(
      Effect.andThen(
        control.reopen.pipe(
          Effect.retry({ times: REOPEN_ATTEMPTS, schedule: Schedule.exponential("200 millis") })
        )
      )
    )
  return yield* block.pipe(Effect.catchTag(["AnvilError", "RpcError"], recover), Effect.forever)
})
