/**
 * A lane inside its worker: opens the tables, follows the log, answers queries, tells the serving
 * thread of every commit. A broken DuckDB file is replaced and filled again; under a broken log the
 * lane goes on serving what it has, and tries now and then whether the log can be followed again.
 */

import { dirname } from "node:path"
import { Effect, Result, Schedule } from "effect"
import { DuckDbError } from "../../src/platform/duckdb.ts"
import { exists, FileError, makeFolder } from "../../src/platform/files.ts"
import { LogBroken } from "../log/log-errors.ts"
import { isConfirmed } from "../runner/reconcile.ts"
import { removeSnapshot, restoreSnapshot, snapshotsOf } from "../store/snapshot.ts"
import { clearPlace, pathOf, settleTables, writeServed } from "../store/tables-file.ts"
import { begin, type Lane, makeBeside, show } from "./beside.ts"
import { type LaneOptions, OutdatedTables } from "./lane-open.ts"
import { serve } from "./lane-serve.ts"
import { type LaneState, newLaneState, warn } from "./lane-state.ts"
import { postStatus } from "./lane-status.ts"
import { PULSE_MS } from "./lane-watch.ts"
import { isOfLate, TooDeep } from "./rewriting.ts"
import { type Current, lost, openStand, type Stand, see } from "./stand.ts"

/** Times in a row that broken tables are replaced before the lane gives up. */
const MAX_REPLACEMENTS = 5
/** Pauses before a log that could not be followed is tried again: doubling from the first. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 60_000

interface Host<E> extends Lane<E> {
  /** replacements since the lane was live, and the snapshot that the last one put in place */
  replaced: number
  snapshot: string | null
  pauseMs: number
}

/** The tables that readers had last, or those that they will have, brought to where the log is. */
const openTables = <E>({ options, current }: Host<E>, following: boolean) =>
  Effect.gen(function* () {
    const { file } = options
    const place = current.served.place ?? "own"
    const wasSeen = current.served.place !== null && (yield* exists(pathOf(file, place)))
    const stand = yield* openStand(options, place, current.state, following && !wasSeen)
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        current.seen = null
        current.newest = null
      })
    )
    current.newest = stand
    if (wasSeen) see(current, stand)
    return stand
  })

/** What the log tells is not what readers were told. */
const notConfirmed = ({ open }: Stand<unknown>): string =>
  `the log does not hold what the tables tell at ${open.core.committed.seq}: its tail was lost or` +
  " is another; answers stay those of that position until the log is as far again"

const takenBack = ({ open }: Stand<unknown>, { segment }: TooDeep): string =>
  `the log tells blocks from ${segment.header.firstBlock} on again; answers stay those of position` +
  ` ${open.core.committed.seq} until new tables are made of it`

/** What readers may have of a log that cannot be read on: all that they had, and no less. */
const showRest = <E>(host: Host<E>, stand: Stand<E>, error: unknown) =>
  Effect.gen(function* () {
    const { seq, block } = stand.open.core.committed
    const { seen, served } = host.current
    if (seen !== null || !(error instanceof LogBroken)) return
    if (seq > 0 && block >= served.block) yield* show(host, stand)
  })

/** Opens the tables and follows the log; or, while the log cannot be used, only serves them. */
const session = <E>(host: Host<E>, following: boolean) =>
  Effect.gen(function* () {
    const { options, pauseMs } = host
    const first = yield* openTables(host, following)
    if (!following) return yield* Effect.raceFirst(Effect.sleep(pauseMs), lost(first))
    const isAgreed = !first.isSeen || (yield* isConfirmed(first.open.core, options.log))
    const { block } = first.open.core.committed
    let { stand, ended } = isAgreed
      ? { stand: first, ...(yield* begin(host, first, 0)) }
      : yield* makeBeside(host, first, notConfirmed(first), block)
    for (;;) {
      const error: unknown = yield* Effect.flip(ended)
      if (!(error instanceof TooDeep)) {
        yield* showRest(host, stand, error)
        return yield* ended
      }
      stand.isVoid = !isOfLate(error.segment)
      ;({ stand, ended } = yield* makeBeside(host, stand, takenBack(stand, error), 0))
    }
  }).pipe(Effect.scoped)

