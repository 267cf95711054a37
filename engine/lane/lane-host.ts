/**
 * A lane inside its worker: opens the tables, follows the log, answers queries, tells the serving
 * thread of every commit. A broken DuckDB file is replaced and filled again; under a broken log the
 * lane goes on serving what it has, and tries now and then whether the log can be followed again.
 */

import { dirname } from "node:path"
import { Effect, Exit, Result, Schedule } from "effect"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { rpcSettingOf } from "../../src/domain/shown-chain.ts"
import { DuckDbError } from "../../src/platform/duckdb.ts"
import { exists, FileError, makeFolder } from "../../src/platform/files.ts"
import { GOES_ON, untilRoom, wantOfRoom } from "../../src/platform/room.ts"
import { LogBroken } from "../log/log-errors.ts"
import { isConfirmed } from "../runner/reconcile.ts"
import { Signal } from "../runner/signal.ts"
import {
  brokenOf,
  removeBroken,
  removeSnapshot,
  restoreSnapshot,
  snapshotsOf
} from "../store/snapshot.ts"
import { OutdatedTables } from "../store/store.ts"
import { clearPlace, pathOf, readServed, settleTables, writeServed } from "../store/tables-file.ts"
import { begin, FIRST_PAUSE_MS, type Lane, makeBeside, show } from "./beside.ts"
import { adoptLog, type LaneOptions } from "./lane-open.ts"
import { serve } from "./lane-serve.ts"
import { LaneState } from "./lane-state.ts"
import { postStatus } from "./lane-status.ts"
import { PULSE_MS } from "./lane-watch.ts"
import { isOfLate, TooDeep } from "./rewriting.ts"
import { type Current, lost, openStand, type Stand, see } from "./stand.ts"

/** How often a lane says how much of its log is folded, while at least so many events are not. */
const FOLDED_TOLD_MS = 5000
const MANY_UNFOLDED = 50_000
/** Times in a row that broken tables are replaced before the lane gives up. */
const MAX_REPLACEMENTS = 5
/** Pauses before a log that could not be followed is tried again double up to this. */
const LONGEST_PAUSE_MS = 60_000
/** The longest before it is looked whether there is room again, which costs next to nothing. */
const LONGEST_ROOM_PAUSE_MS = 5_000

/**
 * What the tables are opened for: to follow the log, to serve them while the log cannot be used, or
 * to serve them while there is no room to write; then the file is only read.
 */
type Mode = "follow" | "serve" | "wait"

interface Host extends Lane {
  /** replacements since the lane was live, and the snapshot that the last one put in place */
  replaced: number
  snapshot: string | null
  /** whether the file was opened again as it is since the lane was live */
  reopened: boolean
  pauseMs: number
}

/** Waits for room, first for as long as is meet after failing that often. */
const pauseForRoom = ({ options, pauseMs }: Host) =>
  Effect.andThen(
    Effect.sleep(Math.min(pauseMs, LONGEST_ROOM_PAUSE_MS)),
    Effect.suspend(() => untilRoom(options.file))
  )

/** The tables that readers had last, or those that they will have, brought to where the log is. */
const openTables = ({ options, current }: Host, mode: Mode) =>
  Effect.gen(function* () {
    const { file } = options
    if (mode !== "wait") yield* makeFolder(dirname(file))
    const place = current.served.place ?? "own"
    const wasSeen = current.served.place !== null && (yield* exists(pathOf(file, place)))
    const agree = mode === "follow" && !wasSeen
    const stand = yield* openStand(options, place, current.state, agree, mode === "wait")
    yield* Effect.addFinalizer(exit =>
      Effect.sync(() => {
        // whoever closes the lane opens nothing again
        current.isReopening = current.seen !== null && !Exit.hasInterrupts(exit)
        current.seen = null
        current.newest = null
        current.state.changed.ring()
      })
    )
    current.newest = stand
    if (wasSeen) see(current, stand)
    return stand
  })

/** What brings a log on that nobody reads into here. */
const toRefill = (chain: ChainConfig): string =>
  "Nothing here reads the chain: stop this, then run npm start with " +
  `${rpcSettingOf(chain)} set, or npm run replay -- --chain ${chain.key} with all the files again, to get the rest`

/** What the log tells is not what readers were told. */
const notConfirmed = ({ chain, isHistory }: LaneOptions, { open }: Stand): string =>
  `the log does not hold what the tables tell at ${open.core.committed.seq}: its tail was lost or` +
  " is another; answers stay those of that position until the log is as far again" +
  (isHistory === true ? `. ${toRefill(chain)}` : "")

