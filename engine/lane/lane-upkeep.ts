/** Upkeep of a lane's tables beside its fold: merges and snapshots, when enough was committed. */

import { Clock, Effect } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import { hasPassed } from "../../src/platform/elapsed.ts"
import { wantOfRoom } from "../../src/platform/room.ts"
import type { LaneCore } from "../runner/lane-core.ts"
import { compact, compactionFloor } from "../store/compaction.ts"
import { checkpoint, takeSnapshot } from "../store/snapshot.ts"
import { pathOf } from "../store/tables-file.ts"
import { isFar } from "./commit-policy.ts"
import { sortedRows } from "./lane-memory.ts"
import type { LaneOptions } from "./lane-open.ts"
import type { LaneState } from "./lane-state.ts"
import type { Stand } from "./stand.ts"
import { notKept, type Unkept } from "./unkept.ts"

/** What upkeep keeps between commits. */
export interface Upkept {
  /** seq at the newest look at compaction, and of the newest snapshot */
  compacted: number
  snapshot: number
  /** when upkeep began last; ms since 1970 */
  upkeptMs: number
}

/** Events to the log's end, as far as it is known. */
export const eventsBehind = (core: LaneCore, state: LaneState): number =>
  state.logSeq - core.folded.seq

const isFarBehind = (core: LaneCore, state: LaneState): boolean => isFar(eventsBehind(core, state))

/** How much rarer upkeep is far behind the log's end, where few read and much is to come. */
const RARER = 8

/**
 * Shares of a base that its tail has at least when it is merged. Every page of a token reads all of
 * a tail, which is in the order of the log. One more run writes the tail alone, and with runs of a
 * sixteenth the base, which has 16, is written anew when it has grown to two and a half times.
 */
const FAR = { share: 0.5 }
const NEAR = { share: 0.25, runShare: 1 / 16 }

/** After that what failed for a reason that may have passed is tried again, if a commit comes. */
const AGAIN_MS = 300_000

/**
 * Merges tables until none needs it; at the log's end it leaves less unsorted, for readers' sake.
 * While it merges the lane may get there, and no commit come after that.
 */
const compactTables = (
  options: LaneOptions,
  core: LaneCore,
  state: LaneState
): Effect.Effect<void, DuckDbError> =>
  Effect.gen(function* () {
    const { chain, upkeep } = options
    const pieceRows = sortedRows(upkeep.memoryMb)
    for (let isMore = true; isMore; ) {
      const floor = yield* compactionFloor(core.store, chain.finalityDepth)
      if (floor === null) break
      const isFar = isFarBehind(core, state)
      const minTailRows = isFar ? upkeep.compactRows : Math.ceil(upkeep.compactRows / RARER)
      const shares = isFar ? FAR : NEAR
      isMore = (yield* compact(core.store, floor, { minTailRows, ...shares, pieceRows })).length > 0
    }
    state.takeBack("unmerged")
  }).pipe(
    Effect.catchTag("DuckDbError", failure =>
      wantOfRoom(failure.message, "") !== null
        ? notKept(options, state, "unmerged", failure)
        : Effect.fail(failure)
    )
  )

/** Copies the file. A lane goes on without a copy, which the log can always replace. */
const keepSnapshot = ({ options, open, state, place }: Stand, seq: number) =>
  takeSnapshot(open.core.store, options.file, seq, pathOf(options.file, place)).pipe(
    Effect.tap(() => Effect.sync(() => state.takeBack("no snapshot"))),
    Effect.catchTag("FileError", failure => notKept(options, state, "no snapshot", failure))
  )

/** Begins compaction or a snapshot where one is due and none is under way. */
export const maintain = (stand: Stand, since: Upkept) =>
  Effect.gen(function* () {
    const { options, open, state } = stand
    const { core } = open
    if (yield* core.upkeep.isUnderWay) return
    const { upkeep } = options
    const { seq } = core.committed
    const isFar = isFarBehind(core, state)
    const now = yield* Clock.currentTimeMillis
    const isAgain = hasPassed(since.upkeptMs, now, AGAIN_MS)
    const isDue = (what: Unkept, events: number, every: number) =>
      events >= every || (isAgain && state.warnsOf(what))
    if (isDue("no snapshot", seq - since.snapshot, upkeep.snapshotEvery * (isFar ? RARER : 1))) {
      since.snapshot = seq
      since.upkeptMs = now
      yield* core.store.readers.without(checkpoint(core.store))
      yield* core.upkeep.begin(keepSnapshot(stand, seq))
    } else if (
      isDue("unmerged", seq - since.compacted, upkeep.compactEvery / (isFar ? 1 : RARER))
    ) {
      since.compacted = seq
      since.upkeptMs = now
      yield* core.upkeep.begin(compactTables(options, core, state))
    }
  })