/** From here on readers have nothing, until tables are made that stand for as much as they had. */
const forgetTables = <E>({ options, current }: Host<E>) => {
  current.state.state = "rebuilding"
  current.served = { ...current.served, place: null }
  return writeServed(options.file, current.served)
}

/** Moves broken tables aside and puts a snapshot, or nothing, in their place. */
const replaceTables = <E>(host: Host<E>, error: DuckDbError) =>
  Effect.gen(function* () {
    const { options, current } = host
    const from = pathOf(options.file, current.served.place ?? "own")
    yield* forgetTables(host)
    if (host.snapshot !== null) yield* removeSnapshot(options.file, host.snapshot)
    host.snapshot = yield* restoreSnapshot(options.file, String(host.replaced++), from)
    yield* clearPlace(options.file, "beside")
    const text = `tables could not be used (${error.message}); moved aside, ${
      host.snapshot === null
        ? "folding the log again from the start"
        : `snapshot ${host.snapshot} restored`
    }`
    warn(current.state, text)
    yield* Effect.logWarning(`${options.chain.key}: ${text}`)
  })

const dropTables = <E>(host: Host<E>, outdated: OutdatedTables) =>
  Effect.gen(function* () {
    const { options, current } = host
    yield* forgetTables(host)
    const text = `tables are of ${outdated.found}; folding the log again for ${outdated.wanted}`
    warn(current.state, text)
    yield* Effect.logInfo(`${options.chain.key}: ${text}`)
    for (const place of ["own", "beside"] as const) yield* clearPlace(options.file, place)
    for (const name of yield* snapshotsOf(options.file)) yield* removeSnapshot(options.file, name)
  })

const fail = (state: LaneState, problem: string): void => {
  state.state = "failed"
  state.problem = problem
}

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== "" ? error.message : JSON.stringify(error)

/** Handles what ended a session; answers whether to follow the log in the next one. */
const afterwards = <E>(host: Host<E>, error: unknown) =>
  Effect.gen(function* () {
    const { current, options } = host
    const { state } = current
    if (state.state === "live") {
      host.replaced = 0
      host.snapshot = null
      host.pauseMs = FIRST_PAUSE_MS
    }
    if (error instanceof OutdatedTables) {
      yield* dropTables(host, error)
      return true
    }
    if (error instanceof DuckDbError && host.replaced < MAX_REPLACEMENTS) {
      yield* replaceTables(host, error)
      return true
    }
    fail(state, messageOf(error))
    yield* Effect.logError(`${options.chain.key}: lane stopped: ${messageOf(error)}`)
    if (error instanceof DuckDbError || error instanceof FileError) return yield* Effect.never
    return false
  })

/** Tells that the thread lives, and whether the tables' thread does. */
const pulse = <E>({ options, current }: Host<E>) =>
  Effect.sync(() => {
    const tablesSilentMs = current.newest?.open.core.store.database.silentMs() ?? 0
    options.port.post({ type: "pulse", tablesSilentMs })
  }).pipe(Effect.repeat(Schedule.spaced(PULSE_MS)))

/** Runs a lane until interrupted. */
export const runLane = <E>(options: LaneOptions<E>) =>
  Effect.gen(function* () {
    yield* makeFolder(dirname(options.file))
    const current: Current<E> = {
      seen: null,
      newest: null,
      state: newLaneState(),
      served: yield* settleTables(options.file)
    }
    // what takes the lane's own place again is at rest by then
    yield* Effect.addFinalizer(() => Effect.ignore(settleTables(options.file)))
    const idle = yield* serve(options, current)
    const host: Host<E> = {
      ...{ options, current, idle, replaced: 0, snapshot: null, pauseMs: FIRST_PAUSE_MS }
    }
    yield* postStatus(options, current).pipe(Effect.forkScoped)
    yield* pulse(host).pipe(Effect.forkScoped)
    let following = true
    for (;;) {
      const result: Result.Result<unknown, unknown> = yield* Effect.result(session(host, following))
      if (Result.isFailure(result)) following = yield* afterwards(host, result.failure)
      else {
        following = true
        host.pauseMs = Math.min(LONGEST_PAUSE_MS, host.pauseMs * 2)
      }
    }
  })