const takenBack = ({ open }: Stand, { segment }: TooDeep): string =>
  `the log tells blocks from ${segment.header.firstBlock} on again; answers stay those of position` +
  ` ${open.core.committed.seq} until new tables are made of it`

/** What readers may have of a log that cannot be read on: all that they had, and no less. */
const showRest = (host: Host, stand: Stand, error: unknown) =>
  Effect.gen(function* () {
    const { seq, block } = stand.open.core.committed
    const { seen, served } = host.current
    if (seen !== null || !(error instanceof LogBroken)) return
    if (seq > 0 && block >= served.block) yield* show(host, stand)
  })

/**
 * Serves what readers had until there is room. Tables that cannot even be read meanwhile are looked
 * at again then.
 */
const waiting = (host: Host) =>
  Effect.gen(function* () {
    const opened = yield* Effect.result(openTables(host, "wait"))
    const room = pauseForRoom(host)
    yield* Result.isSuccess(opened) ? Effect.raceFirst(room, lost(opened.success)) : room
  })

/** Opens the tables and follows the log; or, while the log cannot be used, only serves them. */
const session = (host: Host, mode: Mode) =>
  Effect.gen(function* () {
    const { options, pauseMs } = host
    if (mode === "wait") return yield* waiting(host)
    const first = yield* openTables(host, mode)
    if (mode === "serve") return yield* Effect.raceFirst(Effect.sleep(pauseMs), lost(first))
    const isAgreed = !first.isSeen || (yield* isConfirmed(first.open.core, options.log))
    if (isAgreed) {
      yield* adoptLog(options, first.open)
      first.options.port.post({ type: "log", log: first.open.log })
    }
    const { block } = first.open.core.committed
    let { stand, ended } = isAgreed
      ? { stand: first, ...(yield* begin(host, first, 0)) }
      : yield* makeBeside(host, first, notConfirmed(options, first), block)
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
const forgetTables = ({ options, current }: Host) => {
  current.state.post({ type: "TablesForgotten" })
  current.isReopening = false
  current.state.changed.ring()
  current.served = { ...current.served, place: null }
  return writeServed(options.file, current.served)
}

/** Says that there is no room, once, and gives back what broken tables take. */
const tellWant = ({ options, current }: Host, want: string, failed: string) =>
  Effect.gen(function* () {
    const { state } = current
    const problem = `${want}${GOES_ON}`
    const isNews = state.problem !== problem
    state.post({ type: "RoomWanted", problem })
    if (!isNews) return
    yield* Effect.logWarning(`${options.chain.key}: ${problem} (${failed.split("\n")[0]})`)
    for (const name of yield* removeBroken(options.file)) {
      const text = `${name}, broken tables that were kept, was removed to make room`
      state.warn(text)
      yield* Effect.logWarning(`${options.chain.key}: ${text}`)
    }
  })

/** What is wanting where something failed for want of room; null for any other failure. */
const wantIn = ({ options }: Host, error: unknown): string | null =>
  error instanceof DuckDbError || error instanceof FileError
    ? wantOfRoom(error.message, dirname(options.file))
    : null

/** Does something with files, again and again while there is no room for it. */
const withRoom = <A>(host: Host, work: Effect.Effect<A, FileError>): Effect.Effect<A, FileError> =>
  Effect.catchTag(work, "FileError", error => {
    const want = wantIn(host, error)
    return want === null
      ? Effect.fail(error)
      : tellWant(host, want, error.message).pipe(
          Effect.andThen(pauseForRoom(host)),
          Effect.andThen(Effect.suspend(() => withRoom(host, work)))
        )
  })

/** Moves broken tables aside and puts a snapshot, or nothing, in their place. */
const replaceTables = (host: Host, error: DuckDbError) =>
  Effect.gen(function* () {
    const { options, current } = host
    const from = pathOf(options.file, current.served.place ?? "own")
    host.replaced++
    yield* withRoom(host, forgetTables(host))
    if (host.snapshot !== null) yield* removeSnapshot(options.file, host.snapshot)
    host.snapshot = yield* withRoom(host, restoreSnapshot(options.file, from))
    yield* clearPlace(options.file, "beside")
    const text = `tables could not be used (${error.message}); moved aside to ${brokenOf(
      options.file
    )}, which may be deleted; ${
      host.snapshot === null
        ? "folding the log again from the start"
        : `snapshot ${host.snapshot} restored`
    }`
    current.state.warn(text)
    yield* Effect.logWarning(`${options.chain.key}: ${text}`)
  })

const dropTables = (host: Host, outdated: OutdatedTables) =>
  Effect.gen(function* () {
    const { options, current } = host
    yield* forgetTables(host)
    const text = `tables are of ${outdated.found}; folding the log again for ${outdated.wanted}`
    current.state.warn(text, "folding again")
    yield* Effect.logInfo(`${options.chain.key}: ${text}`)
    for (const place of ["own", "beside"] as const) yield* clearPlace(options.file, place)
    for (const name of yield* snapshotsOf(options.file)) yield* removeSnapshot(options.file, name)
  })

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== "" ? error.message : JSON.stringify(error)

/** DuckDB does nothing more with the file, for a reason that it told before: not of the file. */
const isInvalidated = ({ message }: DuckDbError): boolean => /has been invalidated/.test(message)

/** Handles what ended a session; answers what the tables are opened for next. */
const afterwards = (host: Host, error: unknown) =>
  Effect.gen(function* () {
    const { current, options } = host
    const { state } = current
    if (state.isLive) {
      host.replaced = 0
      host.snapshot = null
      host.reopened = false
      host.pauseMs = options.firstPauseMs ?? FIRST_PAUSE_MS
    }
    if (error instanceof OutdatedTables) {
      yield* withRoom(host, dropTables(host, error))
      return "follow"
    }
    const want = wantIn(host, error)
    if (want !== null) {
      yield* tellWant(host, want, messageOf(error))
      return "wait"
    }
    if (error instanceof DuckDbError && isInvalidated(error) && !host.reopened) {
      host.reopened = true
      yield* Effect.logWarning(`${options.chain.key}: opening the tables again: ${error.message}`)
      return "follow"
    }
    if (error instanceof DuckDbError && host.replaced < MAX_REPLACEMENTS) {
      yield* replaceTables(host, error)
      return "follow"
    }
    const isOfTables = error instanceof DuckDbError || error instanceof FileError
    state.post({ type: isOfTables ? "GaveUp" : "LogFailed", problem: messageOf(error) })
    yield* Effect.logError(`${options.chain.key}: lane stopped: ${messageOf(error)}`)
    if (isOfTables) {
      current.isReopening = false
      state.changed.ring()
      return yield* Effect.never
    }
    return "serve"
  })

/** Tells that the thread lives, and whether the tables' thread does. */
const pulse = ({ options, current }: Host) =>
  Effect.sync(() => {
    const tablesSilentMs = current.newest?.open.core.store.database.silentMs() ?? 0
    options.port.post({ type: "pulse", tablesSilentMs })
  }).pipe(Effect.repeat(Schedule.spaced(PULSE_MS)))

/** Says now and then how much of the log is folded, until a lane has caught up with it. */
const tellFolded = ({ options, current }: Host) =>
  Effect.suspend(() => {
    const folded = current.newest?.open.core.folded.seq
    const { logSeq, isLive } = current.state
    const isFolding = folded !== undefined && !isLive && logSeq - folded >= MANY_UNFOLDED
    if (!isFolding) return Effect.void
    const share = ((folded / logSeq) * 100).toFixed(1)
    const { key } = options.chain
    return Effect.logInfo(`${key}: ${folded} of ${logSeq} events of the log are folded, ${share} %`)
  }).pipe(Effect.repeat(Schedule.spaced(FOLDED_TOLD_MS)))

/** What readers were given last; where nothing may be written it stays wherever it is. */
const settled = (file: string) =>
  settleTables(file).pipe(
    Effect.catchTag("FileError", error =>
      wantOfRoom(error.message, "") === null ? Effect.fail(error) : readServed(file)
    )
  )

/** Runs a lane until interrupted. */
export const runLane = (options: LaneOptions) =>
  Effect.gen(function* () {
    const current: Current = {
      seen: null,
      newest: null,
      state: new LaneState(new Signal(), options.observe),
      served: yield* settled(options.file),
      isReopening: false
    }
    // what takes the lane's own place again is at rest by then
    yield* Effect.addFinalizer(() => Effect.ignore(settleTables(options.file)))
    const idle = yield* serve(options, current)
    const host: Host = {
      ...{
        options,
        current,
        idle,
        replaced: 0,
        snapshot: null,
        reopened: false,
        pauseMs: options.firstPauseMs ?? FIRST_PAUSE_MS
      }
    }
    yield* postStatus(options, current).pipe(Effect.forkScoped)
    yield* pulse(host).pipe(Effect.forkScoped)
    yield* tellFolded(host).pipe(Effect.forkScoped)
    let mode: Mode = "follow"
    for (;;) {
      const result: Result.Result<unknown, unknown> = yield* Effect.result(session(host, mode))
      if (Result.isFailure(result)) mode = yield* afterwards(host, result.failure)
      else {
        mode = "follow"
        host.pauseMs = Math.min(LONGEST_PAUSE_MS, host.pauseMs * 2)
      }
    }
  })
