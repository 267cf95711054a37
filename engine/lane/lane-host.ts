/**
 * A lane inside its worker: opens the tables, follows the log, answers queries, tells the serving
 * thread of every commit. A broken DuckDB file is replaced and filled again; under a broken log the
 * lane goes on serving what it has, and tries now and then whether the log can be followed again.
 */

import { dirname } from "node:path"
import { Deferred, Effect, Result } from "effect"
import { DuckDbError } from "../../src/platform/duckdb.ts"
import { FileError, makeFolder, remove } from "../../src/platform/files.ts"
import { removeSnapshot, restoreSnapshot, snapshotsOf } from "../store/snapshot.ts"
import { follow } from "./lane-follow.ts"
import { type LaneOptions, type OpenLane, OutdatedTables, openLane } from "./lane-open.ts"
import { serve } from "./lane-serve.ts"
import { type LaneState, newLaneState, warn } from "./lane-state.ts"
import { postStatus } from "./lane-status.ts"

/** Times in a row that broken tables are replaced before the lane gives up. */
const MAX_REPLACEMENTS = 5
/** Pauses before a log that could not be followed is tried again: doubling from the first. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 60_000

interface Host<E> {
  readonly options: LaneOptions<E>
  readonly state: LaneState
  readonly current: { open: OpenLane<E> | null; broken: Deferred.Deferred<never, DuckDbError> }
  /** replacements since the lane was live, and the snapshot that the last one put in place */
  replaced: number
  snapshot: string | null
  pauseMs: number
}

/** Opens the tables and follows the log; or, while the log cannot be used, only serves them. */
const session = <E>({ options, state, current, pauseMs }: Host<E>, following: boolean) =>
  Effect.scoped(
    Effect.gen(function* () {
      current.broken = yield* Deferred.make<never, DuckDbError>()
      const open = yield* openLane(options, state, following)
      current.open = open
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          current.open = null
        })
      )
      const work = following ? follow(options, open, state) : Effect.sleep(pauseMs)
      // with DuckDB's thread the whole lane dies: it starts again on the file as it is
      const lost = Effect.raceFirst(Deferred.await(current.broken), open.core.store.database.ended)
      return yield* Effect.raceFirst(work, lost)
    })
  )

/** Moves broken tables aside and puts a snapshot, or nothing, in their place. */
const replaceTables = <E>(host: Host<E>, error: DuckDbError) =>
  Effect.gen(function* () {
    const { options, state } = host
    state.state = "rebuilding"
    if (host.snapshot !== null) yield* removeSnapshot(options.file, host.snapshot)
    host.snapshot = yield* restoreSnapshot(options.file, String(host.replaced++))
    const text = `tables could not be used (${error.message}); moved aside, ${
      host.snapshot === null
        ? "folding the log again from the start"
        : `snapshot ${host.snapshot} restored`
    }`
    warn(state, text)
    yield* Effect.logWarning(`${options.chain.key}: ${text}`)
  })

const dropTables = <E>({ options, state }: Host<E>, outdated: OutdatedTables) =>
  Effect.gen(function* () {
    state.state = "rebuilding"
    const text = `tables are of ${outdated.found}; folding the log again for ${outdated.wanted}`
    warn(state, text)
    yield* Effect.logInfo(`${options.chain.key}: ${text}`)
    for (const path of [options.file, `${options.file}.wal`]) yield* remove(path)
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
    const { state, options } = host
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

/** Runs a lane until interrupted. */
export const runLane = <E>(options: LaneOptions<E>) =>
  Effect.gen(function* () {
    yield* makeFolder(dirname(options.file))
    const broken = yield* Deferred.make<never, DuckDbError>()
    const host: Host<E> = {
      options,
      state: newLaneState(),
      current: { open: null, broken },
      replaced: 0,
      snapshot: null,
      pauseMs: FIRST_PAUSE_MS
    }
    yield* serve(options, host.state, host.current, error => {
      Effect.runFork(Deferred.fail(host.current.broken, error))
    })
    yield* postStatus(options, host.state, host.current).pipe(Effect.forkScoped)
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
