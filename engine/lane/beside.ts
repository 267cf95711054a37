/**
 * Tables made beside those that readers have: a copy of them follows the log to where it stands for
 * all that they stood for, then takes their place. Until then readers have the old ones, which
 * follow nothing. Whatever goes wrong beside is tried again, and costs readers nothing.
 */
import { dirname } from "node:path"
import { Deferred, Effect, Exit, Fiber, Result, Scope } from "effect"
import { wantOfRoom } from "../../src/platform/room.ts"
import { LogBroken } from "../log/log-errors.ts"
import {
  clearPlace,
  copyTables,
  otherPlace,
  type Served,
  writeServed
} from "../store/tables-file.ts"
import { type Following, follow } from "./lane-follow.ts"
import { adoptLog, type LaneOptions } from "./lane-open.ts"
import { IN_PLACE_EVENTS } from "./rewriting.ts"
import { type Current, lost, openStand, type Stand, see } from "./stand.ts"
import { toldAgain, toldBefore, wantedNow } from "./told-again.ts"

export const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 60_000

export interface Lane {
  readonly options: LaneOptions
  readonly current: Current
  /** waits until no answer is made of the tables any more */
  readonly idle: (stand: Stand) => Effect.Effect<void>
}

/** The fork behind all that was taken back after `told`; null where nothing was. */
const forkOf = ({ open }: Stand, told: number) =>
  open.core.store.writer
    .rows(`SELECT min(to_seq) AS fork FROM lane_rollbacks WHERE seq > ${told}`)
    .pipe(Effect.map(([row]) => (row?.["fork"] == null ? null : Number(row["fork"]))))

/**
 * What live readers, who have what `old` tells, are told with other tables. What the chain itself
 * took back is void however far back it stood.
 */
const changes = (old: Stand, next: Stand) =>
  Effect.gen(function* () {
    const { options, open, state } = next
    const { seq: told } = old.open.core.committed
    const { seq } = open.core.committed
    const { channels } = open.queries
    const fork = yield* forkOf(next, told)
    // of a log that was lost it is not known what of it stands: they read it again
    if (fork === null) return { channels, since: told, seq, frames: null }
    const wanted = wantedNow(state.wanted)
    const compared = old.isVoid ? Number.MAX_SAFE_INTEGER : undefined
    const before = yield* toldBefore(old.open, wanted, told, fork, compared)
    const frames = yield* toldAgain(options.chain, open, wanted, before)
    return { channels, since: told, seq, frames }
  })

/** Lets readers have the tables, and remembers which file they have. */
export const show = ({ options, current }: Lane, stand: Stand) =>
  Effect.gen(function* () {
    if (stand.isSeen) return
    const notice = current.seen === null ? null : yield* changes(current.seen, stand)
    const { block } = stand.open.core.committed
    const served: Served = { place: stand.place, block }
    yield* writeServed(options.file, served)
    current.served = served
    see(current, stand)
    if (notice !== null) options.port.post({ type: "frames", notice })
  })

/** Follows the log into tables, which readers get once they stand at `least` as far as told. */
export const begin = (lane: Lane, stand: Stand, least: number) =>
  Effect.gen(function* () {
    const { options } = lane
    const shown = yield* Deferred.make<void>()
    const following: Following = {
      stand,
      least,
      // nobody waits for tables that nobody has
      most: () =>
        stand.isSeen ? (options.inPlaceEvents ?? IN_PLACE_EVENTS) : Number.POSITIVE_INFINITY,
      caughtUp: isSeen => {
        const { core, firstBlock } = stand.open
        const { seq, block, blockTime } = core.committed
        options.port.post({ type: "caught-up", at: { seq, block, blockTime }, isSeen, firstBlock })
      },
      stands: Effect.andThen(show(lane, stand), Deferred.succeed(shown, undefined))
    }
    const fiber = yield* follow(following).pipe(
      Scope.provide(stand.scope),
      Effect.forkIn(stand.scope)
    )
    return { ended: Effect.raceFirst(Fiber.join(fiber), lost(stand)), shown: Deferred.await(shown) }
  })

/** Closes tables that readers have no more, once the last answers are made, and removes them. */
const retire = ({ options, idle }: Lane, stand: Stand) =>
  Effect.gen(function* () {
    yield* idle(stand)
    yield* Scope.close(stand.scope, Exit.void)
    yield* clearPlace(options.file, stand.place)
  })

const isLogBroken = (failure: unknown): boolean => failure instanceof LogBroken

/** Copies the tables to the other place, as the old ones are. */
const copyOf = ({ options }: Lane, { open: { core }, place }: Stand) =>
  Effect.gen(function* () {
    yield* core.upkeep.ended
    yield* core.store.readers.without(core.store.writer.run("CHECKPOINT"))
    yield* copyTables(options.file, place)
  })

/** Brings the copy, made unless it is there, to where it has to be, and swaps. */
const make = (lane: Lane, old: Stand, least: number, isCopied: boolean) =>
  Effect.gen(function* () {
    const { options, current } = lane
    if (!isCopied) yield* copyOf(lane, old)
    const next = yield* openStand(options, otherPlace(old.place), old.state.beside(), true)
    yield* adoptLog(options, next.open)
    current.newest = next
    const { ended, shown } = yield* begin(lane, next, least)
    yield* Effect.raceFirst(shown, ended).pipe(
      Effect.tapCause(() =>
        Effect.gen(function* () {
          current.newest = old
          yield* Scope.close(next.scope, Exit.void)
        })
      )
    )
    return { stand: next, ended }
  })

/**
 * Makes tables beside `old` and lets readers have them, however often it takes. Fails only with
 * the old ones.
 */
export const makeBeside = (lane: Lane, old: Stand, why: string, least: number) =>
  Effect.gen(function* () {
    const { chain, firstPauseMs = FIRST_PAUSE_MS } = lane.options
    const { key } = chain
    const { state } = old
    state.post({ type: "RemakeBegan", problem: why })
    yield* Effect.logInfo(`${key}: ${why}`)
    let isCopied = false
    for (let pause = firstPauseMs; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      const making = make(lane, old, least, isCopied)
      const made = yield* Effect.raceFirst(Effect.result(making), lost(old))
      if (Result.isSuccess(made)) {
        // nobody listens to its end any more
        yield* retire(lane, old)
        yield* Effect.logInfo(`${key}: readers have the new tables`)
        return made.success
      }
      const { failure } = made
      const told = failure instanceof Error ? failure.message : String(failure)
      const reason = wantOfRoom(told, dirname(lane.options.file)) ?? told
      const problem = `${why}; making them failed and is tried again: ${reason}`
      state.post({ type: "RemakeFailed", problem })
      yield* Effect.logWarning(`${key}: ${problem}`)
      // a log that cannot be read on says nothing against the copy, which goes on when it can
      isCopied = isLogBroken(failure)
      if (!isCopied) {
        yield* clearPlace(lane.options.file, otherPlace(old.place)).pipe(Effect.ignore)
      }
      yield* Effect.raceFirst(Effect.sleep(pause), lost(old))
    }
  })
