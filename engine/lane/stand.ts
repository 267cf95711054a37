/** Tables that are open, and whether readers are answered from them. */
import { Deferred, Effect, Exit, Scope } from "effect"
import type { DuckDbError } from "../../src/platform/duckdb.ts"
import type { ParentPort } from "../../src/platform/worker.ts"
import { beginSending } from "../runner/sending.ts"
import { type Place, pathOf, type Served } from "../store/tables-file.ts"
import { tellPosition } from "./announce.ts"
import { type LaneOptions, type OpenLane, openLane } from "./lane-open.ts"
import type { LaneState } from "./lane-state.ts"
import type { FromLane, ToLane } from "./messages.ts"

export interface Stand {
  /** the lane's; what it posts is lost until readers are answered from it */
  readonly options: LaneOptions
  readonly place: Place
  readonly open: OpenLane
  readonly state: LaneState
  /** of the tables and of what follows the log into them */
  readonly scope: Scope.Closeable
  /** fails once a query has found the file damaged */
  readonly broken: Deferred.Deferred<never, DuckDbError>
  isSeen: boolean
  /** when a reader asked last, in milliseconds; minus infinity before the first */
  askedMs: number
  /** the chain itself took back some of what is in it */
  isVoid: boolean
}

/** The tables of a lane: at most two, of which one is made beside the other. */
export interface Current {
  /** what readers are answered from; null where there is nothing to answer from yet */
  seen: Stand | null
  /** what has folded most of the log: the same, or what is being made */
  newest: Stand | null
  /** what is said of the lane */
  state: LaneState
  /** what readers were given last */
  served: Served
  /** tables that readers had are closed, and will be open again soon as they were */
  isReopening: boolean
}

/** A port that passes nothing on until the stand is seen. */
const gated = (
  port: ParentPort<ToLane, FromLane>,
  isOpen: () => boolean
): ParentPort<ToLane, FromLane> => ({
  ...port,
  post: (message, transfer) => {
    if (isOpen()) port.post(message, transfer)
  }
})

/** Opens the tables of a place, for nobody to see yet. They are closed with the scope or before. */
export const openStand = (
  options: LaneOptions,
  place: Place,
  state: LaneState,
  agree: boolean,
  readOnly = false
) =>
  Effect.gen(function* () {
    const scope = yield* Effect.acquireRelease(Scope.make(), one => Scope.close(one, Exit.void))
    const path = pathOf(options.file, place)
    const open = yield* openLane(options, path, state, agree, readOnly).pipe(Scope.provide(scope))
    const broken = yield* Deferred.make<never, DuckDbError>()
    const port = gated(options.port, () => stand.isSeen)
    const stand: Stand = {
      ...{ options: { ...options, port }, place, open, state, scope, broken },
      ...{ isSeen: false, askedMs: Number.NEGATIVE_INFINITY, isVoid: false }
    }
    return stand
  })

/** Lets readers have it from now on. In one turn, so nothing can come between. */
export const see = (current: Current, stand: Stand): void => {
  const { options, open } = stand
  const { port } = options
  stand.isSeen = true
  current.seen = stand
  current.newest = stand
  current.isReopening = false
  current.state = stand.state
  if (options.isCopied) beginSending(open.core)
  port.post({ type: "log", log: open.log })
  tellPosition(options, open.core.told, true)
  stand.state.changed.ring()
}

/** With DuckDB's thread the whole lane dies: it starts again on the file as it is. */
export const lost = ({ broken, open }: Stand): Effect.Effect<never, DuckDbError> =>
  Effect.raceFirst(Deferred.await(broken), open.core.store.database.ended)
