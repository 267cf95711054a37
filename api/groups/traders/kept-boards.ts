/**
 * Boards of traders as the server keeps them. A lane takes seconds to build one, so no request
 * waits for that of smart traders: a fiber builds each window again and again, one board at a
 * time, and what was built last stands until another one does. A day's board is built when it is
 * asked for and the one that is kept is too old.
 */

import { Clock, Context, Deferred, Effect, type Scope, Semaphore } from "effect"
import type { Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { everyLane, laneIn } from "../../../engine/lane/lanes.ts"
import { ask, type QueryRequest } from "../../../engine/query.ts"
import { familyOf } from "../../../src/domain/chain-family.ts"
import { solana } from "../../../src/domain/chains/solana.ts"
import { hasPassed } from "../../../src/platform/elapsed.ts"
import { Seldom } from "../../../src/platform/seldom.ts"
import { smartThresholds } from "../../../src/rules/trader-rules.ts"
import { queryLane, unready } from "../../answering.ts"
import { Refusal } from "../../errors.ts"
import { boardStands, dayTraders } from "./day-traders.query.ts"
import { smartTraders } from "./smart-traders.query.ts"
import type { DayBoard, SmartBoard } from "./traders.api.ts"

/** Windows of smart traders in UTC days, in the order in which they are built first. */
const SMART_DAYS = [1, 3, 7] as const
/** How long a day's board is given before it is built anew. */
const DAY_BOARD_MS = 300_000
/** Between two looks whether a board is due, and before what failed is tried again. */
const LOOK = "1 second"
const AGAIN_MS = 30_000
/** How long a build may take, and a request waits for one. */
const BUILD_SECONDS = 120
const WAIT = "8 seconds"

/** A board with where its lane stood. */
export interface Kept<B> {
  readonly board: B
  /** the position that it reflects, and the log that has it */
  readonly seq: number
  readonly log: string | null
  /** when it was built: Unix milliseconds; how long that took */
  readonly builtMs: number
  readonly tookMs: number
  readonly setbacks: number
  readonly rollbacks: number
}

/** A board as it is shown, with why it may not be what it should be. */
export interface Shown<B> extends Kept<B> {
  readonly problem: string | null
}

/** What is known of one board. */
interface Place<B> {
  readonly request: QueryRequest
  kept: Kept<B> | null
  /** when its build failed last */
  failedMs: number | null
  /** why its build failed last, and why nobody knows whether its swaps were taken back */
  unbuilt: string | null
  unchecked: string | null
  /** how often it is logged that nobody knows */
  readonly logged: Seldom<"unchecked">
  /** those who wait for a build that is under way */
  flight: Deferred.Deferred<void> | null
}

interface Numbered {
  readonly newestSwap: number | null
}

const placeOf = <B>(request: QueryRequest): Place<B> => ({
  ...{ request, kept: null, failedMs: null, unbuilt: null, unchecked: null },
  ...{ logged: new Seldom(AGAIN_MS), flight: null }
})

const shown = <B>({ kept, unchecked, unbuilt }: Place<B>): Shown<B> | null =>
  kept === null ? null : { ...kept, problem: unchecked ?? unbuilt }

const nameOf = (lane: Lane, { name, params }: QueryRequest): string =>
  `${lane.config.key}: ${name} of ${params["days"]} days`

/** Notes why it could not be asked whether swaps of a board were taken back; logs it seldom. */
const noteUnchecked = <B>(lane: Lane, place: Place<B>, message: string) =>
  Effect.suspend(() => {
    place.unchecked = `whether swaps of it were taken back could not be asked: ${message}`
    const words = `${nameOf(lane, place.request)}: ${place.unchecked}`
    return place.logged.say("unchecked", Effect.logWarning(words))
  })

/** Whether the lane follows its chain, or has all that there is of it. */
const isCaughtUp = (lane: Lane): boolean => {
  const { state } = lane.status()
  return !unready(lane) && lane.seq() > 0 && (state === "live" || state === "history")
}

const decoder = new TextDecoder()

/**
 * Whether some swap of the board was taken back, or may have been. Where the lane cannot be asked
 * the board stands, and says so.
 */
const isUndone = <B extends Numbered>(lane: Lane, place: Place<B>) =>
  Effect.gen(function* () {
    const { kept } = place
    if (kept === null || kept.setbacks !== lane.setbacks()) return true
    const { rollbacks } = lane.status()
    if (kept.rollbacks === rollbacks) return false
    const newest = kept.board.newestSwap
    if (newest !== null) {
      const { body } = yield* queryLane(lane, ask(boardStands, { newest }))
      const { stands } = JSON.parse(decoder.decode(body)) as { readonly stands: boolean }
      if (!stands) return true
    }
    // the next look asks only after another rollback
    place.kept = { ...kept, rollbacks }
    place.unchecked = null
    return false
  }).pipe(Effect.catch(({ message }) => Effect.as(noteUnchecked(lane, place, message), false)))

/** The shortest time from one board of smart traders to the next. */
const LEAST_MS = 10_000

/**
 * The time that a board covers, in which it goes stale by half: one of a chain that has just begun
 * is built again sooner than others.
 */
const spanMs = (kept: Kept<SmartBoard> | null): number =>
  kept === null ? 0 : Math.max(LEAST_MS, (kept.board.updatedAt - kept.board.from) * 1000)

class KeptBoards {
  private readonly lane: Lane | undefined
  /** one build at a time: a lane has few readers */
  private readonly turn = Semaphore.makeUnsafe(1)
  private readonly smartPlaces = new Map(
    SMART_DAYS.map(days => [
      days as number,
      placeOf<SmartBoard>(ask(smartTraders, { days }, BUILD_SECONDS))
    ])
  )
  private readonly dayPlaces = new Map(
    [1, 2].map(days => [days, placeOf<DayBoard>(ask(dayTraders, { days }, BUILD_SECONDS))])
  )
  private readonly scope: Scope.Scope

  constructor(lane: Lane | undefined, scope: Scope.Scope) {
    this.lane = lane
    this.scope = scope
  }

  /** The board of smart traders of a window that was built last; null before the first. */
  smart(days: number): Shown<SmartBoard> | null {
    const place = this.smartPlaces.get(days)
    return place === undefined ? null : shown(place)
  }

  /** Why the first board of smart traders of a window was not built yet; null if not known. */
  unbuilt(days: number): string | null {
    return this.smartPlaces.get(days)?.unbuilt ?? null
  }

  private build<B>(lane: Lane, place: Place<B>): Effect.Effect<void> {
    return Effect.gen(function* () {
      const marks = { setbacks: lane.setbacks(), rollbacks: lane.status().rollbacks }
      const began = yield* Clock.currentTimeMillis
      const { seq, body } = yield* queryLane(lane, place.request)
      const builtMs = yield* Clock.currentTimeMillis
      const board = JSON.parse(decoder.decode(body)) as B
      place.kept = { board, seq, log: lane.log(), builtMs, tookMs: builtMs - began, ...marks }
      place.failedMs = null
      place.unbuilt = null
      place.unchecked = null
    }).pipe(
      Effect.catch(({ message }) =>
        Effect.gen(function* () {
          place.failedMs = yield* Clock.currentTimeMillis
          place.unbuilt = `it was not built when it was tried last: ${message}`
          const what = `${nameOf(lane, place.request)} was not built`
          yield* Effect.logWarning(`${what}, and is tried again: ${message}`)
        })
      ),
      this.turn.withPermit
    )
  }

  /** Builds a board, or waits for the build that is under way; it goes on without who waits. */
  private built<B>(lane: Lane, place: Place<B>): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (place.flight !== null) return Deferred.await(place.flight)
      const flight = Deferred.makeUnsafe<void>()
      place.flight = flight
      const ended = Effect.andThen(
        Effect.sync(() => {
          place.flight = null
        }),
        Deferred.succeed(flight, undefined)
      )
      const work = Effect.ensuring(this.build(lane, place), ended)
      return Effect.andThen(Effect.forkIn(work, this.scope), Deferred.await(flight))
    })
  }

  private isDue<B extends Numbered>(lane: Lane, place: Place<B>, everyMs: number) {
    return Effect.gen(function* () {
      if (!isCaughtUp(lane)) return false
      const now = yield* Clock.currentTimeMillis
      const { kept, failedMs } = place
      if (failedMs !== null && !hasPassed(failedMs, now, AGAIN_MS)) return false
      if (kept === null || (yield* isUndone(lane, place))) return true
      // where the lane has not moved, the board would be the same
      return hasPassed(kept.builtMs, now, everyMs) && kept.seq !== lane.seq()
    })
  }

  /** Builds what is due of the boards of smart traders, one after the other, until interrupted. */
  readonly run: Effect.Effect<void> = Effect.suspend(() => {
    const { lane } = this
    if (lane === undefined) return Effect.void
    const everyMs = smartThresholds.rebuildSeconds * 1000
    // a list: the iterator of a map is at its end after the first look
    const places = [...this.smartPlaces.values()]
    const look = Effect.forEach(places, place =>
      Effect.flatMap(this.isDue(lane, place, Math.min(everyMs, spanMs(place.kept))), isDue =>
        isDue ? this.built(lane, place) : Effect.void
      )
    )
    return Effect.forever(Effect.andThen(look, Effect.sleep(LOOK)))
  })

  /** A day's board, built where the one that is kept is too old; refuses where there is none. */
  day(days: number): Effect.Effect<Shown<DayBoard>, Refusal> {
    return Effect.gen({ self: this }, function* () {
      const { lane } = this
      const place = this.dayPlaces.get(days)
      if (lane !== undefined && place !== undefined) {
        if (yield* this.isDue(lane, place, DAY_BOARD_MS)) {
          yield* Effect.timeoutOption(this.built(lane, place), WAIT)
        }
        const board = shown(place)
        if (board !== null) return board
      }
      return yield* notBuilt(`the board of traders of ${days} days`, place?.unbuilt ?? null)
    })
  }
}

/** The refusal of a board that was not built yet, with why it could not be. */
export const notBuilt = (what: string, why: string | null): Refusal => {
  const takes = "that takes until the chain is read, and seconds to minutes"
  const message = `${what} is not built yet: ${takes}; this is not an empty board`
  return new Refusal({
    ...{ status: 503, code: familyOf(solana).notReady },
    message: why === null ? message : `${message}; ${why}`
  })
}

/** The boards of Solana, where it runs here, for all audiences of the server. */
export class TraderBoards extends Context.Service<TraderBoards, KeptBoards>()(
  "swaptape/api/TraderBoards"
) {}

/** Keeps the boards until the scope ends. */
export const keepBoards = Effect.fnUntraced(function* (lanes: Lanes["Service"]) {
  const scope = yield* Effect.scope
  const lane = laneIn(everyLane(lanes), solana.key)
  const boards = new KeptBoards(lane, scope)
  yield* Effect.forkScoped(boards.run)
  return boards
})
